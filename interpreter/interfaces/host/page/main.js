// Which page this is: the lobby, or a table, and with what right one comes.
import { ask, fresh, takeSeat } from "./ask.js";
import { button, el, form, kept, toast } from "./dom.js";
import { lobby } from "./lobby.js";
import { linksOf } from "./room.js";
import { Table } from "./table.js";

const app = document.getElementById("app");

async function start() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const found = location.pathname.match(/^\/t\/([^/]+)/);
  try {
    if (!found) {
      if (given.host) {
        await ask("/api/host", { secret: given.host });
        history.replaceState(null, "", "/");
      }
      await lobby(app, go);
      return;
    }
    await atTable(found[1], given);
  } catch (error) {
    app.replaceChildren(el("div.sheet-of-paper alone", el("h1", "Houserules"), el("p", error.message), button("To the beginning", () => location.assign("/"))));
  }
}

const learn = (name, links) => kept.set(`links.${name}`, { ...linksOf(name), ...links });

// Somebody comes to a table: with a seat of this device, a seat's link, the table's link or code, or to watch.
async function atTable(name, given) {
  if (given.seat) {
    const { seat, secret } = await ask(`/api/tables/${name}/device`, { secret: given.seat, fresh: fresh(given.seat) });
    learn(name, { secret, seat });
    history.replaceState(null, "", `/t/${name}`);
  }
  const me = await ask(`/api/me?table=${name}`);
  const seats = me.seats[name] || [];
  if (given.watch) { // it stays in the address: a page that is loaded anew has nothing else, and it opens no seat
    learn(name, { watch: given.watch });
    sit(name, { token: given.watch });
  } else if (seats.length) {
    const own = linksOf(name).seat;
    sit(name, { seat: seats.includes(own) ? own : seats[0] }, seats);
  } else if (given.join || given.code) {
    if (given.join) learn(name, { join: given.join });
    const opens = given.join || given.code;
    const table = sit(name, { token: opens });
    table.joinForm = (seat) => join(name, opens, table, seat);
    const field = () => el("input", { type: "text", id: "my-name", maxLength: 20, value: kept.get("name", ""), autocomplete: "nickname", said: "your name", placeholder: "your name" });
    table.joining_ = () => form(() => join(name, opens, table), el("label", { for: "my-name" }, "Your name "), field(), el("button.go", "Sit down"));
  } else if (linksOf(name).secret && !given.seat) {
    return atTable(name, { seat: linksOf(name).secret });
  } else {
    throw new Error("You have no seat at this table; open its link, or type its code.");
  }
}

async function join(name, opens, table, wanted) {
  const field = document.getElementById("my-name");
  const called = field?.value.trim();
  if (!called) {
    field?.focus();
    toast("First tell the others what you are called.");
    return;
  }
  kept.set("name", called); // the field is made anew meanwhile
  try {
    const { seat, secret } = await takeSeat(name, opens, called, wanted);
    learn(name, { secret, seat });
    table.leave();
    history.replaceState(null, "", `/t/${name}`);
    sit(name, { seat });
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
  learn(name, links);
  history.pushState(null, "", `/t/${name}`);
  sit(name, { seat: links.seat }).begins = begins;
}

addEventListener("popstate", () => location.reload());
start();
