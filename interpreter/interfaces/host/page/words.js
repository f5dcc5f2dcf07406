// What can be said of a table in words: its facts, what has changed, what a move is called.
import { GLYPHS, look } from "./cards.js";
import { own } from "./own.js";

// What stands above the table: what is known of the deal, and which way play goes where that may change.
export function factsOf(scene) {
  const way = { left: "↻ to the left", right: "↺ to the right" }[scene.direction];
  return [...scene.facts, ...(way ? [["play goes", way]] : [])];
}

// What has changed and nobody says: who sits where, and what all want to see.
export function differences(before, scene) {
  if (!before || !scene || before.me !== scene.me || scene.over) return [];
  const found = [];
  const order = (one) => one.seats.map((seat) => seat.id).join(" ");
  if (order(before) !== order(scene)) found.push(`The seats have changed: ${scene.seats.map((seat) => ({ name: seat.name, ...scene.marks[seat.id] })).filter((seat) => seat.where || seat.with).map((seat) => `${seat.name} ${[seat.where, seat.with].filter(Boolean).join(", ")}`).join("; ")}.`);
  const known = new Map(before.facts.map(([name, value]) => [name, value]));
  for (const [name, value, always] of scene.facts) if (always && known.get(name) !== value) found.push(`${capital(name)}: ${value}.`);
  return found;
}

export function isFace(scene, word) {
  return Object.hasOwn(scene.game.cards, word);
}

// Whether a word of a move is something that can be tapped on this table.
export function isOnTable(scene, word, act) {
  const [bare, at] = word.split("@");
  if (at || scene.places.some((place) => place.id === word)) return true;
  if (isFace(scene, bare)) return scene.places.some((place) => place.cards.includes(bare));
  return false;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function short(scene, face) {
  const card = look(scene, face);
  const glyph = GLYPHS[card.symbol];
  return glyph ? `${card.index}${glyph}` : card.name;
}

// What a button says that makes a move: its action with what was chosen.
export function label(scene, { act, move, words }) {
  const given = words || move.slice(act.name.length + 1).split(" ").filter(Boolean);
  if (!given.length) return capital(act.label);
  const told = given.map((word) => called(scene, word, act)).join(", ");
  const slot = /\b(?:up to )?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+)(?: to \w+)? (?:cards?|pile|number from \d+ to \d+|suit|player|rank|side)\b/;
  return capital(slot.test(act.label) ? act.label.replace(slot, () => told) : `${act.label} ${told}`);
}

function called(scene, word, act) {
  const bare = word.split("@")[0];
  if (isFace(scene, bare)) return short(scene, bare);
  const place = scene.places.find((one) => one.id === word);
  if (place) return place.name;
  const words = own(act.words, word);
  if (words) return words;
  const seat = scene.seats.find((one) => one.id === word);
  return seat ? (seat.id === scene.me ? "you" : seat.name) : word.replaceAll("_", " ");
}
