"""Who plays when nobody does: at random, by trying out, by what a seat can know, on honour, in real time."""
