// Taking a seat at a table. Whose answer is lost asks again, and gets the same one: it is opened by a secret made here.
import { kept, random } from "./dom.js";

export async function takeSeat(table, join, name, seat) {
  const asked = `sits.${table}.${name}`;
  const fresh = kept.get(asked, random(32));
  kept.set(asked, fresh);
  const answer = await fetch(`/api/tables/${table}/seats`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ join, name, seat, fresh }) });
  const found = await answer.json().catch(() => ({ error: "The server answers nothing that can be read." }));
  if (!answer.ok) throw new Error(found.error || "That did not work.");
  kept.drop(asked);
  return found;
}
