"""Payloads in every place where a text or a name can stand: a slice of what `.ci/run` tries."""

from __future__ import annotations

import multiprocessing
import time

import guarding
import pytest
from payloads import outputs
from payloads.hosts import COMING, hosts, missing, spots
from payloads.payloads import PAYLOADS
from payloads.places import places
from payloads.sheets import SHEETS, given, sheet
from payloads.trying import prepare, problems

SHARES = 20
"""Each so many-th document is tried, but the first, which takes longest."""


def _in_a_process_of_its_own(function, *arguments):
    """The watch over files and imports is for good."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(function, arguments)


def _wrong() -> list[str]:
    found = sheet(0, prepare(guarding.scratch()), 1, SHARES)
    return [f"{one.host}: {wrong}" for one in found for wrong in one.wrong]


def test_payloads_do_no_harm() -> None:
    assert _in_a_process_of_its_own(_wrong) == []


@pytest.mark.parametrize("kind", ["ruleset", "scenario"])
def test_every_place_of_the_schema_has_a_document_in_which_it_is_there(kind: str) -> None:
    """What fails here is a new place: write it into one of the files in tests/payloads/hosts."""
    assert [str(place) for place in missing(kind)] == []
    assert len(spots(kind)) == len(places(kind)) > 500


def test_the_documents_are_valid() -> None:
    found = _in_a_process_of_its_own(problems)
    assert {name: codes for name, codes in found.items() if not name.startswith(COMING)} == {}
    assert {code for codes in found.values() for code in codes} == {"E508", "E518", "E519"}


def test_all_sheets_together_have_each_payload_in_each_place() -> None:
    assert len(PAYLOADS) >= 150 and len({(one.text, one.raw) for one in PAYLOADS}) == len(PAYLOADS)
    host = hosts("ruleset")[1]
    tried = {(spot, payload) for number in range(SHEETS) for spot, payload in given(number, host).items()}
    assert len(tried) == len(PAYLOADS) * sum(spot.host is host for spot in spots("ruleset"))


@pytest.mark.parametrize(
    ("check", "text", "wrong"),
    [
        (outputs.wrong_text, "a\x1b[2Jb", True),
        (outputs.wrong_text, "a\u202eb", True),
        (outputs.wrong_text, "a\u200bb", True),
        (outputs.wrong_text, "<function apply at 0x7f0011223344>", True),
        (outputs.wrong_text, "KeyError: 'x'", True),
        (outputs.wrong_text, "naïve, “quoted” ♠ 名\n", False),
        (outputs.wrong_html, '<p class="mark">fine</p>', False),
        (outputs.wrong_html, "<p onclick='x'>bad</p>", True),
        (outputs.wrong_html, "<script>bad</script>", True),
        (outputs.wrong_html, '<a href="javascript:x">bad</a>', True),
        (outputs.wrong_markdown, "a \\[b](c)", False),
        (outputs.wrong_markdown, "[b](https://example.org)", True),
        (outputs.wrong_markdown, "<b>", True),
        (outputs.wrong_markdown, "![b](c)", True),
        (outputs.wrong_program, f"x = '{guarding.MARKER}()'  # {guarding.MARKER}", False),
        (outputs.wrong_program, f"x = {guarding.MARKER}()", True),
    ],
)
def test_what_is_wrong_with_an_output_is_seen(check, text: str, wrong: bool) -> None:
    assert bool(check(text)) is wrong


def _works() -> None:
    while True:
        pass


def _ended() -> list[str]:
    """Which of these is ended before it is done."""
    found = []
    for name, go_on in (("waits", lambda: time.sleep(0.1)), ("works", _works)):
        try:
            with guarding.watched(0.05):
                go_on()
        except guarding.Hang:
            found.append(name)
    return found


def test_what_works_for_too_long_is_ended_and_what_only_has_to_wait_is_not() -> None:
    assert _in_a_process_of_its_own(_ended) == ["works"]


def _harm(folder, deeds) -> list[list[str]]:
    import os
    import subprocess

    secret = folder / "secret"
    found = []
    for deed in deeds:
        with guarding.watched(5.0) as noted:
            match deed:
                case "read":
                    secret.read_text()
                case "write":
                    (folder / "new").write_text("")
                case "process":
                    subprocess.run(["true"], check=True)
                case "system":
                    os.system("true")
                case "import":
                    import this  # noqa: F401
                case "code":
                    eval("1 + 1")
                case "marker":
                    eval(compile("0", "x", "eval"), {}) or getattr(__builtins__, guarding.MARKER, None)
                    import builtins

                    getattr(builtins, guarding.MARKER)()
        found.append(list(noted))
    return found


def test_what_code_that_got_out_does_is_noticed(tmp_path) -> None:
    (tmp_path / "secret").write_text("x")
    deeds = ["read", "write", "process", "system", "import", "code", "marker"]
    found = _in_a_process_of_its_own(_harm, tmp_path, deeds)
    assert [deed for deed, noted in zip(deeds, found, strict=True) if not noted] == []
    assert "the payload ran" in found[-1]
