// The lobby: which game, how it is to be played, with which house rules. The form is made from the ruleset.
import { ask } from "./ask.js";
import { button, el, form, kept, plural, toast } from "./dom.js";
import { markdown } from "./markdown.js";
import { own } from "./own.js";

export async function lobby(app, go) {
  const [me, games] = await Promise.all([ask("/api/me"), ask("/api/games")]);
  const back = Object.keys(me.seats);
  const parts = [el("header.front", el("h1", "Houserules"), el("p", "Card games by your rules, each from its own screen."))];
  if (back.length) parts.push(el("section", el("h2", "Your tables"), el("div.chips", ...back.map((name) => el("a.chip", { href: `/t/${name}` }, "Go back to your table")))));
  parts.push(el("section", el("h2", "Join a table"), el("p.quiet", "By the code that its host sees beside the free seats."), codeForm()));
  if (me.host) parts.push(el("section", el("h2", "Open a table"), el("div.games", ...games.map((game) => gameCard(game, () => choose(app, go, game))))));
  else parts.push(el("p.quiet", "Only the host opens tables, with the link that stands in the terminal."));
  app.replaceChildren(el("div.lobby", ...parts));
}

function gameCard(game, act) {
  const [low, high] = [game.players[0], game.players.at(-1)];
  return button(el("span", el("b", game.name), el("small", low === high ? plural(low, "player") : `${low} to ${high} players`)), act, { class: "game" });
}

function codeForm() {
  const field = el("input", { type: "text", maxLength: 7, size: 8, autocapitalize: "characters", autocomplete: "off", said: "the code of the table", placeholder: "ABC DEF", class: "code-field" });
  return form(async () => {
    const code = field.value.replace(/\s/g, "").toUpperCase();
    try {
      const { table } = await ask("/api/code", { code });
      location.assign(`/t/${table}#code=${code}`);
    } catch (error) {
      toast(error.message);
    }
  }, field, el("button.go", "Go"));
}

// One game: players, presets, options, house rules.
async function choose(app, go, game) {
  const state = { players: undefined, options: Object.create(null), variants: [], honor: false, overlays: [], form: null, ours: null };
  const before = {}; // how many players had been chosen before a variant
  const page = el("div.lobby");
  app.replaceChildren(page);
  scrollTo(0, 0);
  let asked = 0;
  const load = async (was) => {
    const mine = ++asked;
    const form = await ask(`/api/games/${game.id}/form?variants=${state.variants}`);
    if (mine !== asked) return; // something else is chosen by now
    state.form = form;
    const { counts, default: usual } = state.form.players;
    state.players = [state.players, was, usual].find((count) => counts.includes(count));
    draw();
  };
  const problem = el("p.problem", { role: "alert" });
  // With house rules that are right the options are theirs.
  const chosenOptions = el("details");
  const drawOptions = () => {
    const { options } = state.ours || state.form;
    for (const name of Object.keys(state.options)) if (!options.some((option) => option.name === name)) delete state.options[name];
    chosenOptions.hidden = !options.length;
    anew(() => chosenOptions.replaceChildren(el("summary", el("h2", `Options (${options.length})`)), el("div.options", ...options.map((option) => field(option, state)))));
  };
  // A variant shows what it sets: its values take the place of those chosen before, and may be changed again.
  const vary = (variant, on) => {
    state.variants = on ? [...state.variants, variant.name] : state.variants.filter((one) => one !== variant.name);
    if (on) for (const name of Object.keys(variant.set)) delete state.options[name];
    drawOptions();
    const was = on ? state.players : before[variant.name];
    before[variant.name] = was;
    if (variant.players !== null) {
      if (on) state.players = variant.players;
      else if (state.players === variant.players) state.players = was;
    }
    load(was);
  };
  const draw = () => anew(() => {
    const { form } = state;
    drawOptions();
    const name = el("input", { type: "text", maxLength: 20, value: page.querySelector("#my-name")?.value ?? kept.get("name", ""), id: "my-name", autocomplete: "nickname", placeholder: "your name" });
    const open = async (begins) => {
      problem.textContent = "";
      page.querySelectorAll(".field.wrong").forEach((one) => one.classList.remove("wrong"));
      const called = name.value.trim();
      if (!called) {
        name.focus();
        problem.textContent = "First tell the others what you are called.";
        return;
      }
      try {
        const { table, ...links } = await ask("/api/tables", { game: chosen(state, game), name: called });
        kept.set("name", called);
        go(table, links, begins);
      } catch (error) {
        blame(page, problem, error);
      }
    };
    page.replaceChildren(
      el("header.front", button("← All games", () => lobby(app, go), { class: "chip" }), el("h1", form.name), el("p", form.about)),
      lesson(state, game),
      el("section.field", el("h2", "Players"), el("div.chips", { role: "radiogroup", said: "players" }, ...form.players.counts.map((count) => button(String(count), () => { state.players = count; load(); }, { id: `players-${count}`, class: `chip${count === state.players ? " chosen" : ""}`, role: "radio", "aria-checked": String(count === state.players) })))),
      form.variants.length ? el("section", el("h2", "Variants"), ...form.variants.map((variant) => variantField(state, variant, vary))) : null,
      el("section", el("h2", "How strictly"), el("label.setting", el("input", { type: "checkbox", checked: state.honor, disabled: !form.honor, on: { change: (event) => (state.honor = event.target.checked) } }), el("span", el("b", "On honour"), form.honor ? " Nothing is said for you and nothing keeps you from a mistake; whoever slips can be caught." : " This game has no rules for that."))),
      chosenOptions,
      houseRules(state, game, drawOptions),
      el("section.opening", el("label", { for: "my-name" }, "Your name "), name, button("Open the table", () => open(false), { class: "go large" }), button("Try it against bots", () => open(true), { class: "chip" }), problem),
    );
  });
  try {
    await load();
  } catch (error) {
    toast(error.message);
    lobby(app, go);
  }
}

