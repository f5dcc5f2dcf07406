// The socket of a table: says hello, keeps count of the news, comes back by itself, and sends a move again until it is
// answered, always with the same id, so that it is made once.
import { random } from "./dom.js";

export const VERSION = 3;
const WAITS = [300, 700, 1500, 3000, 5000];
const SILENT = 5000;
// Of each page the server knows so many moves by their ids when they come again: no more are under way.
const MOST_UNANSWERED = 20;
const BEHIND = "What you have done before is not answered yet; this was not sent. Wait a moment.";

export class Line {
  // on: what to do with what comes: message(type, body), standing("open" | "lost")
  constructor(hello, on) {
    this.hello = hello;
    this.on = on;
    this.n = undefined;
    this.tries = 0;
    this.unanswered = new Map();
    this.closed = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      const hello = { type: "hello", v: VERSION, ...this.hello };
      socket.send(JSON.stringify(hello));
    };
    if (this.silence) this.listen(); // one server of several may be gone
    socket.onmessage = (event) => {
      for (const line of event.data.split("\n")) this.came(JSON.parse(line));
    };
    socket.onclose = () => this.lost(socket);
  }

  lost(socket) {
    if (this.closed || socket !== this.socket) return;
    this.on.standing("lost");
    const wait = WAITS[Math.min(this.tries, WAITS.length - 1)];
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  // A server that tells that it is there is looked for elsewhere when it does not.
  listen() {
    const socket = this.socket;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.leave(socket), SILENT);
  }

  // Closing waits for the other side, which may be gone.
  leave(socket) {
    if (socket !== this.socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
    this.lost(socket);
  }

  // At once, if the network has come back or the page is looked at again.
  hurry() {
    if (this.closed || this.socket.readyState === WebSocket.OPEN || this.socket.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.timer);
    this.open();
  }

  close() {
    this.closed = true;
    this.socket.close();
  }

  came(body) {
    const { type } = body;
    if (type === "ping") {
      if (body.t) this.send({ type: "pong", t: body.t });
      else this.listen();
      return;
    }
    if (type === "welcome") {
      this.n = body.n;
      this.tries = 0;
      this.on.standing("open");
    }
    if (type === "news") {
      if (this.n !== undefined && body.n > this.n + 1) {
        this.n = undefined; // something is missing: all anew
        this.socket.close();
        return;
      }
      if (this.n !== undefined && body.n <= this.n) return;
      this.n = body.n;
      if (this.tries) {
        this.tries = 0;
        this.on.standing("open");
      }
    }
    if (type === "done" || type === "refused") this.unanswered.delete(body.id);
    if (type === "error" && body.final) this.closed = true;
    this.on.message(type, body);
    if (type === "welcome") for (const move of this.unanswered.values()) this.send(move);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.hurry();
  }

  move(move, ask, words) {
    const id = random(20);
    if (this.unanswered.size >= MOST_UNANSWERED) {
      queueMicrotask(() => this.refuse(id)); // whoever makes a move first has to know its id
      return id;
    }
    const message = { type: "move", id, move, ask, seen: this.n };
    if (words) message.words = words;
    this.unanswered.set(id, message);
    this.send(message);
    return id;
  }

  // A move that is not even sent; a connection that is lost is told again behind it, for it stays so.
  refuse(id) {
    this.on.message("refused", { type: "refused", id, text: BEHIND });
    if (!this.closed && this.socket.readyState !== WebSocket.OPEN) this.on.standing("lost");
  }
}

// Changes of a scene: [path, value], [path], or [path, at, number, entries].
export function changed(old, changes) {
  let found = old;
  for (const [path, ...value] of changes) found = put(found, path, value);
  return found;
}

function put(old, path, value) {
  if (!path.length && value.length < 2) return value[0];
  if (!path.length) return [...old.slice(0, value[0]), ...value[2], ...old.slice(value[0] + value[1])];
  const [key, ...rest] = path;
  const copy = Array.isArray(old) ? [...old] : { ...old };
  if (!rest.length && !value.length) delete copy[key];
  else copy[key] = put(old ? old[key] : undefined, rest, value);
  return copy;
}
