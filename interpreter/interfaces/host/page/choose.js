// Putting a move together from what is tapped. Nothing here touches the page, so it can be tested alone.
//
// A thing that can be tapped has the words that moves may call it by: {key, words, kind, zone}. Picked things lead to
// `complete` moves, to `next` words that can follow, and to `chips`, choices that lie nowhere on the table.
import { own } from "./own.js";

export class Chooser {
  // whose page it is, as moves name people
  static me = "";

  constructor() {
    this.ask = null;
    this.picked = [];
    this.words = "";
    this.focus = null;
  }

  // A new question: what was picked stays if it can still lead somewhere.
  set(ask) {
    const before = this.picked;
    this.ask = ask;
    if (!ask || !ask.acts.some((act) => act.name === this.focus)) this.focus = null;
    this.picked = [];
    for (const thing of before) {
      if (!this.leads([...this.picked, thing])) break;
      this.picked.push(thing);
    }
  }

  drop() {
    this.picked = [];
    this.words = "";
    this.focus = null;
  }

  // One action is meant, whose choices are then shown.
  open(name) {
    this.drop();
    this.focus = name;
  }

  isPicked(key) {
    return this.picked.some((thing) => thing.key === key);
  }

  // What tapping a thing does: "picked", "put back", "play" (with a move) or "nothing".
  tap(thing, oneTap = false) {
    if (this.isPicked(thing.key)) {
      const found = this.state().complete;
      if (found.length === 1 && (this.picked.at(-1).key === thing.key || this.picked.length === 1)) return { does: "play", move: found[0].move };
      this.picked = this.picked.filter((one) => one.key !== thing.key);
      return { does: "put back" };
    }
    for (const start of [this.picked, []]) {
      if (this.leads([...start, thing])) {
        this.picked = [...start, thing];
        const { complete, next, chips, free, open } = this.state();
        const over = complete.length === 1 && !next.size && !chips.length && !free && !open;
        if (over && (oneTap || this.picked.length > 1 || thing.kind === "chip")) return { does: "play", move: complete[0].move };
        return { does: "picked" };
      }
      if (!start.length) break;
    }
    return { does: "nothing" };
  }

  leads(things) {
    return this.look(things).some(() => true);
  }

  state() {
    const complete = [];
    const next = new Set();
    const chips = new Map();
    const asks = new Set();
    const openers = [];
    const typed = [];
    let free = false;
    let open = false; // whether something else could be meant that is not complete
    const ways = this.look(this.picked);
    const begins = !this.focus && !this.picked.length;
    const whose = new Map(); // by word the action that is meant; null where it may be one of several
    for (const { act, chips: words } of ways) for (const [word] of words || []) whose.set(word, !whose.has(word) || whose.get(word) === act ? act : null);
    for (const found of ways) {
      const apart = [...(found.chips || [])].some(([word]) => whose.get(word) === null);
      const isOpened = begins && (found.opens || apart);
      if (found.move !== undefined) complete.push(found);
      if (isOpened) openers.push(found.act);
      if (found.typed || found.says) typed.push(found.act);
      else if (found.act && found.act.params) open = true;
      if (found.free) free = true;
      for (const word of found.next || []) next.add(word);
      if (isOpened) continue;
      for (const [word, called] of found.chips || []) {
        const key = `chip:${this.picked.length}:${found.act.name} ${word}`; // a word may be chosen once more
        if (!chips.has(key)) chips.set(key, { word, called, act: found.act, key, apart });
        if (found.asks) asks.add(found.asks(word));
      }
    }
    return { complete: unique(complete), next, chips: [...chips.values()], asks: asks.size === 1 ? [...asks][0] || "" : "", free, open, openers, typed };
  }

  // Every way on from some things.
  look(things) {
    if (!this.ask) return [];
    const acts = this.focus ? this.ask.acts.filter((act) => act.name === this.focus) : this.ask.acts;
    return acts.flatMap((act) => (act.params ? described(act, things) : listed(act, things)));
  }
}

export const isNumber = (word) => /^-?[0-9]+$/.test(word);

// More choices than this stand behind a button of their own.
const MOST_CHIPS = 16;

function unique(moves) {
  const seen = new Map();
  for (const found of moves) if (!seen.has(found.move)) seen.set(found.move, found);
  return [...seen.values()];
}

const split = new WeakMap();
function wordsOf(act) {
  if (!split.has(act)) split.set(act, (act.moves || []).map((text) => (text ? text.split(" ") : [])));
  return split.get(act);
}

const text = (act, rest) => (rest ? `${act.name} ${rest}` : act.name);

