"""Names of actions as verbs: which of them are English, what follows them, and how they agree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

_WORDS = """
accept accuse add:to,up admit adopt agree:on,to,with aim:at alter announce answer ante appeal arrange ask:for assist
attack auction:off avoid ban bank bar bargain bat battle beat beg begin bet:on bid:up,on bite block bluff boost borrow
break:up,off,in bribe bring:in,back,out,up brush:off build:on,up,down bump:up burn bury buy:in,up,out
call:for,on,out,up cancel capture carry:on,over cash:in,out cast:off,away,out catch:up challenge change charge chase
cheat check choose chop claim clap clear:away,off close:up,down,out coax collect combine come:in,out,back comment
complete conceal concede confirm congratulate consent consult contest continue convert copy count:up,down,out cover:up
cross:over,out cry:out cut:in,out,off,for deal:out,in,round,around decide:on declare decline deduct defend delay
demand deny deploy deposit discard:down discover dismiss display dispose:of distribute divide dodge donate double
doubt draft drag draw:up,out,in,from,off,on drink drop:out,off,in,down duck dump:off earn eat empty:out end enter
escape estimate examine exceed exchange excuse expose extend fade fan:out feed fetch fight:back fill:up,in find:out
finesse finish:off,up fix flash flee flip:over,up,down flush:out fold:up follow:on,up forbid force:out forfeit forgive
forgo form free freeze:out gain gamble gather:up,in get:up,out,in,back,rid give:up,away,back,in,out,over,to,on
go:in,out,on,up,down,back,alone,under,over,through grab:at grant greet group guard guess halt
hand:over,in,out,on,back,round,up,down hang:up,on hide:away hinder hit:on hoard hold:on,back,up,out honour hop:over
hunt:for hurry:up ignore impose improve infer insert inspect insure interrupt invest invite join:in,up judge
jump:in,over,up,on keep:on,up,back,out kill knock:on,out,over,down,off land:on laugh:at launch
lay:down,out,off,away,aside,up,on,by,in lead:off,up,back,with,out lean:on leap:over leave:out,off,behind lend:out
let:go,in,out,off,through lie:down,about lift:up,off limit link:up load:up lock:up,in
look:at,in,under,through,on,over,up,into lose lower make:up,good mark:up,down,off match:up mate meld:out,down mention
merge mimic miss mix:in,up move:up,down,on,over,out,in,along,aside,back,to,away muck name nod:at nominate notice nudge
obey object:to offer:up omit open:up,with oppose order:up,in,out overbid overcall overtake overtrump owe pack:up,in
pair:up,off park pass:on,up,by,out,over,back,left,right,across,to,around,round,along pause pay:up,off,out,in,back,for
peek:at,in,under,into peg:out penalise penalize permit pick:up,out,off,on pile:on,up,in pinch
place:on,in,down,out,aside plan plant play:on,off,up,out,to,in,over,down,back,from,against plead please pledge pluck
point:at,to,out poke pool pop post:up pounce:on pour:out praise predict prepare present press:on,down presume prevent
promise promote propose protect protest prove pull:out,in,off,up,down,back punish purchase
push:on,in,out,off,back,down put:down,up,back,aside,away,out,in,on,off,by,under question quit quote raid raise:up
range rap:on reach:for read:out rearrange recall receive reclaim recover recycle redeal redouble redraw reduce reenter
refill refrain refund refuse regain regret reject relay release remember remind:of remove renege renounce reopen
reorder repair repay repeat replace replay reply:to report request rescue reserve reset reshuffle resign resist
resolve respond:to restart restore retire retreat retrieve return reveal reverse revive revoke reward ring:out risk
rob roll:over,on,back rotate ruff ruin run:out,on,off,up,away rush:in sacrifice salute save:up say score:up scrap
search:for seat seek seize select sell:off,out send:back,away,over,on,to,off separate serve
set:aside,out,down,up,off,back settle:up,for,down shake:off,on share:out shed shelve shift:over,to shoot:at shout:out
shove:in,over,out show:up,off shrug:off shuffle:in,up,back sign sing sink sit:out,down,in skip:over slam:down
slap:down,at,on slide:over,in,along slip:in,under slough slow:down sluff smash smear smile:at smoke:out snap:up,at
snatch:up,away sneak:in sort:out sow spare speak:up spend spin split:up spoil spot spread:out squeeze:out stack:up,on
stake stand:up,pat,by,off,on,aside start:up,off,over stay:in,out,put,on steal:from stick:out,to,up,on,in sting
stockpile stop store:up straddle strike:out strip sub:in submit subtract suggest supply support surrender survive
swallow swap:in,out,over,with swear sweep:up,away,in switch:to,over tackle
take:up,back,down,out,off,over,in,on,away,from,along,to,with,aside talk:to tap:out,on taunt tease tell:on tempt thank
think:over threaten throw:in,away,out,off,down,on,back,over,up tie:up tilt tip:over,off top:up
toss:in,away,out,aside,back touch:on trade:in,with,up,for,off transfer trap treat trick trip:up trump:in,over trust
try:for,out,again tuck:in,under,away turn:up,down,over,in,out,back,round,around,to,on,off twist:up uncover undercut
undertake undo unload unlock untap unveil upgrade use:up venture vie visit void vote:for,out,on wager:on wait:for,on
waive wake:up walk:away,off,out want warn wash watch wave:at,off weigh welcome whisper whistle win:over,back wink:at
wipe:out wish:for withdraw withhold worry wrap:up write:down,off yell:out yield:to
"""
VERBS: dict[str, frozenset[str]] = {}
"""Verb -> the particles that may follow it."""
for _entry in _WORDS.split():
    _verb, _, _particles = _entry.partition(":")
    VERBS[_verb] = frozenset(filter(None, _particles.split(",")))
THINGS = {
    "bet": "a bet", "bid": "a bid", "count": "the count", "meld": "a meld", "penalty": "the penalty", "pot": "the pot",
    "set": "a set", "trick": "the trick", "trump": "trump", "trumps": "trumps",
}  # fmt: skip
"""Nouns of card games with their articles, for games in which they are neither pieces nor places."""
GOING_ON = frozenset({"begin", "continue", "finish", "keep", "quit", "start", "stop"})
"""Verbs that another one may follow: stop passing."""
OWN = frozenset({
    "cards", "chin", "ear", "elbow", "eye", "eyes", "finger", "fingers", "hand", "hands", "head", "nose", "thumb",

})  # fmt: skip
"""Nouns of what everybody has of their own."""
CARRIES = frozenset({
    "build", "burn", "bury", "buy", "capture", "collect", "discard", "draft", "draw", "drop", "give", "grab",
    "hand", "lay", "meld", "move", "pick", "place", "play", "put", "receive", "refill", "relay", "rob", "shed",
    "shift", "sluff",  "stack", "steal", "swap", "take", "throw", "toss", "turn",
})  # fmt: skip
"""Verbs whose object may be cards that nobody has named: whoever draws, draws the card that comes to them."""
_THIRD = {"have": "has", "be": "is", "do": "does", "go": "goes"}
_BASE = {third: base for base, third in _THIRD.items()} | {"was": "were"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """What an action is called, as English: `pick up`, `stop passing`, `take` a `coin`.

    verb: in its base form. after: particles, and what follows them as it is. noun: what it is about, or "".
    """

    verb: str
    after: str = ""
    noun: str = ""


def phrase_of(name: str, nouns: Collection[str] = ()) -> Phrase | None:
    """The name of an action as a phrase; None if it is no English that a sentence could be made of.

    nouns: what things of the game are called in the singular, besides cards and suits.
    """
    verb, *rest = name.lower().split("_")
    if verb not in VERBS:
        return None
    particles: list[str] = []
    while rest and rest[0] in VERBS[verb]:
        particles.append(rest.pop(0))
    after, noun = " ".join(particles), "_".join(rest)
    if not noun or noun in ("card", "suit", "rank", "player"):
        return Phrase(verb, after)
    if verb in GOING_ON and noun.endswith("ing") and not particles and "_" not in noun:
        return Phrase(verb, noun)
    return Phrase(verb, after, noun) if noun in nouns or noun in OWN or noun in THINGS else None


def third(verb: str) -> str:
    """What somebody else does: plays, passes, carries."""
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def base_of(word: str) -> str | None:
    """The base form of a verb in the third person; None if it is none that is known."""
    if word in _BASE:
        return _BASE[word]
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending):
            base = word.removesuffix(ending) + instead
            if base in VERBS and third(base) == word:
                return base
    return None


def agreeing(verb: str, with_third: bool) -> str:
    """The verb as it agrees: with somebody else (third person), or with you and with several."""
    if verb == "be":
        return "is" if with_third else "are"
    return third(verb) if with_third else verb
