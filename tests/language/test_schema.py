"""The schemas, and the shape of rulesets, overlays and scenarios."""

# ruff: noqa: E501  (printed texts are as long as they are)
from __future__ import annotations

import json
import random
import re
import textwrap
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from where import ROOT

from interpreter.base.diagnostics import Report, render
from interpreter.base.resources import find
from interpreter.engine.arranging import TABLE_WORDS
from interpreter.language.shape import CODES, check_shape
from interpreter.language.shape.schemas import Kind, validator
from interpreter.language.shape.violations import HANDLERS, MAX_FINDINGS
from interpreter.language.source import Listing, Mapping, Node, Scalar, parse_text, to_plain

SCHEMAS = ["ruleset.schema.json", "scenario.schema.json"]

HEAD = """\
format: 1
id: small
name: Small
players: {min: 2, max: 4}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
flow: {match: {repeat: deal, until: true}}
"""

EVERYTHING = """\
format: 1
id: all-of-it
name: All of it
about: A game of every key.
family: trick-taking
credits: [A. Writer, B. Writer]
notes: [It is old., It is played everywhere.]
players: {min: 2, max: 8, only: [2, 4, 6, 7, 8], default: 4, best: 3..5}
teams: {size: {by: players, 4: 2, 6..8: 2}, seated: side by side}
options:
  target: {type: integer, min: 1, max: {by: players, 2: 50, else: 100}, default: {by: players, 3..4: 7, else: 5}}
  phrase: {type: list of text, default: ["Bummer!"], length: 1..6, distinct: true, each: player, optional: true, doc: What is said.}
  thing:  {type: choice, choices: [spoon, stone, 3], default: spoon, refuse: {ring: it gets lost, 7: too many}}
require:
  enough: {law: target > players, message: The target is too low.}
variants:
  short: {doc: Shorter., set: {target: 50, phrase: [a, b]}, players: 4}
  cut:   {doc: Cut down., patch: {options: {target: {default: 3}}, flow: {tricks: {count: null, lead: null}}, zones: {taken: null}}}
  other: {doc: Another game., ruleset: hearts}
pack: {standard: packs, only: {by: thing, spoon: 7..A, else: [9, 10, J]}, remove: [2D, "all c in pack where c.rank = K"],
       add: {joker: 2, big_joker: {count: 1, when: target > 5}}}
ranks: [2, 10, J]
suits: {clubs: {letter: C, colour: black}, hearts: {letter: H, colour: red}}
orders: {draw: [2, J, 10]}
zones:
  stock: {pack: true, seen by: none, count seen by: everyone, refill: {from: taken, keep: 1, shuffle: true, on: need, when: target > 3}}
  pile:  {each: [player, 1..5], seen by: owner, faces: down, shows: top, capacity: 12, doc: A pile.}
  taken: {layout: {at: seat, as: stack, order: sorted, name: Taken, beside: pile}}
looks: {hearts: {name: of hearts, symbol: cups, colour: red, back: blue}}
tokens: {spoon: {named: thing, doc: To be grabbed.}}
state:
  score:  {each: player, type: integer, lasts: match, min: -100, max: 1000, default: 0, seen by: everyone, doc: Points.}
  wanted: {type: choice, choices: [a, b], optional: true, lasts: deal}
always shown: [score]
shown as: {wanted: what is wanted, pile: ""}
how:
  aim: Be first.
  deal: {cards: {text: "{target} cards each.", when: target > 3, of: pack}, rest: The rest is the stock.}
  turn: {play: {text: Play., of: [flow.tricks, values.points]}}
  special: {eight: Eights are wild.}
  scoring: {points: "{points}"}
  end: {all: At the end.}
values:
  points: {hearts: 1, QS: 13, 10: 30, 7..9: 2, else: -1, doc: What cards cost.}
  size:   {by: players, 3..4: 7, else: players + 1}
cards:
  K: {choose: {victim: {players: others}}, tell: "{actor} {verb: hit} {victim}", say: "Draw two, {victim}!", effect: skip victim, doc: Strikes.}
  else: {say: "{rank}!"}
melds:
  run: {same: suit, consecutive: rank, order: [draw, ranks], wrap: true, each: 1, size: 3.., wild: card is 2, naturals: 2.., wilds: ..3,
        doc: A run.}
  house: {parts: [{same: rank, size: 3}, {consecutive: rank, size: 2}]}
define:
  gap(p): {let: {most: 3, least: [[true, 1], [else, 2]]}, value: most - least}
  fits(card): card.suit = led
  next(a, b): distance(a, b, around) = 1
  seven: 7
  strength(card):
    - [card is joker, 100]
    - [else, place of card.rank]
  shown: {value: 3, seen by: everyone, doc: To be seen.}
  rows: {value: [[true, 1]]}
  done(p): {effect: add 1 to score of p}
flow:
  match: {first dealer: random, repeat: deal, until: any p in players has score of p > target, winners: lowest score,
          places: score of p, scores: score of p, players: p where score of p < 100}
  deal:
    setup: |
      gather all to stock
      shuffle stock
    anytime: {shout: {talk: true}}
    closed: true
    do: [ask, tricks, race, count]
    next dealer: left
    direction: kept
    cleanup: clear wanted
  ask:
    kind: ask
    when: honor
    with: {victim: player, price: {type: integer, min: 2, max: 104}}
    answers: first
    actions:
      pass: {label: {actor = dealer: turn down, else: pass}, quiet: false}
      nod: {prompt: nod, tell: {text: "{actor} {verb: nod}", else: [nothing]}}
      name:
        doc: Names a suit.
        when: true
        choose:
          named: {kinds: pack}
          suit: {suits: all, said: true, else: card.suit, where: suit != trump, seen by: actor, doc: Which.}
          rank: {ranks: all, optional: true}
          many: {number: 0..13}
          alone: {flag: true}
          word: {choice: [a, b]}
          from_option: {choice: phrase}
          any_text: {text: true}
          which: {tokens: spoon}
          place: {zones: pile of actor}
          team: {teams: all}
          cards: {from: hand, count: 1..3}
          set: {meld: run, from: hand, equal by: rank}
          sets: {melds: [run, house], from: hand, count: 2}
        must: {a: true, b: {law: x = 1, message: "no {x}", rule: Ask for one., fault: revoke, breach: taken back, on breach: redeal,
               lapses: {after: 2, turns by: different others, pauses: pauses_now}, penalty: redeal, claimers: others}}
        say: {one: "One!", two: {words: "Two!", when: x = 1, exact: true, doc: Why.}}
        row: card
        effect: redeal
        measured: {hold: 0..9}
        contest: {over: which, wins: lowest hold, ties: dealer}
      shout: {say: "Ho!"}
      call: {also: [cry, yell], say: {words: "Ho!", when: x = 1}}
  tricks:
    kind: trick
    leader: dealer
    next leader: winner
    count: 5
    from: hand
    to: trick
    suit: card.suit
    rank: strength(card)
    trump: trump
    trump when: card is J
    lead: {when: true, must: {opening: trick number > 1}, say: "Hup!"}
    follow: {must: {follow_suit: {law: card.suit = led, lapses: {after: 1, ends of: trick}}}}
    on card: set broken
    on trick: move all from trick to taken
  turns: {kind: turn, first: left of dealer, turns: 1 each, on turn: clear wanted, actions: {go: {}}}
  together: {kind: simultaneous, actions: {go: {}}, resolve: redeal}
  race: {kind: race, hands: 2, actions: {go: {}}}
  claims: {kind: claims}
  do_it: {kind: effect, effect: redeal, doc: Done.}
  count:
    kind: score
    each: true
    score: [{when: x = 1, for: players, points: 3, because: "one {x}", rule: [One., {text: Two., when: target > 3}]}, {else: true, for: dealer, points: sum x for c in hand}]
honor:
  claim: razz
  during: deal
  claimers: others
  lapses: {after: 2, turns by: different others}
  penalty: redeal
  wrong claim: {by: target, 1..3: fault, else: redeal}
  charge each: target > 3
  laws: {follow_suit: {fault: revoke, breach: {by: target, 1..3: stands, else: taken back},
         lapses: {by: players, 3: {after: 2, turns by: different others}, else: {after: 1, ends of: match}}, penalty: redeal, claimers: others}}
  doc: Be honest.
"""