function listed(act, things) {
  if (act.says) return things.length ? [] : [{ act, says: true }];
  const found = [];
  if (act.moves) {
    const next = new Set();
    const chips = new Map();
    let any = false;
    wordsOf(act).forEach((words, at) => {
      const left = without(words, things, act);
      if (!left) return;
      any = true;
      if (!left.length) found.push({ act, move: text(act, act.moves[at]), words });
      for (const word of left) next.add(word).add(pileOf(act, word));
      const first = left.find((word) => !isThing(word, act));
      if (first !== undefined && (things.length || words.every((one) => !isThing(one, act)))) chips.set(first, own(act.words, first) || first.replaceAll("_", " "));
    });
    const asks = (word) => Object.keys(act.asks || {}).find((noun) => act.asks[noun].includes(word));
    if (any && next.size) found.push({ act, next, chips, asks, opens: chips.size > MOST_CHIPS && ![...chips.keys()].every(isNumber) });
  } else if (act.cards) {
    const taken = [];
    for (const thing of things) {
      const word = thing.words.find((one) => act.cards.of.includes(one));
      if (word === undefined || thing.kind !== "card") return [];
      taken.push(word);
    }
    if (taken.length > act.cards.high) return [];
    if (taken.length >= act.cards.low) found.push({ act, move: text(act, taken.join(" ") || "nothing"), words: taken });
    found.push({ act, next: new Set(taken.length < act.cards.high ? act.cards.of : []), free: taken.length < act.cards.high });
  } else if (act.typed && !things.length) {
    found.push({ act, typed: true });
  }
  return found;
}

// Words of a move that are left when those of the picked things are taken out; nothing if some are not in it.
function without(words, things, act) {
  let left = words;
  for (const thing of things) {
    if (thing.act && thing.act !== act.name) return null;
    const at = left.findIndex((word) => thing.words.includes(word) || thing.words.includes(pileOf(act, word)));
    if (at < 0) {
      if (thing.taps && thing.taps.includes(act.name) && !words.length) continue;
      return null;
    }
    left = [...left.slice(0, at), ...left.slice(at + 1)];
  }
  return left;
}

// A pile may stand for somebody who is chosen, and is tapped then.
const pileOf = (act, word) => own(act.piles, word) || word;

// Whether a word means something that lies on the table, where it is tapped.
export const tappable = { has: () => false };
function isThing(word, act) {
  return !(act.said || []).includes(word) && tappable.has(word, act);
}

// In races and on honour: actions by what kinds of things they consist of.
function described(act, things) {
  if (act.says || act.typed) return things.length ? [] : [{ act, says: true }];
  let ways = [{ args: [], at: 0, extra: [] }];
  for (const thing of things) {
    if (thing.act && thing.act !== act.name) return [];
    ways = ways.flatMap((way) => fitting(act, way, thing));
    if (!ways.length) return [];
  }
  return ways.map((way) => {
    const params = paramsOf(act, way);
    const left = params.slice(way.at);
    const mayBeLeftOut = (param, at) => param.optional || (at === 0 && param.low !== undefined && (way.many || 0) >= param.low);
    const needed = left.filter((param, at) => !mayBeLeftOut(param, at));
    const found = { act, args: way.args };
    if (!needed.length) found.move = text(act, way.args.filter((word) => word !== "").join(" "));
    const now = left.filter((param, at) => param.options && left.slice(0, at).every(mayBeLeftOut));
    if (now.length) {
      const of = (word) => now.find((param) => param.options.some(([one]) => one === word));
      found.chips = now.flatMap((param) => param.options.filter(([word]) => word !== ""));
      found.opens = !things.length && act.params.length > 0;
      found.next = new Set(found.chips.flatMap(([word]) => [word, pileOf(of(word), word)]));
      found.asks = (word) => of(word).asks;
    }
    if (left[0]?.low !== undefined) found.free = true;
    return found;
  });
}

function paramsOf(act, way) {
  const extra = (way.args.length && own(act.rows, way.args[0])) || [];
  return [...act.params, ...extra];
}

function fitting(act, way, thing) {
  const params = paramsOf(act, way);
  const found = [];
  for (let at = way.at; at < params.length; at += 1) {
    const param = params[at];
    const word = wordFor(param, thing, act);
    if (word !== undefined) {
      const several = param.high !== undefined;
      const many = (at === way.at ? way.many || 0 : 0) + 1;
      if (!several || many <= param.high) {
        const done = !several || many >= param.high;
        found.push({ args: [...way.args, word], at: done ? at + 1 : at, many: done ? 0 : many });
      }
    }
    const full = param.low !== undefined && at === way.at && way.many >= param.low;
    if (!param.optional && !full) break;
  }
  if (!params.length && thing.taps && thing.taps.includes(act.name)) found.push(way);
  return found;
}

function wordFor(param, thing, act) {
  if (param.own && thing.seat && thing.seat !== Chooser.me) return undefined;
  switch (param.form) {
    case "cards":
      if (thing.kind === "card" && (!param.from || param.from.includes(thing.zone))) return thing.words[0];
      return undefined;
    case "zones":
      if ((thing.kind === "place" || thing.place) && (!param.from || param.from.includes(thing.zone))) return thing.place || thing.words[0];
      return undefined;
    case "tokens":
      if (thing.kind === "piece" && param.options && param.options.length) return param.options[Math.floor(Math.random() * param.options.length)][0];
      break;
  }
  if (param.options) return param.options.map(([word]) => word).find((word) => thing.words.includes(word) || thing.words.includes(pileOf(param, word)));
  if (thing.kind === "typed") return thing.words[0];
  return act.claim && thing.kind === "seat" ? thing.words[0] : undefined;
}
