// Several people with one device: whoever is asked next takes it, and sees nothing before saying who they are.
import { takeSeat } from "./ask.js";
import { button, el, form, hush, toast } from "./dom.js";
import { Line } from "./socket.js";

export class Passing {
  // table: of whoever has the device now. seats: those of this device; the others are kept as being there.
  constructor(table, seats) {
    this.table = table;
    this.seats = [];
    this.quiet = new Map();
    this.box = el("div.cover", { role: "dialog", said: "whose turn it is to have the device", hidden: true });
    for (const seat of seats) this.add(seat);
  }

  get covered() {
    return !this.box.hidden;
  }

  add(seat) {
    if (!this.seats.includes(seat)) this.seats.push(seat);
    if (seat !== this.table.seat) this.keep(seat);
  }

  keep(seat) {
    this.quiet.get(seat)?.close();
    const message = (type, body) => type === "error" && body.final && this.drop(seat);
    this.quiet.set(seat, new Line({ table: this.table.name, seat }, { message, standing() {} }));
  }

  // The seat has gone to another device, or to a bot. Who is left says so before anything is seen.
  drop(seat) {
    this.seats = this.seats.filter((one) => one !== seat);
    this.quiet.delete(seat);
    if (this.seats.length && (this.covered || seat === this.table.seat)) this.cover();
  }

  leave() {
    for (const line of this.quiet.values()) line.close();
  }

  // Who of this device is to do something, while whoever has it is not.
  get next() {
    const { news, scene, seat: mine } = this.table;
    if (!news || this.seats.length < 2) return undefined;
    const asked = news.proposal?.open || [];
    const waits = (seat) => asked.includes(seat) || Boolean(!asked.length && scene && !scene.over && scene.seats.some((one) => one.turn && one.id === `P${seat + 1}`));
    return waits(mine) ? undefined : this.seats.find((seat) => seat !== mine && waits(seat));
  }

  // Nothing of the table is seen until one of them takes the device.
  cover(seats = this.seats) {
    const names = seats.map((seat) => this.table.nameOf(seat));
    const heading = seats.length === 1 ? `Give the device to ${names[0]}` : "Who has the device?";
    const choices = seats.map((seat, at) => button(`I am ${names[at]}`, () => this.take(seat), { class: "go large", disabled: true }));
    setTimeout(() => choices.forEach((one) => (one.disabled = false)), 500); // who taps twice to pass it on has not taken it
    const head = el("h1", { tabIndex: -1 }, heading);
    this.shown = seats;
    this.box.replaceChildren(el("div.sheet-of-paper", head, ...choices));
    this.box.hidden = false;
    hush(true);
    this.table.root.classList.add("covered");
    head.focus();
  }

  // Names are known when the table has been told of.
  draw() {
    if (this.covered && !this.box.textContent.includes(this.table.nameOf(this.shown[0]))) this.cover(this.shown);
  }

  take(seat) {
    this.box.hidden = true;
    hush(false);
    this.table.root.classList.remove("covered");
    if (seat === this.table.seat) {
      this.table.draw(true);
      return;
    }
    if (this.seats.includes(this.table.seat)) this.keep(this.table.seat);
    this.quiet.get(seat)?.close();
    this.quiet.delete(seat);
    this.table = this.table.become(seat);
  }

  button() {
    const { next } = this;
    return next === undefined ? null : button(`Pass the device to ${this.table.nameOf(next)}`, () => this.cover([next]), { class: "go" });
  }

  // Before the match somebody else can sit down here, who has no device of their own.
  invitation(join) {
    const field = el("input", { type: "text", id: "their-name", maxLength: 20, autocomplete: "off", placeholder: "their name" });
    const sits = () => {
      field.blur();
      takeSeat(this.table.name, join, field.value.trim()).then(({ seat }) => this.add(seat), (error) => toast(error.message));
    };
    return form(sits, el("label", { for: "their-name" }, "Pass this device: somebody else plays on it, too "), field, el("button.chip", "Sit down here"));
  }
}
