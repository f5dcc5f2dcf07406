// What is asked of the server beside the socket of a table.
import { kept, random } from "./dom.js";

export async function post(path, body) {
  const answer = await fetch(path, body && { method: "POST", body: JSON.stringify(body) });
  if (answer.ok) return answer;
  const { error = "That did not work.", ...more } = await answer.json().catch(() => ({}));
  throw Object.assign(new Error(error), more);
}

export const ask = async (path, body) => (await post(path, body)).json();

// A secret that is made here for something, the same until it is known that it opens it.
export function fresh(key) {
  const found = kept.get(key, random(32));
  kept.set(key, found);
  return found;
}

// Asked again, as no answer has come, it is the same seat.
export async function takeSeat(table, join, name, seat) {
  const key = `sits.${table}.${name}`;
  const found = await ask(`/api/tables/${table}/seats`, { join, name, seat, fresh: fresh(key) });
  kept.set(key);
  return found;
}
