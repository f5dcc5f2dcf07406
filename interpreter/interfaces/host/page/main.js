// Which page this is: the lobby, or a table, and with what right one comes.
import { button, el, form, kept, random, toast } from "./dom.js";
import { lobby } from "./lobby.js";
import { linksOf } from "./room.js";
import { takeSeat } from "./seat.js";
import { Table } from "./table.js";

const app = document.getElementById("app");

export async function ask(path, body) {
  const answer = await fetch(path, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const found = await answer.json().catch(() => ({ error: "The server answers nothing that can be read." }));
  if (!answer.ok) throw Object.assign(new Error(found.error || "That did not work."), found);
  return found;
}

function fragment() {
  const [key, value] = location.hash.slice(1).split("=");
  return { [key]: value };
}

async function start() {
  const given = fragment();
  const found = location.pathname.match(/^\/t\/([^/]+)/);
  try {
    if (!found) {
      if (given.host) {
        await ask("/api/host", { secret: given.host });
        history.replaceState(null, "", "/");
      }
      await lobby(app, ask, go);
      return;
    }
    await atTable(found[1], given);
  } catch (error) {
    app.replaceChildren(el("div.sheet-of-paper alone", el("h1", "Houserules"), el("p", error.message), button("To the beginning", () => location.assign("/"))));
  }
}

// Somebody comes to a table: with a seat of this device, a seat's link, the table's link or code, or to watch.
async function atTable(name, given) {
  if (given.seat) {
    const fresh = kept.get(given.seat, random(32)); // the same if no answer has come before
    kept.set(given.seat, fresh);
    const { seat, secret } = await ask(`/api/tables/${name}/device`, { secret: given.seat, fresh });
    kept.set(`links.${name}`, { ...linksOf(name), secret, seat });
    history.replaceState(null, "", `/t/${name}`);
  }
  const me = await ask("/api/me");
  const seats = me.seats[name] || [];
  if (given.watch) { // it stays in the address: a page that is loaded anew has nothing else, and it opens no seat
    kept.set(`links.${name}`, { ...linksOf(name), watch: given.watch });
    sit(name, { token: given.watch });
  } else if (seats.length) {
    const own = kept.get(`links.${name}`, {}).seat;
    sit(name, { seat: seats.includes(own) ? own : seats[0] }, seats);
  } else if (given.join || given.code) {
    if (given.join) kept.set(`links.${name}`, { ...linksOf(name), join: given.join });
    const opens = given.join || given.code;
    const table = sit(name, { token: opens });
    table.joinForm = (seat) => join(name, opens, table, seat);
    table.joining_ = () => nameForm((called) => join(name, opens, table, undefined, called));
  } else {
    throw new Error("You have no seat at this table; open its link, or type its code.");
  }
}

function nameForm(act) {
  const field = el("input", { type: "text", id: "my-name", maxLength: 20, value: kept.get("name", ""), autocomplete: "nickname", said: "your name", placeholder: "your name" });
  return form(() => act(field.value.trim()), el("label", { for: "my-name" }, "Your name "), field, el("button.go", "Sit down"));
}

async function join(name, secret, table, seat, called = document.getElementById("my-name")?.value.trim()) {
  if (!called) {
    document.getElementById("my-name")?.focus();
    toast("First tell the others what you are called.");
    return;
  }
  kept.set("name", called); // the field is made anew meanwhile
  try {
    const got = await takeSeat(name, secret, called, seat);
    kept.set(`links.${name}`, { ...linksOf(name), secret: got.secret, seat: got.seat });
    if (table) table.leave();
    history.replaceState(null, "", `/t/${name}`);
    sit(name, { seat: got.seat });
  } catch (error) {
    toast(error.message);
  }
}

// seats: all of this device's; of several people the page asks first who has it.
function sit(name, hello, seats = hello.seat === undefined ? [] : [hello.seat]) {
  document.body.classList.add("in-table");
  return new Table(app, name, hello, seats);
}

// begins: without waiting for others, bots at their seats.
function go(name, links, begins) {
  kept.set(`links.${name}`, links);
  history.pushState(null, "", `/t/${name}`);
  sit(name, { seat: links.seat }).begins = begins;
}

addEventListener("popstate", () => location.reload());
start();
