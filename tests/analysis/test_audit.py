"""What `houserules check` finds: each kind of trouble in a ruleset that has it, and nothing in one that has none."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import interpreter
from interpreter import OptionError
from interpreter.analysis.audit import Findings, Fixed, configurations, run
from interpreter.analysis.audit.configurations import Configuration, values_of
from interpreter.analysis.audit.findings import shares
from interpreter.analysis.audit.tally import Played, Tally
from interpreter.analysis.audit.watching import Watch
from interpreter.analysis.intervals import interval
from interpreter.api.playouts import matches
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple
from interpreter.interfaces import cli

BASE = """\
format: 1
id: plain
name: Plain
players: {min: 2, max: 3}
options:
  size: {type: integer, min: 2, max: 4, default: 3}
  idle: {type: flag, default: false}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {seen by: everyone}
state:
  score: {each: player, type: integer, lasts: match}
flow:
  match: {first dealer: random, repeat: deal, until: any p in players has score of p >= 2, winners: highest score}
  deal:
    setup: |
      gather all to stock; shuffle stock
      deal size from stock to hand, one at a time
    do: [playing]
    next dealer: left
  playing:
    kind: turn
    until: any p in players has count of hand of p = 0
    actions:
      play: {choose: {card: {from: hand}}, effect: "move card to pile; if count of hand = 0 then add 1 to score end"}
