// The socket of a table: says hello, keeps count of the news, comes back by itself, and sends a move again until it is
// answered, always with the same id, so that it is made once.
import { random } from "./dom.js";

export const VERSION = 3;
const WAITS = [300, 700, 1500, 3000];
const SILENT = 5000;
const MOST_UNANSWERED = 20; // so many of each page the server knows when they come again
const LONGEST = 16384; // bytes of a message

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
    const socket = (this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/socket`));
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", v: VERSION, ...this.hello }));
    if (this.silence) this.listen(); // one server of several may be gone
    socket.onmessage = (event) => {
      for (const line of event.data.split("\n")) this.came(JSON.parse(line));
    };
    socket.onclose = () => this.lost(socket);
  }

  lost(socket) {
    if (this.closed || socket !== this.socket) return;
    this.on.standing("lost");
    this.timer = setTimeout(() => this.open(), WAITS[this.tries] || 5000);
    this.tries += 1;
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
    if (this.closed || this.socket.readyState < WebSocket.CLOSING) return;
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
    if (type === "news") {
      if (body.n > this.n + 1) {
        this.n = undefined; // something is missing: all anew
        this.socket.close();
        return;
      }
      if (body.n <= this.n) return;
    }
    if ("n" in body) {
      this.n = body.n;
      if (this.tries || type === "welcome") this.on.standing("open");
      this.tries = 0;
    }
    this.unanswered.delete(body.id);
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
    const message = { type: "move", id, move, ask, seen: this.n, words: words || undefined };
    const why =
      this.unanswered.size >= MOST_UNANSWERED
        ? "what you did before is not answered yet"
        : new Blob([JSON.stringify(message)]).size > LONGEST && "that is too long";
    if (why) {
      queueMicrotask(() => { // behind the id
        this.on.message("refused", { id, text: `Not sent: ${why}.` });
        if (this.socket.readyState !== WebSocket.OPEN) this.on.standing("lost");
      });
      return id;
    }
    this.unanswered.set(id, message);
    this.send(message);
    return id;
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