OVERLAY = """\
format: 1
id: grandmas-hearts
extends: hearts
needs: [jacks]
conflicts: [queens]
options: {target: {default: 75}, deck: null, size: {replace: true, type: flag}}
values: {points: {JD: -10, QS: null}, sizes: {replace: true, else: 3}}
cards: {replace: true, 7: null, 8: {replace: true, effect: null}}
zones: {stock: {replace: true, refill: null}}
variants: {short: {replace: true}, long: null}
honor: null
define: {fits(card): null, opener: null}
flow:
  swap: {kind: ask, before: tricks, after: deal, actions: {pass: null, draw: {replace: true}}}
  tricks: {replace: true, until: null, follow: {must: {no_points_first: null}}, actions: {a: {say: {when: null}}}}
"""

SCENARIO = """\
game: {extends: hearts, options: {target: {default: 75}}, flow: {tricks: {lead: null}}}
name: the jack of diamonds is worth ten points less
covers: [HE-1, HE-2]
players: 4
options: {target: 50, phrase: [a]}
variants: [short]
with: other.yaml
enforcement: honor
seed: 5
chance: {first dealer: P4, shuffle: {deal: [2C, 3C]}, draw: [QS]}
deck: [2C, 3C]
given: {at: tricks, with: {price: 2}, current: P1, direction: left, dealer: P2, trick number: 13, called by: play,
        rest: stock, aside: [3C], hand: {P1: 2D, P2: [JD, QD]}, score: {P1: 3}, wanted: none, broken: true}
steps:
  - legal: {P2: []}
  - possible: {P2: [play 2C, pass]}
  - P1 play 2D begin=0 end=40 hold=1
  - refused: {P3 play 5C: in_turn}
  - events: [P1 plays 2D]
  - expect: {score: {P1: 1}, phase: tricks, winners: [P2]}
  - view: {P3: {hidden: [JD], shown: [2D], hand: [5C]}}
  - together: [P1 grab 2 hold=1, P2 grab 2 hold=0]
  - play on: 20
  - save: true
  - error: bound
doc: It was so.
"""


