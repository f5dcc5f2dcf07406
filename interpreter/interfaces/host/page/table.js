// A table: what comes from the server is drawn, what is tapped becomes moves.
import { post } from "./ask.js";
import { GLYPHS, learnCards, look, swatch } from "./cards.js";
import { Chooser, isNumber, tappable } from "./choose.js";
import { announce, beep, el, form, kept, listed, STAYS, tapButton, toast } from "./dom.js";
import { dragging } from "./drag.js";
import { drawTable } from "./draw.js";
import { own } from "./own.js";
import { Panel } from "./panel.js";
import { Passing } from "./passing.js";
import { Replay } from "./replay.js";
import { waitingRoom } from "./room.js";
import { changed, Line } from "./socket.js";
import { capital, differences, factsOf, isFace, isOnTable, label, short } from "./words.js";

const LINGERS = 1200;
const TALL = "(min-height: 701px)";

// All that belongs to whoever looks at it; who has the device after them gets another one.
export class Table {
  // passing: of this device, where somebody else has had it.
  constructor(app, name, hello, seats, passing = null) {
    this.app = app;
    this.name = name;
    this.seat = hello.seat;
    this.scene = this.ask = this.news = null;
    this.me = undefined;
    this.lines = [];
    this.said = [];
    this.chooser = new Chooser();
    this.settings = { oneTap: false, marks: true, sound: false, ...kept.get("settings", {}) };
    this.sent = new Map();
    this.panel = new Panel(this);
    this.passing = passing || new Passing(this, seats);
    document.title = "Houserules";
    this.build();
    this.left = new AbortController();
    const { signal } = this.left;
    this.line = new Line({ table: name, ...hello }, { message: (type, body) => signal.aborted || this.came(type, body), standing: (how) => signal.aborted || this.stands(how) });
    if (!passing && seats.length > 1) this.passing.cover();
    const hurry = () => document.hidden || this.line.hurry();
    const heard = { online: hurry, visibilitychange: hurry, resize: () => this.later(), keydown: (event) => this.pressed(event) };
    for (const [event, act] of Object.entries(heard)) addEventListener(event, act, { signal });
  }

  leave() {
    this.close();
    this.passing.leave();
  }

  close() {
    this.left.abort();
    this.line.close();
  }

  // Somebody else has the device now: their table.
  become(seat) {
    this.close();
    return new Table(this.app, this.name, { seat }, [], this.passing);
  }

  // What can be had of a match that is over, by whoever was there: the answer of the server.
  async afterwards(what, more = {}) {
    const watch = this.me === undefined ? { watch: this.line.hello.token || "" } : {};
    return post(`/api/tables/${this.name}/${what}`, { ...more, ...watch });
  }

  get honour() {
    return Boolean(this.scene?.game.honour);
  }
  get race() {
    return this.ask?.kind === "race";
  }

  // What a message leaves out is as it usually is.
  get talk() {
    return this.news?.chat || "phrases";
  }

  build() {
    const bar = el("header.bar", (this.title = el("h1")), (this.facts = el("div.facts")), (this.tools = el("nav.tools", { said: "table" }, ...this.panel.buttons())));
    this.regions = { seats: el("div", { id: "seats" }), middle: el("div", { id: "middle" }), mine: el("div", { id: "mine" }) };
    this.bottom = el("div", { id: "ask", role: "group", said: "what you can do" });
    this.ticker = el("button", { id: "ticker", on: { click: () => this.panel.show("log") }, "aria-hidden": "true", tabIndex: -1 });
    this.regions.table = el("main", { id: "table" }, this.regions.seats, this.regions.middle, this.ticker, this.bottom, this.regions.mine);
    this.room = el("div", { id: "room" });
    this.root = el("div.at-table", bar, this.regions.table, this.room, this.panel.box, this.passing.box);
    this.app.replaceChildren(this.root);
    this.regions.middle.addEventListener("click", (event) => {
      if (this.lingering) this.endLingering();
      else if (event.target === this.regions.middle && this.chooser.picked.length) this.playOnly();
    });
    dragging(this.regions.table, this);
  }

  // ---- what comes ----