"""


def ruleset(tmp_path: Path, old: str = "", new: str = "") -> interpreter.Ruleset:
    """The plain ruleset with one text changed."""
    assert old in BASE
    path = tmp_path / "plain.yaml"
    path.write_text(BASE.replace(old, new) if old else BASE, encoding="utf-8")
    return interpreter.load(path)


def check(found: interpreter.Ruleset, matches: int = 30, limit: int = 200, fixed: Fixed | None = None) -> Findings:
    return run(found, matches, limit=limit, fixed=fixed, command="houserules check plain.yaml")


def told(report: Findings, kind: str) -> list[str]:
    return [f"{finding.severity}: {finding.message}" for finding in report.found if finding.kind == kind]


def test_nothing_is_wrong_with_the_plain_one_but_its_idle_option(tmp_path):
    report = check(ruleset(tmp_path))
    assert report.well and len(report.tally.played) == 30 and all(match.over for match in report.tally.played)
    assert [finding.kind for finding in report.found] == ["option"]
    (option,) = told(report, "option")
    assert option.startswith("warning: the option 'idle' (True) made no difference in 8 pairs of matches")


STUCK = "choose: {card: {from: hand}}, must: {low: card.rank = A or count of pile < 2}, effect:"


def test_a_stuck_match_names_the_law_and_the_command_that_shows_it_again(tmp_path, capsys):
    found = ruleset(tmp_path, "choose: {card: {from: hand}}, effect:", STUCK)
    report = check(found)
    assert not report.well
    (stuck,) = (finding for finding in report.found if finding.kind == "stuck")
    assert "has no lawful move in 'playing'" in stuck.message and "the law 'low' refuses" in stuck.message
    assert stuck.command.startswith("houserules check plain.yaml -p ")
    words = shlex.split(stuck.command.replace("plain.yaml", str(tmp_path / "plain.yaml")))[1:]
    assert cli.run([*words, "--json"]) == 1
    again = json.loads(capsys.readouterr().out)
    assert again["matches"] == 1
    (same,) = [finding for finding in again["findings"] if finding["kind"] == "stuck"]
    assert same["message"].split(": ", 1)[1] == stuck.message.split(": ", 1)[1]


def test_what_is_shown_and_has_no_value_is_told(tmp_path):
    shown = "define: {ratio: {value: 10 div (52 - count of pile * 26), seen by: everyone}}\nflow:"
    (stuck,) = told(check(ruleset(tmp_path, "flow:", shown)), "stuck")
    assert stuck.endswith("this divides by 0")


def test_a_stage_without_an_end(tmp_path):
    report = check(ruleset(tmp_path, "move card to pile;", "stay;"))
    (endless,) = told(report, "endless")
    assert endless.startswith("error: the stage 'playing' never ended within 200 decisions in ")
    assert all(finding.span is not None for finding in report.found if finding.kind == "endless")
    assert not report.well


def test_matches_that_are_merely_long_are_no_fault(tmp_path):
    report = check(ruleset(tmp_path, "score of p >= 2", "score of p >= 1000"))
    assert report.well and not told(report, "endless") and not any(match.over for match in report.tally.played)


def test_laws_and_actions_that_do_nothing(tmp_path):
    useful = "card.suit = hearts or not any c in hand has c.suit = hearts"
    laws = f"choose: {{card: {{from: hand}}}}, must: {{useless: count of hand < 40, useful: {useful}}}, effect:"
    report = check(ruleset(tmp_path, "choose: {card: {from: hand}}, effect:", laws))
    (law,) = told(report, "law")
    assert law.startswith("warning: the law 'useless' of 'play' in 'playing' refused nothing in 30 matches")
    never = "wave: {when: count of hand > 40, effect: stay}\n      play:"
    (action,) = told(check(ruleset(tmp_path, "play:", never)), "action")
    assert action.startswith("warning: the action 'wave' of 'playing' was never possible in 30 matches")
    unlawful = "wave: {must: {never: count of hand > 40}, effect: stay}\n      play:"
    (action,) = told(check(ruleset(tmp_path, "play:", unlawful)), "action")
    assert action.startswith("warning: the action 'wave' of 'playing' was possible, yet never lawful")


ENDING = """stop: {must: {not_yet: {law: count of hand < 2BREACH}}, effect: finish deal}
      sing: {must: {quiet: false}, effect: stay}
      play:"""


def test_a_law_whose_breach_ends_the_deal_before_anybody_can_claim_it_is_told_with_the_cure(tmp_path):
    path = tmp_path / "plain.yaml"
    honest = BASE.replace("flow:", "honor: {during: deal, penalty: nothing}\nflow:")
    path.write_text(honest.replace("play:", ENDING.replace("BREACH", ""), 1), encoding="utf-8")
    report = check(interpreter.load(path))
    (lapse,) = told(report, "lapse")  # and nothing of the law 'quiet', whose breach can be claimed
    assert lapse.startswith(
        "warning: on honour nobody can claim a breach of the law 'not_yet' of 'stop' in 'playing': all "
    )
    assert lapse.endswith("ended 'deal' at once; with 'breach: taken back' the move is taken back instead")
    (finding,) = (finding for finding in report.found if finding.kind == "lapse")
    assert finding.span is not None and "not_yet" in path.read_text().splitlines()[finding.span.line - 1]
    assert report.well
    path.write_text(honest.replace("play:", ENDING.replace("BREACH", ", breach: taken back"), 1), encoding="utf-8")
    assert not told(check(interpreter.load(path)), "lapse")


DEBTS = """\
  deal:
    anytime: {snatch: {must: {hands_off: false}, effect: nothing}}
"""
DEBT = """\
  fine:
    kind: ask
    with: {victim: player}
    players: victim
    actions: {pay: {effect: nothing}}
