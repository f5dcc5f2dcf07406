// Small helpers to make elements. Texts are only ever set as texts, so nothing that somebody wrote can be markup.

// tag: with its classes behind a dot, as "div.card face". attributes: may be left out.
export function el(tag, attributes, ...children) {
  const [name, classes] = tag.split(".");
  const found = document.createElement(name);
  if (classes) found.className = classes;
  if (name === "button") found.type = "button";
  if (attributes?.constructor !== Object) children.unshift(attributes);
  else for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (key === "class") found.className = value;
    else if (key === "said") found.setAttribute("aria-label", value);
    else if (key === "on") for (const [event, act] of Object.entries(value)) found.addEventListener(event, act);
    else if (key === "data") Object.assign(found.dataset, value);
    else if (key in found && !key.startsWith("aria") && typeof value !== "string") found[key] = value;
    else found.setAttribute(key, value === true ? "" : value);
  }
  found.append(...children.flat().filter((child) => child != null && child !== false));
  return found;
}

// So many letters that nobody guesses.
export const random = (letters) => Array.from(crypto.getRandomValues(new Uint8Array(letters)), (byte) => byte.toString(36)).join("").slice(0, letters);

export const UNSAID = { "aria-hidden": "true" };
export const button = (text, act, attributes = {}) => el("button", { on: { click: act }, ...attributes }, text);

// Its last child is the button that sends it.
export function form(act, ...children) {
  children.at(-1).type = "submit";
  return el("form.fill", { on: { submit: (event) => { event.preventDefault(); act(); } } }, ...children);
}

// A button on the table, which is drawn anew all the time: its key says which one is meant.
export function tapButton(text, key, act, attributes = {}) {
  const aloud = sayable(text);
  const found = el("button", { said: aloud === text ? undefined : aloud, ...attributes, data: { key } }, text);
  found.act = act;
  return found;
}

export const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(""));

export function plural(count, noun) {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

let fading = 0;
let stays = false;
// lasting: milliseconds, or STAYS for what is so until something else is told. That is of the connection or the seat, and
// of nobody's cards: whoever takes the device is told, too.
export const STAYS = 1e9;
export function toast(text, lasting = 5000) {
  if (text && hushed && lasting !== STAYS) return; // it is for whoever has had the device
  stays = lasting === STAYS;
  announce(text, true, undefined, stays);
  const box = document.getElementById("toast");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(fading);
  if (text) fading = setTimeout(() => (box.hidden = true), lasting);
}

// Cards as they are called, where a text has them in signs: 10♥ is the ten of hearts.
let called = {};
export function nameCards(names) {
  called = names;
}
export const sayable = (text) => text.replace(/[A-Z0-9]{1,3}[♣♦♥♠]/g, (sign) => called[sign] || sign);

// One live region. What has happened comes before what one has to decide; in a race, where it speaks once a second at
// most, after it.
const waiting = [];
let speaking = 0;
let spoke = -Infinity;
let paced = false;
let hushed = false;
// slow: whether what has happened is news of a race; from then on nothing else is quicker, until it is none.
export function announce(text, first = false, slow = undefined, always = false) {
  if (slow !== undefined) paced = slow;
  if (!text || (hushed && !always) || waiting.at(first ? 0 : -1) === text) return; // asked again after a move is no repetition
  if (first) waiting.unshift(text);
  else waiting.push(text);
  if (!speaking) speaking = setTimeout(speak, Math.max(120, paced ? spoke + 1000 - performance.now() : 0));
}
function speak() {
  speaking = 0;
  spoke = performance.now();
  document.getElementById("live").textContent = sayable(waiting.splice(0).join(" "));
}

// While nobody has said who has the device, nothing is said, and what was said is gone.
export function hush(on) {
  hushed = on;
  if (!on) return;
  waiting.length = 0;
  document.getElementById("live").textContent = "";
  if (!stays) toast("");
}

export const kept = {
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`houserules.${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      if (value === undefined) localStorage.removeItem(`houserules.${key}`);
      else localStorage.setItem(`houserules.${key}`, JSON.stringify(value));
    } catch {
      // a private window keeps nothing
    }
  },
};

let audio;
export function beep() {
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.26);
}