  came(type, body) {
    switch (type) {
      case "welcome":
        this.me = body.me;
        this.code = body.code || "";
        this.news = body.table;
        this.lines = this.readable(body.lines || [], body.scene);
        this.said = (body.said || []).map(([seat, text]) => [this.nameOf(seat), text]);
        this.see(body.scene ?? null, body.ask ?? null);
        if (this.begins && this.news.state === "lobby") this.line.send({ type: "order", what: "start" });
        this.begins = false;
        break;
      case "news": {
        const lines = this.readable(body.lines || [], this.scene);
        this.lines.push(...lines);
        let scene = this.scene;
        if (body.changes?.length) scene = changed(scene, body.changes);
        this.see(scene, body.ask !== undefined ? body.ask : this.ask, lines);
        break;
      }
      case "table":
        this.news = body;
        this.draw();
        break;
      case "done":
        this.answered(body.id);
        break;
      case "refused":
        this.refused(body);
        break;
      case "chat":
        this.said.push([this.nameOf(body.seat), body.text]);
        this.panel.chatted(this.nameOf(body.seat), body.text, body.seat === this.me);
        break;
      case "hint":
        toast(body.lines.join(" "), 12000);
        break;
      case "sheet":
        this.panel.sheet(body.lines);
        break;
      case "error":
        toast(body.text, body.final ? STAYS : 6000);
        if (body.why === "reload") location.reload();
        else if (body.final) this.passing.drop(this.seat);
        break;
    }
  }

  see(scene, ask, lines = []) {
    const before = this.scene;
    const wasDue = this.ask && this.ask.due && this.ask.n;
    const newAsk = JSON.stringify(ask) !== JSON.stringify(this.ask);
    this.scene = scene;
    this.ask = ask;
    Chooser.me = scene ? scene.me : "";
    if (newAsk) {
      this.chooser.set(ask);
      this.chooser.words = "";
    }
    if (scene) {
      if (!before || before.game !== scene.game) learnCards(scene);
      const full = before && before.trick.length && !scene.trick.length && scene.last && JSON.stringify(scene.last.plays) !== JSON.stringify(before.last && before.last.plays);
      if (full) {
        this.lingering = true;
        clearTimeout(this.lingers);
        this.lingers = setTimeout(() => this.endLingering(), LINGERS);
      } else if (scene.trick.length) this.lingering = false;
      tappable.has = (word, act) => isOnTable(scene, word, act);
    }
    this.draw();
    if (this.passing.covered) return;
    for (const text of [...lines.slice(this.race ? -6 : -40).map(([, text]) => text), ...differences(before, scene)]) announce(text, false, this.race);
    if (ask && ask.due && ask.n !== wasDue && (ask.prompt || this.race)) this.due(ask);
    if (scene && scene.over && before && !before.over) announce(scene.result.join(" "));
  }

  // Cards whose suits have no sign of their own are called by their names.
  readable(lines, scene) {
    if (!scene) return lines;
    const called = scene.seats.map((seat) => seat.name).join(" ").split(" ");
    const name = (word) => {
      const card = called.includes(word) ? null : own(scene.game.cards, word);
      return card && !GLYPHS[card.symbol] ? card.name : word;
    };
    return lines.map(([kind, text]) => [kind, text.replace(/(?<![\w“])[A-Z0-9]{1,5}(?![\w])/g, name)]);
  }

  endLingering() {
    clearTimeout(this.lingers);
    if (!this.lingering) return;
    this.lingering = false;
    this.draw();
  }

  due(ask) {
    announce(ask.prompt || "The race is on.", this.race);
    document.title = `● ${this.news ? this.news.game : "Houserules"}`;
    if (!document.hasFocus() && navigator.vibrate) navigator.vibrate(60);
    if (this.settings.sound) beep();
  }

  stands(how) {
    this.root.classList.toggle("lost", how === "lost");
    if (how === "lost") toast("The connection is lost. Trying again…", STAYS);
    else toast("");
  }

  nameOf(seat) {
    return this.news?.seats[seat]?.name || `P${seat + 1}`;
  }

  person(id) {
    return this.news ? this.news.seats[Number(id.slice(1)) - 1] : undefined;
  }

  // ---- moves ----

  tap(thing) {
    this.field?.blur(); // not every browser does
    if (this.lingering) this.endLingering();
    if (!this.ask || !this.ask.acts.length) {
      this.notNow();
      return;
    }
    const found = this.chooser.tap(thing, this.settings.oneTap || this.race);
    if (found.does === "play") {
      this.play(found.move);
      return;
    }
    if (found.does === "nothing") this.explain(thing);
    else if (this.askedNext()) announce(this.askedNext(), true);
    if (found.does === "picked" && this.race && !this.honour && thing.kind !== "chip") {
      const words = this.chooser.picked.map((one) => one.place || one.words[0]);
      this.send(words.join(" "), { quiet: true, pointed: true });
    }
    this.draw(true);
  }