honor: {during: deal, penalty: call fine with victim = offender}
"""


def test_faults_that_are_claimed_and_never_paid_show_that_too_many_calls_wait(tmp_path):
    path = tmp_path / "plain.yaml"
    path.write_text(BASE.replace("  deal:\n", DEBTS) + DEBT, encoding="utf-8")
    report = check(interpreter.load(path), 8, limit=2_000, fixed=Fixed(3, enforcement="honor"))
    (stuck,) = told(report, "stuck")
    assert "more than 256 calls wait for the end of 'fine'" in stuck
    assert not told(report, "endless"), "of matches in which nobody need pay nothing is said but that"


OWED = """honor: {during: deal, lapses: {after: 1, ends of: move}, penalty: subtract 1 from spare}
flow:"""


def test_a_fault_that_can_only_be_claimed_at_once_is_claimed(tmp_path):
    """Of twelve players a claim against the right one, before the next move, is rare by chance."""
    text = BASE.replace("max: 3", "max: 12").replace("flow:", OWED)
    text = text.replace("state:\n", "state:\n  spare: {type: integer, lasts: match, min: 0, max: 9, default: 9}\n")
    laws = "choose: {card: {from: hand}}, must: {black: card.colour = black}, effect:"
    path = tmp_path / "plain.yaml"
    path.write_text(text.replace("choose: {card: {from: hand}}, effect:", laws), encoding="utf-8")
    report = check(interpreter.load(path), 12, limit=300, fixed=Fixed(12, {"size": 4}, enforcement="honor"))
    assert any("'spare' would become -1" in finding for finding in told(report, "stuck"))


def test_a_lost_card_is_noticed(tmp_path, monkeypatch):
    found = ruleset(tmp_path)
    one = configurations(found, Fixed(), 0)[0][0]
    tally = Tally()
    watch = Watch(one.game(found), one, 0, 50, tally)
    decide = watch._decide

    def lose(state):
        decide(state)
        place = next(at for at, kept in enumerate(state.z) if len(as_tuple(kept)) > 1)
        kept = state.z[place]
        state.z[place] = kept & (kept - 1) if isinstance(kept, int) else kept[1:]

    monkeypatch.setattr(watch, "_decide", lose)
    assert watch.play() is None
    assert tally.troubles[0].kind == "lost" and "52 cards make the pack, and 51 lie" in tally.troubles[0].message


def test_every_number_value_and_enforcement_has_its_game():
    found = interpreter.load("skip-bo")
    games, refused = configurations(found, Fixed(), 0)
    assert {one.players for one in games} == set(found.players.counts)
    assert {one.enforcement for one in games if one.players == found.players.default} == {"strict", "honor"}
    for name, option in found.options.items():
        tried = {dict(one.options).get(name) for one in games}
        if option.choices and not option.type.startswith("list of "):
            assert {str(value) for value in tried} >= set(option.choices), name
    assert games[0] == Configuration(found.players.default, "strict") and len(set(games)) == len(games)
    assert refused and all(reason for _, reason in refused)


def test_vary_combines_and_flags_fix():
    found = interpreter.load("georgia-spoons")
    games, _ = configurations(found, Fixed(vary=("packs",)), 0)
    assert len(games) == 6 * 2 * 2  # seats, packs, enforcement
    games, _ = configurations(found, Fixed(5, {"packs": 2}, (), "honor", ()), 0)
    assert [str(one) for one in games] == ["5 players, packs=2, on honour"]
    assert games[0].flags == "-p 5 -o packs=2 --honor"
    with pytest.raises(OptionError, match="there is no option or variant 'pakcs' to vary"):
        configurations(found, Fixed(vary=("pakcs",)), 0)


@pytest.mark.parametrize("vary", [None, ("tint",), ("tint", "king_rule")])
def test_an_option_without_a_value_at_the_usual_number_is_left_to_the_ruleset(tmp_path, vary):
    path = tmp_path / "tinted.yaml"
    tint = "{type: text, default: {by: players, 3: x, 5: y}}"
    path.write_text(f"format: 1\nid: tinted\nname: Tinted\nextends: fruit-salad\noptions: {{tint: {tint}}}\n")
    games, _ = configurations(interpreter.load(path), Fixed(vary=vary), 0)
    assert {one.players for one in games} == {3, 5}


@pytest.mark.parametrize("name", ["hearts", "pig"])
def test_a_strict_match_is_the_one_that_simulate_plays(name):
    found = interpreter.load(name)
    one = Configuration(found.players.default, "strict")  # what `configurations` begins with
    game = one.game(found)
    for seed in (3, 4):
        tally = Tally()
        state = Watch(game, one, seed, 300, tally).play()
        (match,) = matches(game, 1, seed, None, 300)
        assert state is not None and tally.played[0].decisions == match.decisions
        assert tuple(state.scores) == match.scores


def test_the_same_seed_finds_the_same_in_one_process_and_in_two(tmp_path):
    found = ruleset(tmp_path, "choose: {card: {from: hand}}, effect:", STUCK)
    one, two = run(found, 40, limit=100), run(found, 40, limit=100, jobs=2)
    assert one.tally.played == two.tally.played and one.found == two.found


def test_shares_of_a_seat_have_their_interval():
    assert interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)  # Wilson, as tables have it
    assert interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    played = [Played(2, False, 9, True, (0,), 1)] * 60 + [Played(2, False, 9, True, (0, 1), 1)] * 20
    first, decides = shares(played)
    assert (first.seat, first.share, decides.share) == ("P1", 70 / 80, 10 / 80)
    assert str(first).endswith("50.0% is fair, which is not chance)")


def test_a_few_matches_are_never_more_than_chance():
    played = [Played(4, False, 9, True, (0,), 1), Played(4, False, 9, True, (0, 1), 1)]
    assert [share.share for share in shares(played)] == [0.75, 0.25]
    assert not any(share.unfair for share in shares(played))
    assert "not chance" not in "".join(map(str, shares([Played(2, False, 9, True, (0,), 1)] * 9)))


def test_of_many_fair_reports_few_find_a_seat_that_is_not_chance():
    """However many seats a report looks at, chance alone is taken for more in five of a hundred reports at most."""
    dice, reports, wrong = Dice(1), 300, 0
    for _ in range(reports):
        played = []
        for players in range(2, 9):
            for _ in range(60):
                winner, first = dice.below(players), dice.below(players)
                played.append(Played(players, False, 9, True, (winner,), first))
        found = shares(played)
        assert len(found) == 14
        wrong += any(share.unfair for share in found)
    assert wrong <= 0.08 * reports


def test_georgia_spoons_with_every_number_of_seats_and_packs():
    """A slice of what `houserules check georgia-spoons --vary packs --matches 2000` plays."""
    report = run(interpreter.load("georgia-spoons"), 48, limit=150, fixed=Fixed(vary=("packs",)))
    assert len(report.tally.played) == 48 and report.well
    assert {(m.players, m.honor) for m in report.tally.played} == {(n, h) for n in range(3, 9) for h in (False, True)}


def test_the_command(tmp_path, capsys):
    ruleset(tmp_path)
    path = str(tmp_path / "plain.yaml")
    assert cli.run(["check", path, "--matches", "20", "--limit", "200"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("plain: 20 matches of ") and err == ""
    assert "20 ended by themselves" in out and "cards: each in exactly one place after every decision" in out
    assert "whoever decides first won" in out and out.rstrip().endswith("0 errors, 1 warning")
    assert cli.run(["check", path, "--matches", "20", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["matches"] == data["ended"] == 20 and data["well"] is True
    assert cli.run(["check", path, "-p", "9"]) == 2
    assert cli.run(["check", path, "--vary", "nothing"]) == 2
    assert cli.run(["check", str(tmp_path / "none.yaml")]) == 1


def test_lists_of_lists_are_among_the_values_worth_trying() -> None:
    ruleset = interpreter.load(Path(__file__).parent.parent / "semantics" / "rulesets" / "melds.yaml")
    assert values_of(ruleset, "goals") == [(("set 3", "set 3"), ("set 3", "run 4.."))]


REFUSING = """\
format: 1
id: refusing
extends: hearts
options:
  a: {type: choice, choices: [w, x, y, z], default: w}
  b: {type: choice, choices: [w, x, y, z], default: w}
require:
  plain: {law: a = w and b = w, message: no}
"""


def test_no_more_games_are_tried_out_than_a_bound_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many the ruleset refuses, and where time is short only until there is one."""
    path = tmp_path / "refusing.yaml"
    path.write_text(REFUSING)
    found, varied = interpreter.load(path), Fixed(4, enforcement="strict", vary=("a", "b"))
    assert [len(some) for some in configurations(found, varied, 0)] == [1, 15]
    assert [len(some) for some in configurations(found, varied, 0, goes_on=lambda: False)] == [1, 0]
    monkeypatch.setattr(sys.modules["interpreter.analysis.audit.configurations"], "TRIED", 6)
    assert [len(some) for some in configurations(found, varied, 0)] == [1, 5]


def test_packets_of_matches_are_made_as_they_are_played() -> None:
    from interpreter.analysis.audit import _parts

    parts = _parts(3, 10**12, 5)
    assert [next(parts) for _ in range(4)][2:] == [(2, range(7, 8)), (0, range(8, 83, 3))]
    assert sorted(seed for _, seeds in _parts(3, 200, 5) for seed in seeds) == list(range(5, 205))