// What is half written when an answer comes counts, and is written on where it was.
function anew(draw) {
  const { activeElement: was } = document;
  if (was.matches(".option input:not([type=checkbox])")) was.dispatchEvent(new Event("change"));
  const { selectionStart: start, selectionEnd: end } = was;
  const whole = was.value && String(getSelection()) === was.value; // a number's field doesn't tell what is marked in it
  draw();
  const now = was.isConnected ? null : document.getElementById(was.id);
  if (!now) return;
  now.focus({ preventScroll: true });
  if (start != null) now.setSelectionRange(start, end);
  else if (now.type === "number" && whole) now.select();
  else if (now.type === "number") [now.value, now.value] = ["", now.value]; // or one would write on before it
}

function variantField(state, variant, vary) {
  // A variant that is a ruleset of its own cannot be chosen together with what it does not know.
  const by = state.form.variants.find((one) => state.variants.includes(one.name) && variant.apart.includes(one.name));
  const why = `why-${variant.name}`;
  const box = el("label.setting", el("input", { type: "checkbox", "aria-describedby": by && why, id: `variant-${variant.name}`, checked: state.variants.includes(variant.name), disabled: Boolean(by), on: { change: (event) => vary(variant, event.target.checked) } }), el("span", el("b", title(variant.name)), ` ${variant.doc}`));
  return by ? [box, el("small.why", { id: why }, `Not together with ${title(by.name)}.`)] : box;
}

// Why no table is opened, beside what has to be chosen otherwise.
function blame(page, problem, error) {
  const field = error.field && page.querySelector(`[data-field="${CSS.escape(error.field)}"]`);
  if (field) {
    field.classList.add("wrong");
    field.closest("details")?.setAttribute("open", "");
    field.querySelector(".why").textContent = error.message;
    field.scrollIntoView({ block: "center" });
  } else problem.textContent = error.message;
  if (error.diagnostics?.length) showDiagnostics(page.querySelector(".findings"), error.diagnostics);
}

const chosen = ({ players, options, variants, honor, overlays }, game) => ({ source: game.id, players, options, variants, honor, overlays: overlays.filter((text) => text.trim()) });

// How to play it as it is chosen now: when a match is over, and all that has to be known before the first one.
function lesson(state, game) {
  const facts = el("p", { role: "status" });
  const text = el("div.rules");
  let waiting = 0;
  const load = async () => {
    try {
      const found = await ask("/api/lesson", chosen(state, game));
      facts.textContent = `${found.end} How to play is read in about ${plural(found.minutes, "minute")}.`;
      text.replaceChildren(...markdown(found.text));
      facts.className = "";
    } catch (error) { // what does not go together is told at once
      facts.className = "problem";
      facts.textContent = error.message;
      text.replaceChildren();
    }
  };
  load();
  state.changed = () => { clearTimeout(waiting); waiting = setTimeout(load, 400); };
  return el("section.lesson", facts, el("details", { on: { toggle: (event) => event.target.open && load() } }, el("summary", el("h2", "How to play")), text));
}

// What the variants that are chosen give to options, and which of them does; of two the later one.
function presets(state) {
  const found = Object.create(null);
  for (const name of state.variants) {
    const variant = (state.ours || state.form).variants.find((one) => one.name === name);
    for (const [option, value] of Object.entries(variant?.set || {})) found[option] = { value, by: name };
  }
  return found;
}

const title = (name) => name.replaceAll("_", " ").replace(/^./, (sign) => sign.toUpperCase());