def found(text: str, kind: Kind = "ruleset") -> list[str]:
    """Every finding as it is printed."""
    report = Report()
    node = parse_text(text, "game.yaml", report)
    assert node is not None, report.sorted()
    check_shape(node, report, kind)
    return [render(diagnostic, text) for diagnostic in report.sorted()]


def schemas_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema file."""
    if isinstance(schema, list):
        for item in schema:
            yield from schemas_of(item)
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from schemas_of(value)


# ------------------------------------------------------------------------------------------------- the schemas


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_valid(name: str) -> None:
    Draft202012Validator.check_schema(json.loads(find(f"schema/{name}").read_text()))


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_property_says_what_it_is_for(name: str) -> None:
    for schema in schemas_of(json.loads(find(f"schema/{name}").read_text())):
        properties = schema.get("properties", {})
        if "properties" in properties:  # a property of that name would be one
            raise AssertionError("'properties' is no key of ours")
        for key, value in properties.items():
            assert re.fullmatch(r"\S.{9,}\.", value.get("description", "")), key


@pytest.mark.parametrize("name", SCHEMAS)
def test_mappings_are_closed(name: str) -> None:
    """A mapping with keys of its own allows no others, unless it is a table by names or by cards."""
    for schema in schemas_of(json.loads(find(f"schema/{name}").read_text())):
        if "properties" in schema and "object" in schema.get("type", ()):
            assert "additionalProperties" in schema, schema.get("title")


def test_every_keyword_has_words() -> None:
    """Whatever jsonschema can complain about reaches the author as one of our sentences."""
    silent = {"properties", "patternProperties", "propertyNames", "items", "if", "then", "else", "anyOf"}
    notes = {"$schema", "$defs", "$ref", "$comment", "title", "description", "x-dsl", "x-mapping"}
    for name in SCHEMAS:
        for schema in schemas_of(json.loads(find(f"schema/{name}").read_text())):
            if "type" in schema and isinstance(schema["type"], (str, list)):
                assert set(schema) <= set(HANDLERS) | silent | notes


def test_every_key_of_a_position_is_described() -> None:
    given = json.loads(find("schema/scenario.schema.json").read_text())["$defs"]["given"]["properties"]
    assert {*TABLE_WORDS, "aside"} == set(given)
    assert [name for name, schema in given.items() if not schema.get("description")] == []


def test_editors_read_the_schema_as_we_do() -> None:
    """The file itself, with its references, agrees with the form we validate with."""
    schema = Draft202012Validator(json.loads(find("schema/ruleset.schema.json").read_text()))
    for text in (HEAD, EVERYTHING, OVERLAY, HEAD + "optons: {}\n", OVERLAY.replace("extends", "about")):
        node = parse_text(text, "game.yaml", Report())
        assert node is not None
        assert schema.is_valid(to_plain(node)) == (not found(text))


# --------------------------------------------------------------------------------------------- what is in order


@pytest.mark.parametrize("text", [HEAD, EVERYTHING, OVERLAY], ids=["small", "everything", "overlay"])
def test_good_ruleset(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        SCENARIO,
        textwrap.indent(SCENARIO, "  ").replace("  game", "- game", 1),
        "scenarios:\n" + textwrap.indent(SCENARIO, "  ").replace("  game", "- game", 1),
        "{game: hearts, name: too few cards, given: {hand: {P1: 2C 2C}}, error: two of 2C}",
    ],
    ids=["one", "list", "collection", "refused"],
)
def test_good_scenario(text: str) -> None:
    assert found(text, "scenario") == []


def test_every_key_is_in_the_good_ruleset() -> None:
    """`EVERYTHING` and `OVERLAY` use each key of the schema at least once."""
    names = {
        key
        for schema in schemas_of(json.loads(find("schema/ruleset.schema.json").read_text()))
        for key in schema.get("properties", {})
    }
    assert {name for name in names if not re.search(rf"\b{name}:", EVERYTHING + OVERLAY)} == set()


# ---------------------------------------------------------------------------------------------- what is not

RULESET_FAULTS = {
    "an unknown key at the top": (
        HEAD + "optons: {}\n",
        """\
        game.yaml:8:1: error E201: a ruleset has no key 'optons'
            8 | optons: {}
              | ^^^^^^
              hint: did you mean 'options'?""",
    ),
    "an unknown key of a zone, with an underscore": (
        HEAD.replace("seen by", "seen_by"),
        """\
        game.yaml:6:29: error E201: a zone has no key 'seen_by'
            6 | zones: {stock: {pack: true, seen_by: none}}
              |                             ^^^^^^^
              hint: did you mean 'seen by'?""",
    ),
    "an unknown key of a small mapping, like no other": (
        HEAD.replace("standard: 1", "standard: 1, jacks: 4"),
        """\
        game.yaml:5:21: error E201: the pack has no key 'jacks'
            5 | pack: {standard: 1, jacks: 4}
              |                     ^^^^^
              hint: the keys of the pack: add, only, remove, standard""",
    ),
    "an unknown key of a law, deep down": (
        HEAD.replace("until: true", "actions: {a: {must: {fit: {law: x, mesage: no}}}}"),
        """\
        game.yaml:7:65: error E201: a law has no key 'mesage'
            7 | flow: {match: {repeat: deal, actions: {a: {must: {fit: {law: x, mesage: no}}}}}}
              |                                                                 ^^^^^^
              hint: did you mean 'message'?""",
    ),
    "an unknown key in a patch, where null is allowed": (
        HEAD + "variants: {v: {patch: {flow: {match: {untill: null}}}}}\n",
        """\
        game.yaml:8:39: error E201: a stage has no key 'untill'
            8 | variants: {v: {patch: {flow: {match: {untill: null}}}}}
              |                                       ^^^^^^
              hint: did you mean 'until'?""",
    ),
    "what only an overlay can say": (
        HEAD.replace("until: true", "until: true, replace: true"),
        """\
        game.yaml:7:43: error E201: 'replace' changes what a ruleset below says, and this file has no 'extends'
            7 | flow: {match: {repeat: deal, until: true, replace: true}}
              |                                           ^^^^^^^
              hint: delete it, or name the ruleset to change with 'extends'""",
    ),
    "a missing key at the top": (
        HEAD.replace("name: Small\n", ""),
        """\
        game.yaml:1:1: error E202: a ruleset needs the key 'name'
            1 | format: 1
              | ^
              hint: name: the name of the game as people write it""",
    ),
    "no format": (
        HEAD.replace("format: 1\n", ""),
        """\
        game.yaml:1:1: error E202: a ruleset needs the key 'format'
            1 | id: small
              | ^
              hint: format: the version of the language that the file is written in: 1""",
    ),
    "no match": (
        HEAD.replace("match", "deal"),
        """\
        game.yaml:7:1: error E202: the flow needs the key 'match'
            7 | flow: {deal: {repeat: deal, until: true}}
              | ^^^^
              hint: match: the outermost stage: it begins with the match and ends with it""",
    ),
    "an option without type": (
        HEAD + "options:\n  target: {default: 3}\n",
        """\
        game.yaml:9:3: error E202: an option needs the key 'type'
            9 |   target: {default: 3}
              |   ^^^^^^
              hint: type: what kind of value the option has""",
    ),
    "a mapping without by": (
        HEAD + "options: {target: {type: integer, default: {3: 4}}}\n",
        """\
        game.yaml:8:35: error E202: this mapping needs the key 'by'
            8 | options: {target: {type: integer, default: {3: 4}}}
              |                                   ^^^^^^^
              hint: by: the expression that the default depends on; the other keys are its values, ranges such as 3..4, and else""",
    ),
    "an announcement without words": (
        HEAD.replace("until: true", "actions: {a: {say: {when: x}}}"),
        """\
        game.yaml:7:44: error E202: this mapping needs the key 'words'
            7 | flow: {match: {repeat: deal, actions: {a: {say: {when: x}}}}}
              |                                            ^^^
              hint: words: what has to be said; {EXPRESSION} is replaced by its value""",
    ),
    "a text where a list should be": (
        HEAD.replace("repeat: deal", "do: deal"),
        """\
        game.yaml:7:20: error E203: 'do' should be a list of stages, not the text 'deal'
            7 | flow: {match: {do: deal, until: true}}
              |                    ^^^^
              hint: write it as a list: [deal]""",
    ),
    "a number where a text should be": (
        HEAD.replace("Small", "500"),
        """\
        game.yaml:3:7: error E203: 'name' should be a text, not the number 500
            3 | name: 500
              |       ^^^
              hint: write it in quotes: "500\"""",
    ),
    "a decimal number": (
        HEAD.replace("min: 2", "min: 2.0"),
        """\
        game.yaml:4:16: error E203: 'min' should be a whole number, not the number 2.0
            4 | players: {min: 2.0, max: 4}
              |                ^^^
              hint: min: the smallest number of players""",
    ),
    "a format in quotes": (
        HEAD.replace("format: 1", 'format: "1"'),
        """\
        game.yaml:1:9: error E203: 'format' should be the number 1, not the text '1'
            1 | format: "1"
              |         ^^^
              hint: write it without quotes""",
    ),
    "yes": (
        HEAD.replace("pack: true", "pack: yes"),
        """\
        game.yaml:6:23: error E203: 'pack' should be true or false, not the text 'yes'
            6 | zones: {stock: {pack: yes, seen by: none}}
              |                       ^^^
              hint: write true""",
    ),
    "a list where an effect should be": (
        HEAD.replace("until: true", "setup: [shuffle stock]"),
        """\
        game.yaml:7:30: error E203: 'setup' should be an effect, not a list
            7 | flow: {match: {repeat: deal, setup: [shuffle stock]}}
              |                              ^^^^^
              hint: setup: what is done when the stage begins""",
    ),
    "a text where an action should be": (
        HEAD.replace("until: true", "actions: {a: shuffle stock}"),
        """\
        game.yaml:7:43: error E203: 'a' should be an action: a mapping with keys such as when, choose, must, say, not the text 'shuffle stock'
            7 | flow: {match: {repeat: deal, actions: {a: shuffle stock}}}
              |                                           ^^^^^^^^^^^^^""",
    ),
    "a mapping in a list of stages": (
        HEAD.replace("repeat: deal", "do: [deal, {play: x}]"),
        """\
        game.yaml:7:27: error E203: an item of 'do' should be the name of a stage, not a mapping
            7 | flow: {match: {do: [deal, {play: x}], until: true}}
              |                           ^^^^^^^^^""",
    ),
    "a text that is only a comment": (
        HEAD.replace("until: true", "until: # the end\n    "),
        """\
        game.yaml:7:30: error E203: 'until' has no value
            7 | flow: {match: {repeat: deal, until: # the end
              |                              ^^^^^
              hint: the text may be cut off: ' #' begins a comment, and inside { } and [ ] a comma ends it""",
    ),
    "an action with nothing": (
        HEAD.replace("until: true", "actions: {pass: }"),
        """\
        game.yaml:7:40: error E203: 'pass' has no value
            7 | flow: {match: {repeat: deal, actions: {pass: }}}
              |                                        ^^^^
              hint: write {} if there is nothing to say""",
    ),
    "nothing in an overlay": (
        "format: 1\nid: o\nextends: small\nhonor:\n",
        """\
        game.yaml:4:1: error E203: 'honor' has no value
            4 | honor:
              | ^^^^^
              hint: write {} if there is nothing to say; to remove it, write null""",
    ),
    "null where nothing can be removed": (
        HEAD + "options: {target: null}\n",
        """\
        game.yaml:8:19: error E203: null removes what a ruleset below says, and this file has no 'extends'
            8 | options: {target: null}
              |                   ^^^^
              hint: delete it, or name the ruleset to change with 'extends'""",
    ),
    "null in a list": (
        HEAD.replace("repeat: deal", "do: [deal, null]"),
        """\
        game.yaml:7:27: error E203: an item of 'do' cannot be null
            7 | flow: {match: {do: [deal, null], until: true}}
              |                           ^^^^""",
    ),
    "a word near an allowed one": (
        HEAD.replace("repeat: deal", "kind: tirck"),
        """\
        game.yaml:7:22: error E204: 'tirck' is not a value of 'kind'
            7 | flow: {match: {kind: tirck, until: true}}
              |                      ^^^^^
              hint: did you mean 'trick'?""",
    ),
    "a word like no allowed one": (
        HEAD + "teams: {size: 2, seated: anywhere}\n",
        """\
        game.yaml:8:26: error E204: 'anywhere' is not a value of 'seated'
            8 | teams: {size: 2, seated: anywhere}
              |                          ^^^^^^^^
              hint: allowed: across, side by side""",
    ),
    "false where only true says something": (
        HEAD.replace("until: true", "actions: {a: {choose: {b: {flag: false}}}}"),
        """\
        game.yaml:7:63: error E204: 'flag' can only be true
            7 | flow: {match: {repeat: deal, actions: {a: {choose: {b: {flag: false}}}}}}
              |                                                               ^^^^^
              hint: leave 'flag' out where it is not meant""",
    ),
    "a type of argument": (
        HEAD.replace("until: true", "with: {victim: plaier}"),
        """\
        game.yaml:7:45: error E204: 'plaier' is not a value of 'victim'
            7 | flow: {match: {repeat: deal, with: {victim: plaier}}}
              |                                             ^^^^^^
              hint: did you mean 'player'?""",
    ),
    "a name with a dash": (
        HEAD.replace("stock:", "my-stock:"),
        """\
        game.yaml:6:9: error E205: 'my-stock' is not a name
            6 | zones: {my-stock: {pack: true, seen by: none}}
              |         ^^^^^^^^
              hint: a name has letters, digits and _, and does not begin with a digit; perhaps 'my_stock'""",
    ),
    "an id with a blank": (
        HEAD.replace("id: small", "id: small game"),
        """\
        game.yaml:2:5: error E205: 'small game' is not a short name
            2 | id: small game
              |     ^^^^^^^^^^
              hint: an id has letters, digits, - and _, and begins with a letter or digit""",
    ),
    "a definition with half its parameters": (
        HEAD + "define:\n  fits(card: true\n",
        """\
        game.yaml:9:3: error E205: 'fits(card' is not a name, or a name with parameters such as fits(card)
            9 |   fits(card: true
              |   ^^^^^^^^^
              hint: a name has letters, digits and _, and does not begin with a digit""",
    ),
    "a number out of range": (
        HEAD.replace("min: 2", "min: 0"),
        """\
        game.yaml:4:16: error E206: 'min' is 0, and the smallest value is 1
            4 | players: {min: 0, max: 4}
              |                ^
              hint: min: the smallest number of players""",
    ),
    "a row with three texts": (
        HEAD + "define:\n  a:\n    - [b, c, d]\n",
        """\
        game.yaml:10:7: error E206: a row [condition, value] holds two texts, and this holds 3
           10 |     - [b, c, d]
              |       ^^^^^^^^^
              hint: inside [ ] a text with a comma needs quotes""",
    ),
    "an empty list": (
        HEAD.replace("repeat: deal", "do: []"),
        """\
        game.yaml:7:16: error E206: 'do' is empty
            7 | flow: {match: {do: [], until: true}}
              |                ^^
              hint: do: the stages inside, in order""",
    ),
    "three letters": (
        HEAD + "suits: {hearts: {letter: HEA, colour: red}}\n",
        """\
        game.yaml:8:26: error E206: 'letter' has 3 letters, and the most is 2
            8 | suits: {hearts: {letter: HEA, colour: red}}
              |                          ^^^
              hint: letter: the letter for the suit in card names, such as H in 10H; two where packs are told apart""",
    ),
    "a list at the top": (
        "- format: 1\n",
        """\
        game.yaml:1:1: error E207: a ruleset is a mapping of keys such as format, id, name, and this is a list
            1 | - format: 1
              | ^^^^^^^^^^^""",
    ),
    "a text at the top": (
        "hearts\n",
        """\
        game.yaml:1:1: error E207: a ruleset is a mapping of keys such as format, id, name, and this is the text 'hearts'
            1 | hearts
              | ^^^^^^""",
    ),
    "a later format, and nothing else": (
        "format: 2\nlaws: x\n",
        """\
        game.yaml:1:9: error E208: this interpreter reads format 1; the file says it is written in format 2
            1 | format: 2
              |         ^
              hint: install a newer houserules, or write 'format: 1' if the file is written in that""",
    ),
}