  notNow() {
    const waiting = this.scene && this.scene.seats.filter((seat) => seat.turn).map((seat) => seat.name);
    toast(waiting?.length ? `It is not your turn: the table waits for ${listed(waiting)}.` : "There is nothing to do just now.");
  }

  // Why something cannot be done: the server knows, and says it in words. Nothing else comes of asking.
  explain(thing) {
    const word = thing.place || thing.words[0];
    if (this.race && !this.honour) {
      this.send(word, { pointed: true });
      return;
    }
    const act = this.ask.marked && this.ask.acts.find((one) => one.moves?.some((move) => move && look(this.scene, move.split(" ")[0]).letter !== "" ) && thing.kind === "card");
    const isOther = act?.moves.some((move) => move.split(" ")[0] === thing.face); // an equal card could be meant
    if (act && thing.face && !isOther) this.send(`${act.name} ${thing.face}`, {});
    else toast("Nothing can be done with that now.");
  }

  playOnly() {
    const { complete } = this.chooser.state();
    if (complete.length === 1) this.play(complete[0].move);
  }

  play(move) {
    this.send(move, { words: this.chooser.words.trim() });
    this.chooser.drop();
    this.draw(true);
  }

  send(move, { words = "", quiet = false, pointed = false }) {
    const ask = this.ask?.due && !this.race ? this.ask.n || 0 : 0;
    const id = this.line.move(move, ask, words);
    this.sent.set(id, { move, quiet, pointed });
    this.root.classList.add("sending");
  }

  // What was sent under a number that has been answered.
  back(id) {
    const sent = this.sent.get(id);
    this.sent.delete(id);
    if (!this.sent.size) this.root.classList.remove("sending");
    return sent;
  }

  answered(id) {
    const sent = this.back(id);
    if (sent?.pointed) this.chooser.drop();
    document.title = this.news ? this.news.game : "Houserules";
    if (sent?.pointed) this.draw(true);
  }

  refused({ id, text, stale }) {
    const sent = this.back(id);
    if (stale && sent?.pointed) return;
    toast(text);
    const card = this.root.querySelector("#mine .card.picked, #mine .stack.picked");
    if (card && card.animate) card.animate([{ translate: "0" }, { translate: "-5px" }, { translate: "5px" }, { translate: "0" }], 180);
  }