function field(option, state) {
  const set = (value) => {
    if (value === undefined) delete state.options[option.name];
    else state.options[option.name] = value;
    by.remove();
    state.changed();
  };
  const preset = Object.hasOwn(state.options, option.name) ? undefined : own(presets(state), option.name);
  const by = el("small.preset", preset ? `Set by ${title(preset.by)}` : "");
  const now = preset ? preset.value : (own(state.options, option.name) ?? option.default);
  // of a list each entry may have parts of its own: set 3.. + run 4.., 100:50
  const isList = option.type.startsWith("list");
  const within = option.type.endsWith("pairs") ? ":" : " + ";
  const read = (one) => (option.type.endsWith("melds") ? one.split("+").map((part) => part.trim()) : option.type.endsWith("pairs") ? one.split(":").map(Number) : option.type.endsWith("integer") ? Number(one) : one);
  let input;
  if (option.type === "flag") input = el("input", { type: "checkbox", checked: Boolean(now), on: { change: (event) => set(event.target.checked) } });
  else if (option.choices.length && !isList) input = el("select", { on: { change: (event) => set(option.choices[event.target.selectedIndex]) } }, ...option.choices.map((choice) => el("option", { selected: choice === now }, title(String(choice)))));
  else if (option.type === "integer") input = el("input", { type: "number", min: option.min === null ? undefined : String(option.min), max: option.max === null ? undefined : String(option.max), value: String(now), inputmode: "numeric", on: { change: (event) => set(event.target.value === "" ? undefined : Number(event.target.value)) } });
  else input = el("input", { type: "text", value: Array.isArray(now) ? now.map((one) => [one].flat().join(within)).join(", ") : now === null ? "" : String(now), on: { change: (event) => set(isList ? event.target.value.split(",").map((one) => one.trim()).filter(Boolean).map(read) : event.target.value || undefined) } });
  const id = `option-${option.name}`;
  input.id = id;
  const bounds = option.type === "integer" && option.min !== null && option.max !== null ? ` (${option.min} to ${option.max})` : isList && option.choices.length ? ` (${option.choices.join(", ")})` : "";
  return el(`div.field option type-${option.type.split(" ")[0]}`, { data: { field: option.name } }, el("label", { for: id }, el("b", title(option.name)), el("small", ` ${option.doc || ""}${bounds}`)), input, preset ? by : null, el("p.why"));
}

// More files of house rules than this are not taken.
const MOST_LAYERS = 8;

// House rules: files that are dropped here, or written, one laid on the other, with what is wrong under the line as one
// types.
// changed: is called when they change what can be chosen.
function houseRules(state, game, changed) {
  const layers = [];
  const list = el("div");
  const told = el("div.findings", { "aria-live": "polite" });
  const more = button("Another file on top", () => add("").text.focus(), { class: "chip" });
  let waiting = 0;
  const check = () => {
    state.overlays = layers.map((layer) => layer.text.value);
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const used = layers.filter((layer) => layer.text.value.trim());
      for (const layer of layers) layer.findings.replaceChildren();
      told.replaceChildren();
      const before = state.ours;
      state.ours = null;
      if (!used.length) {
        if (before) changed();
        return;
      }
      try {
        const found = await ask("/api/check", { source: game.id, overlays: used.map((layer) => layer.text.value) });
        used.forEach((layer, at) => showDiagnostics(layer.findings, found.findings.filter((one) => one.file === at), layer.text.value));
        showDiagnostics(told, found.findings.filter((one) => one.file === undefined || one.file === null));
        state.ours = found.form || before;
        if (JSON.stringify(state.ours) !== JSON.stringify(before)) changed();
        if (found.difference) told.append(el("h3", used.length > 1 ? "What they change" : "What it changes"), el("pre.difference", found.difference));
        if (!found.findings.length) told.append(el("p.fine", `Nothing is wrong with ${used.length > 1 ? "them" : "it"}.`));
      } catch (error) {
        told.replaceChildren(el("p.problem", error.message));
      }
    }, 350);
  };
  const add = (value) => {
    const text = el("textarea", { rows: 8, spellcheck: false, id: `rules-${layers.length}`, said: layers.length ? `house rules, file ${layers.length + 1}` : "house rules", placeholder: `format: 1\nid: our-rules\nextends: ${game.id}\noptions: {…}`, on: { input: check } });
    text.value = value;
    const layer = { text, findings: el("div.findings", { "aria-live": "polite" }) };
    layers.push(layer);
    list.append(text, layer.findings);
    more.hidden = layers.length >= MOST_LAYERS;
    return layer;
  };
  for (const value of state.overlays.length ? state.overlays : [""]) add(value);
  const take = async (files) => {
    for (const file of files) {
      if (file.size >= 256_000) continue;
      const free = layers.find((layer) => !layer.text.value.trim()) || (layers.length < MOST_LAYERS ? add("") : layers.at(-1));
      free.text.value = await file.text();
    }
    check();
  };
  const box = el("details.house-rules", { open: state.overlays.some((text) => text.trim()) }, el("summary", el("h2", "House rules")), el("p.quiet", "Drop files here, choose some, or write. Of several the later one wins."), list, more, el("input", { type: "file", accept: ".yaml,.yml", multiple: true, said: "files of house rules", on: { change: (event) => take(event.target.files) } }), told);
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  return box;
}

function showDiagnostics(box, diagnostics, text = "") {
  const lines = text.split("\n");
  box.replaceChildren(...diagnostics.map((one) => el(`div.finding ${one.severity}`,
    el("p", el("b", one.line ? `Line ${one.line}: ` : ""), one.message, el("small", ` ${one.code}`)),
    one.line && lines[one.line - 1] !== undefined ? el("pre", `${lines[one.line - 1]}\n${" ".repeat(Math.max(0, one.column - 1))}^`) : null,
    one.hint ? el("p.quiet", one.hint) : null)));
}