STEPS = "game: hearts\nname: a rule\nsteps:\n  - "
SCENARIO_FAULTS = {
    "an unknown key": (
        "{game: hearts, name: a, step: []}",
        """\
        game.yaml:1:1: error E202: a scenario needs the key 'steps'
            1 | {game: hearts, name: a, step: []}
              | ^
              hint: steps: moves (P1 play 2C) and checks, in order
        game.yaml:1:25: error E201: a scenario has no key 'step'
            1 | {game: hearts, name: a, step: []}
              |                         ^^^^
              hint: did you mean 'steps'?""",
    ),
    "an unknown key of an overlay in place": (
        "game: {extends: hearts, valeus: {}}\nname: a\nsteps: [P1 pass]\n",
        """\
        game.yaml:1:25: error E201: an overlay has no key 'valeus'
            1 | game: {extends: hearts, valeus: {}}
              |                         ^^^^^^
              hint: did you mean 'values'?""",
    ),
    "a position": (
        "game: hearts\nname: a\ngiven: {trick numer: 3, at: [play]}\nsteps: [P1 pass]\n",
        """\
        game.yaml:3:9: error E201: a position has no key 'trick numer'
            3 | given: {trick numer: 3, at: [play]}
              |         ^^^^^^^^^^^
              hint: did you mean 'trick number'?
        game.yaml:3:25: error E203: 'at' should be the name of a stage, not a list
            3 | given: {trick numer: 3, at: [play]}
              |                         ^^
              hint: at: the stage that the match is in; its setup is skipped""",
    ),
    "a move with a colon": (
        STEPS + "P1 play: 2C\n",
        """\
        game.yaml:4:5: error E201: this mapping has no key 'P1 play'
            4 |   - P1 play: 2C
              |     ^^^^^^^
              hint: a move that holds a ': ' needs quotes around all of it""",
    ),
    "a move without a player": (
        STEPS + "play 2C\n",
        """\
        game.yaml:4:5: error E205: 'play 2C' is not a move such as P1 play 2C, or a check
            4 |   - play 2C
              |     ^^^^^^^""",
    ),
    "moves of nobody": (
        STEPS + "legal: {2: [play 2C]}\n",
        """\
        game.yaml:4:13: error E205: '2' is not a player such as P1
            4 |   - legal: {2: [play 2C]}
              |             ^""",
    ),
    "two checks in one": (
        STEPS + "legal: {P2: []}\n    save: true\n",
        """\
        game.yaml:4:5: error E206: a step is one move or one check, and this has 2 keys
            4 |   - legal: {P2: []}
              |     ^
              hint: begin every check with '- '""",
    ),
    "too many ids": (
        "covers: [A-1, A-2, A-3, A-4]\n" + STEPS + "P1 pass\n",
        """\
        game.yaml:1:1: error E206: 'covers' has 4 items, and the most is 3
            1 | covers: [A-1, A-2, A-3, A-4]
              | ^^^^^^
              hint: covers: the ids of the rules that are proved, three at most""",
    ),
    "a text at the top": (
        "hearts\n",
        """\
        game.yaml:1:1: error E207: a scenario is a mapping of keys such as game, name, steps, or a list of such mappings, and this is the text 'hearts'
            1 | hearts
              | ^^^^^^""",
    ),
    "a number among the scenarios": (
        "- 5\n",
        """\
        game.yaml:1:3: error E203: an item of the list should be a scenario: a mapping with keys such as game, name, covers, players, not the number 5
            1 | - 5
              |   ^""",
    ),
}


