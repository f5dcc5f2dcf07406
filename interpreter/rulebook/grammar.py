"""English for what recurs: names as words, owners, one and many, saying no."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from interpreter.words.verbs import base_of

if TYPE_CHECKING:
    from interpreter.language.model import SuitDef

RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
_AUXILIARY = re.compile(r"\b(is|are|may|must|can|has to|have to|has|have|was|were|will|would|holds)\b")
_PARTICIPLE = re.compile(r"(?:ed|en|wn|aside|away| up)$")
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def plain(name: str) -> str:
    """A declared name as words: `points_taken` is points taken."""
    words = name.replace("_", " ").strip() or name
    return "turn-up" if words == "turn up" else words


def bare(local: str) -> str:
    """The name of a parameter without the number that tells its uses apart."""
    return local.partition("·")[0]


def card(name: str, suits: Iterable[SuitDef]) -> str:
    """`QS` is the queen of spades; anything that is no card of the usual suits stays as it is."""
    found = re.fullmatch(r"(10|[2-9AKQJ])([CDHS])", name)
    if found and any((suit.name, suit.letter) == (_SUITS[found[2]], found[2]) for suit in suits):
        return f"the {rank(found[1])} of {_SUITS[found[2]]}"
    return plain(name)


def rank(name: str) -> str:
    return RANKS.get(name, name)


def ranks(name: str) -> str:
    """The plural: aces, sevens as 7s."""
    return f"{RANKS[name]}s" if name in RANKS else f"{name}s"


def a(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeio" or noun == "8" else f"a {noun}"


def owned(owner: str, thing: str) -> str:
    """`your hand`, `the winner's hand`, `the hand of the player to the left of the dealer`."""
    if owner == "you":
        return f"your {thing}"
    if owner.isdigit():
        return f"{thing} {owner}"
    if owner in ("it", "they"):
        return f"{'its' if owner == 'it' else 'their'} {thing}"
    if " of " in owner or " to " in owner or len(owner.split()) > 4:
        return f"the {thing} of {owner}"
    return f"{owner}{chr(39) if owner.endswith('s') else chr(39) + 's'} {thing}"


def many(name: str) -> str:
    """Several of a thing, by a name that may say so already."""
    return name if name.endswith("s") else f"{name}s"


def cards_in(name: str) -> str:
    """The name of a zone as a noun: taken is taken cards, hand is hand."""
    words = plain(name)
    return f"{words} cards" if _PARTICIPLE.search(words) else words


def described(name: str, kind: str) -> str:
    """A variable that is named by what was done to its value: drawn is the drawn card, robbed the robbed player."""
    words = plain(name)
    noun = "side" if kind == "team" else kind if kind in ("card", "cards", "suit", "rank", "text", "player") else ""
    return f"{words} {noun}" if noun and _PARTICIPLE.search(words) else words


def be(subject: str, negated: bool = False) -> str:
    many = subject in ("you", "they") or subject.startswith(
        ("the players", "the cards", "all ", "the others", "those ")
    )
    return ("are" if many else "is") + (" not" if negated else "")


def denied(clause: str) -> str:
    """The opposite of a clause, where it has a word that takes a `not`."""
    for one, other in (("somebody ", "nobody "), ("nobody ", "somebody "), ("something ", "nothing "),
                       ("there is no ", "there is a "),
                       ("there is a ", "there is no ")):  # fmt: skip
        if clause.startswith(one):
            return other + clause.removeprefix(one)
    if re.search(r"\b(has|have) (a|an|one) ", clause):
        return re.sub(r"\b(has|have) (a|an|one) ", r"\1 no ", clause, count=1)
    said, count = _AUXILIARY.subn(lambda found: f"{found[0]} not", clause, count=1)
    if "holds not" in said:
        said = said.replace("holds not", "does not hold")
    if not count:
        return f"it is not so that {clause}"
    return re.sub("(has|have) to not", "need not", said).replace("can not", "cannot")


_OF_YOU = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
_OF_ONE = {"are": "is", "have": "has", "were": "was", "go": "goes"}


def filled(text: str, phrase: str, owner: str, one: bool = False) -> str:
    """A sentence about `the player`, said of somebody: "the player has no card" of you is "you have no card".

    one: of a phrase for several things, that there is only one.
    """

    def said(found: re.Match[str]) -> str:
        whose, verb = found[1], found[2] or ""
        if one and (is_one := _OF_ONE.get(verb.strip())):
            verb = f" {is_one}"
        if whose:
            return owned(owner, "").strip() + verb
        if owner == "you" and verb:
            word = verb.strip()
            plural = _OF_YOU.get(word)
            if plural is None:
                plural = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
            verb = f" {plural}"
        return owner + verb

    def said_too(found: re.Match[str]) -> str:
        """What somebody does besides."""
        return found[1] + (_OF_YOU.get(found[2]) or base_of(found[2]) or found[2])

    text = re.sub(rf"\bthe (\w+) of {re.escape(phrase)}\b(?!')", lambda found: owned(owner, found[1]), text)
    capital = text.startswith(phrase[0].upper() + phrase[1:])
    text = phrase + text[len(phrase) :] if capital else text
    found = re.sub(rf"\b{re.escape(phrase)}(?:('s)|( [a-z]+s| are| have| were| go))?\b", said, text)
    if owner == "you" and found.startswith("you "):  # and of nobody else before
        found = re.sub(r"(\band )([a-z]+s)\b", said_too, found)
    return found[:1].upper() + found[1:] if capital else found


def statement(doc: str) -> str:
    """What a text says whether it is so: "Whether hearts may be led: ..." is `hearts may be led`."""
    found = re.match(r"(Whether|Who) ([^.:;,]+)[.:;]", doc + ".") or re.match(r"(Whether|Who) ([^.:;]+)[:]", doc)
    if found is None:
        plainly = re.match(r"(Has|Is|Was|May|Can|Must)\b[^.:;,]*(?=[.:;,])", doc + ".")
        return f"the player {plainly[0][0].lower()}{plainly[0][1:]}" if plainly else ""
    said = re.sub(r"^any(?=thing |body |one )", "some", found[2].strip())
    return said if found[1] == "Whether" else f"the player {said}"


def listed(items: list[str], word: str = "and") -> str:
    if len(items) < 2:
        return "".join(items)
    comma = ", " if all("," not in item for item in items) else "; "
    return f"{comma.join(items[:-1])}{comma.rstrip() if len(items) > 2 or comma == '; ' else ''} {word} {items[-1]}"


def joined(clauses: list[str], word: str) -> str:
    """Clauses joined by `and` or `or`, without those that always or never hold and so decide nothing, or all."""
    decides, idle = ("always", "never") if word == "or" else ("never", "always")
    if decides in clauses:
        return decides
    said = [clause for clause in clauses if clause != idle]
    if len(said) < 2:
        return "".join(said) or idle
    return listed([f"({clause})" if " or " in clause or " and " in clause else clause for clause in said], word)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    ends = text[-2:-1] if text[-1] == "”" else text[-1]
    return text if ends and ends in ".!?:" else f"{text}."


def title(name: str) -> str:
    """A declared name as a heading."""
    words = plain(name)
    return words[:1].upper() + words[1:]


def number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
