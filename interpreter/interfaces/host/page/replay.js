// A match that is over, looked at again: a slider over its moves, with all cards open.
import { el, tapButton } from "./dom.js";

export class Replay {
  constructor(table) {
    this.table = table;
    this.at = 0;
    this.of = 0;
    this.lines = [];
    this.scene = null;
    this.slider = el("input", { type: "range", min: "0", max: "0", value: "0", said: "move", on: { input: () => this.go(Number(this.slider.value)) } });
    this.told = el("p.prompt", { "aria-live": "polite" });
    this.box = el("div.replay",
      this.told,
      el("div.buttons",
        tapButton("◀", "replay:back", () => this.go(this.at - 1), { said: "one move back" }),
        this.slider,
        tapButton("▶", "replay:on", () => this.go(this.at + 1), { said: "one move on" }),
        tapButton("✕", "replay:end", () => this.end(), { class: "drop", said: "Enough" })));
  }

  // The move that is wanted last is the one that is shown, whatever comes first.
  async go(at) {
    const wanted = Math.max(0, this.of ? Math.min(at, this.of) : at);
    this.wanted = wanted;
    if (this.busy) return;
    this.busy = true;
    try {
      do {
        const now = this.wanted;
        this.show(await (await this.table.afterwards("replay", { at: now })).json());
        if (now === this.wanted) break;
      } while (this.table.replay === this);
    } catch (error) {
      this.told.textContent = error.message;
    } finally {
      this.busy = false;
    }
  }

  show({ at, of, scenes, lines }) {
    this.at = at;
    this.of = of;
    this.slider.max = String(of);
    this.slider.value = String(at);
    this.scene = opened(scenes, this.table.me);
    this.told.textContent = lines.length ? lines.map(([, text]) => text).join(" ") : at ? "" : "The beginning.";
    this.table.draw();
  }

  end() {
    this.table.replay = null;
    this.table.draw(true);
  }
}

// What all saw together: each place as somebody saw it who saw most of it.
function opened(scenes, me) {
  const own = scenes[me ?? 0];
  const best = new Map();
  for (const scene of scenes) {
    for (const place of scene.places) {
      const known = best.get(place.id);
      const seen = place.cards.filter((face) => face !== null).length;
      if (!known || seen > known.seen) best.set(place.id, { seen, place });
    }
  }
  const names = new Map(own.places.map((place) => [place.id, place.name]));
  const places = own.places.map((place) => ({ ...best.get(place.id).place, name: names.get(place.id) }));
  return { ...own, places };
}