@pytest.mark.parametrize(("text", "printed"), RULESET_FAULTS.values(), ids=RULESET_FAULTS)
def test_wrong_ruleset(text: str, printed: str) -> None:
    assert "\n".join(found(text)) == textwrap.dedent(printed)


@pytest.mark.parametrize(("text", "printed"), SCENARIO_FAULTS.values(), ids=SCENARIO_FAULTS)
def test_wrong_scenario(text: str, printed: str) -> None:
    assert "\n".join(found(text, "scenario")) == textwrap.dedent(printed)


def test_every_code_is_printed_once() -> None:
    printed = "".join(text for _, text in [*RULESET_FAULTS.values(), *SCENARIO_FAULTS.values()])
    assert set(re.findall(r"error (E\d+)", printed)) == set(CODES)


def test_all_faults_at_once() -> None:
    text = HEAD.replace("min: 2", "min: x").replace("standard", "standrd").replace("seen by: none", "faces: side")
    assert [line.split(":")[1:3] for line in found(text)] == [["4", "16"], ["5", "8"], ["6", "36"]]


def test_findings_end() -> None:
    many = "".join(f"  z{number}: {{wrong: 1}}\n" for number in range(3000))
    assert len(found(HEAD.replace("zones:", "tokens:") + "zones:\n" + many)) <= MAX_FINDINGS + 10


