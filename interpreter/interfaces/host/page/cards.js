// A card as it is drawn: index, symbol and colour on every one.
import { el, nameCards, UNSAID } from "./dom.js";
import { own } from "./own.js";
import { symbol } from "./symbols.js";

export const GLYPHS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };
const COURT = new Set(["J", "Q", "K"]);

export function look(scene, face) {
  return own(scene.game.cards, face) || { index: face, letter: "", symbol: "star", colour: "black", back: "blue", name: face };
}

// How the cards of a game are said whose signs stand in sentences.
export function learnCards(scene) {
  nameCards(Object.fromEntries(Object.values(scene.game.cards).filter((card) => GLYPHS[card.symbol]).map((card) => [card.index + GLYPHS[card.symbol], card.name])));
}

export function spoken(scene, face) {
  return face === null ? "a hidden card" : look(scene, face).name;
}

function sign(card, name = card.symbol) {
  return name ? symbol(name) : el("span.letter", card.letter);
}

// options: tag ("button" where it can be tapped), label, classes
export function drawCard(scene, face, { tag = "span", classes = "", label, data = {}, pressed } = {}) {
  const attributes = { class: `card ${classes}`, data };
  if (tag === "button") {
    attributes.type = "button";
    if (pressed !== undefined) attributes["aria-pressed"] = String(pressed);
  }
  if (face === null || face === undefined) {
    attributes.class += ` back ${backOf(scene)}`;
    attributes.said = label || "a hidden card";
    if (tag === "span") attributes.role = "img";
    return el(tag, attributes);
  }
  const card = look(scene, face);
  attributes.class += ` face ink-${card.colour}${COURT.has(card.index) ? " court" : ""}`;
  attributes.said = label || card.name;
  const corner = el("span.corner", UNSAID, el("b", { class: card.index.length > 2 ? "long" : ["", "two", "wide"][card.index.length - 1 + (/[MW]/.test(card.index) ? 1 : 0)] }, card.index), sign(card));
  const middle = el("span.pip", UNSAID);
  if (COURT.has(card.index)) middle.append(el("i", card.index), sign(card));
  else middle.append(sign(card, card.middle || card.symbol));
  const shown = el(tag, attributes, corner, middle);
  if (tag === "span") shown.setAttribute("role", "img");
  return shown;
}

let known = [null, "back-blue"];
export function backOf(scene) {
  if (known[0] !== scene.game.cards) {
    const first = Object.values(scene.game.cards)[0];
    known = [scene.game.cards, `back-${first ? first.back : "blue"}`];
  }
  return known[1];
}

// How cards of a suit look that is called so, where it is no colour or the colour of one suit only.
export function suitOf(scene, name) {
  return Object.values(scene.game.cards).find((card) => card.symbol && (card.symbol === name || (card.colour === name && !GLYPHS[card.symbol])));
}

export function swatch(scene, name) {
  const card = suitOf(scene, name);
  return card ? el(`span.swatch ink-${card.colour}`, UNSAID, symbol(card.symbol)) : null;
}
