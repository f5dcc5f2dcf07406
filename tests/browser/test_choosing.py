"""Each move that is offered can be put together of what is tapped."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from running import Running

import interpreter
from interpreter.interfaces.host.scene import Scenes
from interpreter.language.overlay import shipped
from interpreter.words.voice import Voice

POSITIONS = 12
"""Of each game, each behind a few moves at random."""
MOVES = 30
"""That are tried at each."""
TAPS = """async (asked) => {
  const folder = document.querySelector("script[type=module]").src.replace("main.js", "");
  const { Chooser, tappable } = await import(`${folder}choose.js`);
  const { isOnTable } = await import(`${folder}words.js`);
  const missing = [];
  for (const [game, scene, ask, moves] of asked) {
    Chooser.me = scene.me;
    tappable.has = (word, act) => isOnTable(scene, word, act);
    const thingsOf = (act, word, at, chooser) => {
      const chips = chooser.state().chips.filter((chip) => chip.word === word && chip.act.name === act.name);
      const found = chips.map((chip) => ({ key: chip.key, words: [word], kind: "chip", act: act.name }));
      const [face, named] = word.split("@");
      for (const place of scene.places) {
        const words = [word, act.piles?.[word] || word];
        const thing = { key: `${place.id} ${word} ${at}`, words, zone: place.zone, seat: place.seat };
        const isCard = place.cards.includes(face) || /^[0-9]+$/.test(face);
        if ((named || place.id) === place.id && isCard) found.push({ ...thing, kind: "card" });
        const isPlace = place.id === word || place.id === act.piles?.[word];
        if (isPlace) found.push({ ...thing, kind: "place", place: place.id, words: [place.id] });
      }
      if (scene.seats.some((seat) => seat.id === word)) found.push({ key: word, words: [word], kind: "seat" });
      const pieces = scene.pieces.map(({ id }) => ({ key: `${id} ${at}`, words: [word], kind: "piece", zone: id }));
      found.push(...pieces);
      return found;
    };
    const leads = (act, goal, words, picked, focus) => {
      const chooser = new Chooser();
      chooser.ask = ask;
      if (focus) chooser.open(act.name);
      chooser.picked = picked;
      if (!words.length) return chooser.state().complete.some((one) => one.move === goal);
      return thingsOf(act, words[0], picked.length, chooser).some((thing) => {
        const now = [...picked, thing];
        return chooser.leads(now) && leads(act, goal, words.slice(1), now, focus);
      });
    };
    for (const [name, rest] of moves) {
      const act = ask.acts.find((one) => one.name === name);
      const goal = rest ? `${name} ${rest}` : name;
      const words = rest ? rest.split(" ") : [];
      if (!act || act.typed || act.cards) continue;
      const ways = act.moves ? [words, [...words].reverse()] : [words];
      const can = ways.some((way) => leads(act, goal, way, [], false) || leads(act, goal, way, [], true));
      if (!can) missing.push(`${game}: ${goal}`);
    }
  }
  return missing;
}"""


NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gerda", "Hugo", "Ida", "Jo", "Kai", "Lea"]


def asked(game: str, honor: bool, seed: int) -> list[Any]:
    """What people are asked in a match at random: the game, the scene, the question, and some lawful moves."""
    found, draw = list[Any](), random.Random(seed)
    played = interpreter.load(game).game(enforcement="honor" if honor else "strict")
    state = played.start(seed=seed)
    for _ in range(POSITIONS):
        for _ in range(draw.randrange(1, 7)):
            if not state.over and (moves := state.legal_moves(player := draw.choice(state.actors))):
                state.play(player, moves[draw.randrange(len(moves))])
        if state.over:
            break
        player = draw.choice(state.actors)
        moves = state.legal_moves(player)
        scenes = Scenes(state, Voice(state.position, NAMES[: played.players]))
        some = [moves[at] for at in draw.sample(range(len(moves)), min(MOVES, len(moves)))]
        words = [str(move).partition(' "')[0].partition(" ") for move in some]
        found.append([game, scenes.of(player), scenes.ask(player), [[name, rest] for name, _, rest in words]])
    return found


@pytest.mark.parametrize("honor", [False, True], ids=["strict", "on honour"])
def test_every_move_of_a_shipped_game_can_be_put_together_by_taps(running: Running, honor: bool) -> None:
    games = [game for game in shipped() if not honor or interpreter.load(game).model.honor is not None]
    questions = [one for seed, game in enumerate(games) for one in asked(game, honor, seed)]
    assert len(questions) > 5 * len(games)
    page = running.person()
    page.goto(running.address)
    assert page.evaluate(TAPS, json.loads(json.dumps(questions))) == []