WRONG = ["x", 5, 2.5, None, True, "", [], {}, [None], {"b)": None}, {"a": {"b": [1]}}, ["P1 go", 3], {"by": 3}]


def _as_node(value: Any, like: Node) -> Node:
    if isinstance(value, dict):
        return Mapping({k: _as_node(v, like) for k, v in value.items()}, dict.fromkeys(value, like.span), like.span)
    if isinstance(value, list):
        return Listing(tuple(_as_node(item, like) for item in value), like.span)
    return Scalar(value, "null" if value is None else str(value), like.span, "plain")


def _broken(node: Node, chance: random.Random) -> Node:
    """The node with one part of it, at random, replaced by something else."""
    if chance.random() < 0.15 or isinstance(node, Scalar):
        return _as_node(chance.choice(WRONG), node)
    if isinstance(node, Listing):
        spot = chance.randrange(len(node.items) or 1)
        return Listing(tuple(_broken(n, chance) if i == spot else n for i, n in enumerate(node.items)), node.span)
    key = chance.choice(list(node.entries) or [""])
    return Mapping({k: _broken(n, chance) if k == key else n for k, n in node.entries.items()}, node.keys, node.span)


@pytest.mark.parametrize(
    ("text", "kind"),
    [(EVERYTHING, "ruleset"), (OVERLAY, "ruleset"), (SCENARIO, "scenario")],
    ids=["all", "over", "scen"],
)
def test_whatever_is_wrong_is_said_in_our_words(text: str, kind: Kind) -> None:
    """Random damage: never an exception, a finding exactly when jsonschema has one, and no word of its."""
    machinery = re.compile(
        r"schema|valid|propert|array|object|string|integer\b.*type|None\b|\bx\b.*does not match", re.I
    )
    whole = parse_text(text, "game.yaml", Report())
    assert whole is not None
    for seed in range(400):
        node = _broken(whole, random.Random(seed))
        report = Report()
        check_shape(node, report, kind)
        assert report.failed != validator(kind).is_valid(to_plain(node)), seed
        for diagnostic in report.diagnostics:
            assert not machinery.search(diagnostic.message), diagnostic
            assert diagnostic.code in CODES


def test_every_file_names_its_schema() -> None:
    root = ROOT
    schemas = {root / "schema" / "ruleset.schema.json", root / "schema" / "scenario.schema.json"}
    folders = ("rulesets", "tests/scenarios")
    files = [list((root / folder).rglob("*.yaml")) for folder in folders]
    assert all(files)
    for path in chain(*files):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        named = first.removeprefix("# yaml-language-server: $schema=")
        assert (path.parent / named).resolve() in schemas, path


def test_the_settings_for_editors_are_sound() -> None:
    text = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert set(json.loads(settings)["yaml.schemas"]) == {"./ruleset.schema.json", "./scenario.schema.json"}
