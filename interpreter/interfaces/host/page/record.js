import { button, el, toast } from "./dom.js";

// The record of a match that is over, and the house rules that it names.
export async function download(table) {
  try {
    const rules = await (await table.afterwards("house-rules")).json();
    const record = await (await table.afterwards("record")).text();
    for (const [name, text] of [...rules, [`${table.name}.jsonl`, record]]) {
      const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }
  } catch (error) {
    toast(error.message);
  }
}

// What can be done when a match has ended because it could not go on: nothing lies on the table then that says it is over.
export function afterwards(table) {
  const again = () => table.line.send({ type: "propose", what: "rematch" });
  return el("div.buttons", table.me !== undefined ? button("Play again", again, { class: "go" }) : null, button("Download the record", () => download(table)));
}