  // ---- what is drawn ----

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw(true));
  }

  draw(still = false) {
    const { news } = this;
    if (this.replay && news.state !== "over") this.replay = null;
    const scene = this.replay?.scene || this.scene;
    if (!news) return;
    this.title.textContent = news.game;
    if (!document.title.startsWith("●")) document.title = news.game;
    this.root.dataset.state = scene ? (scene.over ? "over" : "playing") : "lobby";
    this.root.classList.toggle("paused", news.paused || news.count > 0);
    waitingRoom(this.room, this);
    this.passing.draw();
    this.panel.draw();
    if (!scene) return;
    const focused = document.activeElement?.dataset?.key;
    this.facts.replaceChildren(...factsOf(scene).map(([name, value]) => el("span.fact", el("i", `${name} `), swatch(scene, value), el("b", value))));
    // what was done, and what came of it, where there is room for both
    this.ticker.replaceChildren(...this.lines.slice(matchMedia(TALL).matches ? -2 : -1).map(([, text]) => el("span", text)));
    if (this.replay) {
      if (this.replay.box.parentElement !== this.bottom) this.bottom.replaceChildren(this.replay.box);
    } else this.drawAsk();
    drawTable(this.regions, this.view(still, scene)); // it has the room that what can be done leaves
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  lookAgain() {
    this.panel.hide();
    this.replay = new Replay(this);
    this.replay.go(0);
  }

  view(still, scene) {
    const { ask, chooser } = this;
    const marking = Boolean(!this.replay && ask && ask.marked && ask.due && this.settings.marks);
    // what can follow, and what one could begin with instead
    const fresh = new Chooser();
    fresh.ask = ask;
    fresh.focus = chooser.focus;
    const next = new Set([...chooser.state().next, ...fresh.state().next]);
    const some = (test) => Boolean(ask && ask.acts.some((act) => act.params?.some(test)));
    return {
      scene, ask, chooser, still, marking,
      marks: this.settings.marks,
      lingering: this.lingering,
      person: (id) => this.person(id),
      tap: (thing) => this.tap(thing),
      // whether something may be laid there
      takes: (place) => some((param) => param.form === "zones" && param.from?.includes(place.zone)),
      // form: of what is chosen there, if not anything
      open: (place, form) => some((param) => (!form || param.form === form) && param.from?.includes(place.zone) && !(param.own && place.seat && place.seat !== scene.me)),
      wants: (thing) => marking && (thing.words.some((word) => next.has(word)) || Boolean(thing.taps && !chooser.picked.length && thing.taps.some((name) => ask.acts.some((act) => act.name === name && act.moves?.includes(""))))),
      pieceAct: (id) => {
        const acts = ask ? ask.acts.filter((act) => (act.params || []).some((param) => param.form === "tokens") || (act.moves && act.moves.some((move) => /^[0-9]+$/.test(move)) && /grab|take/.test(act.name))) : [];
        return acts.length === 1 ? acts[0].name : undefined;
      },
    };
  }

  // Where somebody writes below the table.
  get field() {
    const { activeElement: now } = document;
    return this.bottom.contains(now) && now.matches("input, select") ? now : null;
  }

  drawAsk() {
    const { ask, chooser, scene } = this;
    if (this.field && ask === this.asked && !scene.over) return; // what is half written there stays
    this.asked = ask;
    const lines = [];
    if (scene.over) {
      this.bottom.replaceChildren(el("div.result", el("h2", scene.result[0] || ""), el("ol", ...scene.result.slice(1).map((line) => el("li", line.replace(/^[0-9]+\. /, ""))))), el("div.buttons", this.me !== undefined ? tapButton("Play again", "again", () => this.line.send({ type: "propose", what: "rematch" }), { class: "go" }) : null, tapButton("Look at it again", "replay", () => this.lookAgain())));
      return;
    }
    const found = chooser.state();
    const due = ask && ask.due;
    const prompt = this.askedNext() || (due ? ask.prompt || (this.race ? "" : capital(scene.stage)) : this.waitingFor());
    lines.push(el(`p.prompt${due ? " due" : ""}`, due && this.race ? el("span.where", "Everybody plays at once. ") : null, prompt));
    const buttons = el(`div.buttons${ask && !ask.marked ? " all" : ""}`);
    const manner = (act) => (act.aside ? "aside" : act.off ? "off" : "");
    for (const one of found.complete) {
      const key = `do:${one.move}`;
      buttons.append(tapButton(label(scene, one), key, () => this.play(one.move), { "aria-pressed": one.act.done ? "true" : undefined, class: chooser.picked.length || (ask.marked && !one.act.aside) ? "go" : manner(one.act) }));
    }
    if (found.free && ask) {
      const act = ask.acts.find((one) => one.cards);
      if (act?.cards && !found.complete.length) buttons.append(el("span.count", `${chooser.picked.length} of ${act.cards.low === act.cards.high ? act.cards.low : `${act.cards.low}–${act.cards.high}`}`));
    }
    for (const act of found.openers) buttons.append(tapButton(`${capital(act.label)}…`, `open:${act.name}`, () => { chooser.open(act.name); this.draw(true); }, { class: act.claim ? "claim" : manner(act) }));
    for (const act of found.typed) buttons.append(tapButton(`${capital(act.label)}…`, `type:${act.name}`, () => this.typeMove(act), { class: "aside" }));
    const chips = el("div.chips");
    const numbers = found.chips.filter((chip) => isNumber(chip.word));
    if (numbers.length > 14) chips.append(...this.numberField(numbers));
    for (const chip of found.chips) if (numbers.length <= 14 || !isNumber(chip.word)) chips.append(tapButton(this.chip(chip), chip.key, () => this.tap({ key: chip.key, words: [chip.word], kind: "chip", act: chip.act.name }), { class: "chip" }));
    if (chooser.picked.length || chooser.focus) buttons.append(tapButton("✕", "drop", () => { chooser.drop(); this.draw(true); }, { class: "drop", said: "Put it back" }));
    if (chips.children.length) lines.push(chips);
    if (buttons.children.length) lines.push(buttons);
    if (this.honour && ask && scene.game.phrases.length) lines.push(this.phrases());
    if (this.passing.next !== undefined && !this.lingering) lines.push(el("div.buttons", this.passing.button()));
    this.bottom.replaceChildren(...lines);
  }

  // What is still to be chosen behind what was picked.
  askedNext() {
    const { chooser } = this;
    const { asks } = chooser.picked.length || chooser.focus ? chooser.state() : {};
    return asks ? `Choose ${asks}.` : "";
  }

  // Of very many numbers one is set, and then said.
  numberField(chips) {
    const values = chips.map((chip) => Number(chip.word)).sort((one, other) => one - other);
    const field = el("input", { type: "number", min: String(values[0]), max: String(values.at(-1)), value: String(values.includes(this.number) ? this.number : values[Math.floor(values.length / 2)]), inputmode: "numeric", said: chips[0].act.label });
    const step = (by) => { field.value = String(Math.max(values[0], Math.min(values.at(-1), Number(field.value) + by))); this.number = Number(field.value); };
    const say = () => this.tap({ key: chips[0].key, words: [String(Number(field.value))], kind: "chip", act: chips[0].act.name });
    field.addEventListener("change", () => step(0));
    return [tapButton("−", "number:less", () => step(-1), { class: "chip", said: "less" }), field, tapButton("+", "number:more", () => step(1), { class: "chip", said: "more" }), tapButton("OK", "number:ok", say, { class: "go" })];
  }

  waitingFor() {
    const waiting = this.scene.seats.filter((seat) => seat.turn && seat.id !== this.scene.me).map((seat) => seat.name);
    const doing = this.scene.doing || "play";
    if (waiting.length > 3) return `${waiting.length} others are to ${doing}.`;
    return waiting.length ? `${listed(waiting)} ${waiting.length > 1 ? "are" : "is"} to ${doing}.` : "";
  }

  // All that can be said in the game, always in the same order.
  phrases() {
    const row = el("div.phrases", { role: "group", said: "what you say" });
    const say = (text) => { this.chooser.words = `${this.chooser.words} ${text}`.trim(); this.draw(true); };
    for (const pieces of this.scene.game.phrases) {
      const holes = pieces.some(Array.isArray);
      const plain = pieces.map((piece) => (Array.isArray(piece) ? "…" : piece)).join("");
      row.append(tapButton(`“${plain}”`, `say:${plain}`, () => (holes ? this.fillPhrase(pieces, say) : say(plain)), { class: "phrase" }));
    }
    row.append(tapButton("other words…", "say:other", () => { const words = prompt("What do you say?"); if (words) say(words); }, { class: "phrase" }));
    const words = this.chooser.words ? el("p.words", `You will say: “${this.chooser.words}”`, tapButton("✕", "say:nothing", () => { this.chooser.words = ""; this.draw(true); }, { class: "drop", said: "say nothing" })) : null;
    return el("div.speech", words, row);
  }

  fillPhrase(pieces, say) {
    const fields = pieces.map((piece) => {
      if (!Array.isArray(piece)) return piece;
      if (!piece.length) return el("input", { type: "text", said: "words", size: "8" });
      return el("select", { said: "words" }, ...piece.map((one) => el("option", one)));
    });
    const box = el("div.fill", ...fields, tapButton("Say", "say:filled", () => say(fields.map((field) => (typeof field === "string" ? field : field.value)).join("")), { class: "go" }));
    this.bottom.querySelector(".speech")?.append(box);
    box.querySelector("input, select")?.focus();
  }

  typeMove(act) {
    const says = act.says || act.quoted;
    const field = el("input", { type: "text", said: act.label, placeholder: says ? "your words" : "for example 7H 8H" });
    const go = () => {
      const words = field.value.trim();
      field.blur();
      if (words) this.play(`${act.name} ${says ? `"${words}"` : words}`);
    };
    const box = form(go, `${capital(act.label)} `, field, el("button.go", "OK"));
    this.bottom.append(box);
    field.focus();
  }

  chip({ word, called, act, apart }) {
    if (apart || (act.moves?.includes("") && !this.chooser.picked.length)) return capital(`${act.label}, ${called}`);
    const glyph = own(GLYPHS, word);
    return glyph ? `${glyph} ${called}` : isFace(this.scene, word) ? short(this.scene, word) : called;
  }

  // ---- keys ----

  pressed(event) {
    if (this.passing.covered || event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (this.panel.isOpen) this.panel.hide();
      else if (this.chooser.picked.length || this.chooser.focus) {
        this.chooser.drop();
        this.draw(true);
      }
      return;
    }
    const keys = { l: "log", s: "scores", c: "chat", r: "rules", m: "menu" };
    if (keys[event.key] && !this.panel.isOpen) this.panel.show(keys[event.key]);
    const away = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 100, ArrowUp: -100 }[event.key];
    if (away && this.scene) {
      const all = [...this.root.querySelectorAll("#mine button, #ask button, #middle button")].filter((one) => one.offsetParent);
      const at = all.indexOf(document.activeElement);
      const cards = all.filter((one) => one.closest("#mine"));
      let to = all[at + (Math.abs(away) === 1 ? away : 0)] || cards[0];
      if (away === 100) to = all.find((one) => one.closest("#ask")) || to;
      if (away === -100) to = cards.find((one) => one.classList.contains("card")) || to;
      to?.focus();
      event.preventDefault();
    }
  }
}
