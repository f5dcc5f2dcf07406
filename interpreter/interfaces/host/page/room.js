// Before the match: who sits where, and how others come in. The same links can be had in the menu later.
import { post } from "./ask.js";
import { button, el, kept, toast } from "./dom.js";

const WAITING = "Nothing can be stored just now; the table goes on as soon as it can.";
const LEVELS = ["easy", "medium", "hard"];

export function waitingRoom(box, table) {
  const { news, scene, me } = table;
  box.hidden = !(!scene || news.paused || news.count || news.proposal || news.waiting || (news.why && news.state !== "playing"));
  if (box.hidden) {
    box.replaceChildren();
    return;
  }
  if (scene) {
    box.className = "notice-over";
    box.replaceChildren(...overTable(table));
    return;
  }
  box.className = "waiting";
  const isHost = me !== undefined && news.seats[me] && news.seats[me].host;
  const order = (what, more = {}) => table.line.send({ type: "order", what, ...more });
  const seats = el("ol.sitting", ...news.seats.map((seat) => {
    const taken = seat.name || seat.bot;
    const row = el("li", { class: taken ? "taken" : "free" }, el("span.who", taken ? seat.name || "bot" : "free seat", seat.seat === me && el("small", " you"), seat.bot ? el("small", ` bot, ${seat.bot}`) : null, seat.host && el("small", " host"), taken && !seat.bot && !seat.here ? el("small", " away") : null));
    if (isHost && !taken) row.append(el("span.acts", ...LEVELS.map((level) => button(`${level} bot`, () => order("bot", { seat: seat.seat, level }), { class: "chip" }))));
    if (isHost && taken && seat.seat !== me) row.append(button("✕", () => order("remove", { seat: seat.seat }), { class: "drop", said: `Remove ${seat.name}` }));
    if (me === undefined && !taken && table.joinForm) row.append(button("Sit here", () => table.joinForm(seat.seat), { class: "go" }));
    return row;
  }));
  const parts = [el("h1", news.game), news.waiting && el("p", { role: "status" }, WAITING), seats];
  if (news.state !== "lobby") parts.push(el("p", { role: "status" }, news.why || "The match has begun."), news.state === "over" && button("Download the record", () => download(table)));
  else if (me === undefined && table.joinForm) parts.push(table.joining_());
  else if (me === undefined) parts.push(el("p.quiet", "You are watching. The match has not begun."));
  else if (isHost) parts.push(button("Begin", () => order("start"), { class: "go large" }), el("p.quiet", "Bots take the seats that are still free."));
  else parts.push(el("p.quiet", "The host begins the match."));
  const { join } = linksOf(table.name);
  if (me !== undefined && join && news.seats.some((seat) => !seat.name && !seat.bot)) parts.push(table.passing.invitation(join));
  parts.push(...invitation(table));
  // typing is not disturbed by what others do
  if (box.contains(document.activeElement) && document.activeElement.matches("input")) {
    box.querySelector(".sitting")?.replaceWith(seats);
    return;
  }
  box.replaceChildren(el("div.sheet-of-paper", ...parts));
}

function overTable(table) {
  const { news, me, line } = table;
  const parts = [];
  if (news.waiting) parts.push(el("p", WAITING));
  if (news.why && news.state !== "playing") parts.push(el("p", news.why));
  if (news.count) parts.push(el("p.countdown", { role: "timer" }, String(news.count)));
  else if (news.paused) parts.push(el("h2", "Paused"), me !== undefined && button("Go on", () => line.send({ type: "pause", on: false }), { class: "go large" }));
  if (news.proposal) {
    const { proposal } = news;
    parts.push(el("p", proposal.text));
    const vote = (yes) => line.send({ type: "vote", yes, n: proposal.n });
    if (me !== undefined && (proposal.open || []).includes(me)) parts.push(el("div.buttons", button("Yes", () => vote(true), { class: "go" }), button("No", () => vote(false))));
    else parts.push(el("p.quiet", "Waiting for the others."), table.passing.button());
  }
  return [el("div.sheet-of-paper", ...parts)];
}

export function linksOf(name) {
  return kept.get(`links.${name}`, {});
}

export function invitation(table) {
  const links = linksOf(table.name);
  const parts = [];
  const place = `${location.origin}/t/${table.name}`;
  const rows = [];
  if (links.join && table.news.state === "lobby") rows.push(["Others join with", `${place}#join=${links.join}`]);
  if (links.watch) rows.push(["To watch only", `${place}#watch=${links.watch}`]);
  if (links.secret && (links.seat === undefined || links.seat === table.me)) rows.push(["My seat, on another device (it leaves this one)", `${place}#seat=${links.secret}`]);
  if (table.code) parts.push(el("p.code", "Code ", el("b", table.code.replace(/(...)/, "$1 "))));
  for (const [text, link] of rows) {
    parts.push(el("div.link", el("span", text), el("input", { type: "text", readOnly: true, value: link, said: text, on: { focus: (event) => event.target.select() } }), button("Copy", () => copy(link), { class: "chip" })));
  }
  if (rows.length && links.join && table.news.state === "lobby") parts.push(drawn(rows[0][1]));
  if (parts.length) parts.unshift(el("h2", "Invite"));
  return parts;
}

// A link as a picture that phones read. It is sent as a body, for addresses are kept in many places.
const pictures = new Map();
function drawn(link) {
  const picture = el("img.qr", { alt: "A picture that phones read: it opens the table." });
  if (!pictures.has(link)) pictures.set(link, post("/api/qr", { link }).then((answer) => answer.text()));
  pictures.get(link).then((svg) => (picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`)).catch(() => { pictures.delete(link); picture.remove(); });
  return picture;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    // without TLS there is no clipboard: the field is selected instead
    const field = [...document.querySelectorAll("input[readonly]")].find((one) => one.value === text);
    field?.select();
    toast(document.execCommand && document.execCommand("copy") ? "Copied." : "Select the link and copy it.");
  }
}

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
