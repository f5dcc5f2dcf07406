// Draws a scene: the others around, what all share in the middle, one's own below. It measures what has room.
import { backOf, drawCard, spoken, suitOf, swatch } from "./cards.js";
import { el, plural, UNSAID } from "./dom.js";
import { fit } from "./fitting.js";
import { own } from "./own.js";

// What gives way where not all has room: first words that could be missed, then the cards of the others, who have so
// much of the height at most (share, lean, scant), then what is told of them besides and what happened last.
const WAYS = [[0.34], [0.34, true], [0.25, true], [0.25, true, true], [0.34, true, true], [0.5, true, true]];

export function drawTable(regions, view) {
  const before = whereCardsAre(regions.table);
  const { scene } = view;
  const own = scene.me;
  const groups = grouped(scene);
  const mine = groups.filter((group) => own && group.seat === own && group.at !== "table" && isSeen(view, group));
  const middle = groups.filter((group) => group.at === "table" || group.seat.startsWith("T"));
  regions.seats.replaceChildren(...around(others(view, groups)));
  regions.seats.dataset.count = String(scene.seats.length - 1);
  regions.middle.replaceChildren(...clusters(view, middle), ...pieces(view), ...named(scene), ...lastTrick(view));
  regions.mine.dataset.groups = String(mine.length);
  regions.seats.classList.toggle("many", scene.seats.length > 6);
  regions.mine.replaceChildren(el("div.own-row", ownSeat(view)), ...mine.sort((one, other) => rank(one) - rank(other)).map((group) => drawGroup(view, group, true)));
  const { classList, clientWidth, clientHeight } = regions.table;
  const room = `${clientWidth}x${clientHeight} ${scene.kind}`;
  if (room !== regions.room) [regions.way, regions.full] = [0, false];
  regions.room = room;
  const hasRoom = (way) => {
    const [share, lean, scant] = WAYS[(regions.way = way)];
    classList.toggle("lean", Boolean(lean));
    classList.toggle("scant", Boolean(scant));
    return fit(regions, share, scant);
  };
  // it stays so: what there is no room for need not be tried with each move, and nothing else where the last way has none
  if (regions.full || !hasRoom(regions.way)) {
    regions.full = !hasRoom(WAYS.length - 1);
    if (!regions.full) [...WAYS.keys()].some(hasRoom);
  }
  if (!view.still) animate(regions.table, before);
}

// Places of one zone and one owner belong together.
function grouped(scene) {
  const found = new Map();
  for (const place of scene.places) {
    const owner = place.at === "table" && place.group ? "" : place.seat;
    const key = place.group ? `${place.zone}|${owner}` : place.id;
    if (!found.has(key)) found.set(key, { key, zone: place.zone, seat: place.at === "table" ? (place.seat.startsWith("T") ? place.seat : "") : place.seat, at: place.at, group: place.group, beside: place.beside, places: [] });
    found.get(key).places.push(place);
  }
  return [...found.values()];
}

// Single piles come first, then rows of them, the hand last and nearest.
const rank = (group) => (group.places[0].as === "fan" ? 2 : group.places.length > 1 ? 1 : 0);

// An empty fan, or row of empty places, is only drawn where something may be laid into it.
function isSeen(view, group) {
  const hides = group.places.length > 1 || group.places[0].as === "fan";
  return !hides || group.places.some((place) => place.cards.length || place.count || view.takes(place) || view.wants(placeThing(place)));
}

function clusters(view, groups) {
  const found = [];
  const by = new Map();
  for (const group of [...groups].sort((one, other) => Boolean(one.beside) - Boolean(other.beside))) {
    const with_ = group.beside && by.get(group.beside);
    if (with_ && group.places[0].as === "count" && group.places.length === with_.querySelectorAll(".place").length) counted(with_, group);
    else if (with_) with_.append(drawGroup(view, group, false));
    else {
      const box = el(`div.cluster${group.places[0].as === "trick" ? " of-trick" : ""}`, drawGroup(view, group, false));
      found.push(box);
      by.set(group.zone, box);
    }
  }
  // the trick lies in the midst of the others
  const trick = found.find((box) => box.classList.contains("of-trick"));
  const beside = found.filter((box) => box !== trick);
  const tricks = view.scene.kind === "trick" || view.scene.trick.length > 0;
  if (!tricks && beside.length && !view.lingering) return beside;
  const small = beside.reduce((sum, box) => sum + box.querySelectorAll(".card").length, 0) < 3;
  if (trick && small && beside.length) return [trick, el("div.aside-piles", ...beside)];
  return trick ? [...beside, trick] : found;
}

// How many cards lie under each place of a group.
function counted(cluster, group) {
  const places = cluster.querySelectorAll(".place");
  group.places.forEach((place, at) => {
    if (place.count) places[at].prepend(el("span.under", { role: "img", said: `${place.name}: ${plural(place.count, "card")}` }, String(place.count)));
    else places[at].prepend(el("span.under none"));
  });
}

function drawGroup(view, group, isOwn) {
  const count = group.places.length;
  const box = el("div", { class: `group zone-${group.places[0].as} ${group.group ? `as-${group.group}` : "alone"}${count < 4 ? " few" : ""}`, data: { zone: group.zone } });
  if (group.group === "grid") box.style.gridTemplateColumns = `repeat(${count > 8 ? Math.ceil(count / 2) : count}, max-content)`;
  const elsewhere = !isOwn && group.seat.startsWith("P");
  const isRow = group.places[0].as === "row";
  let spare = view.marking ? 0 : 1; // an empty row will do, where none is marked
  for (const place of group.places) {
    const isEmpty = count > 1 && !place.cards.length && !place.count && !view.wants(placeThing(place));
    if (isEmpty && (elsewhere || (isOwn && isRow && (!view.takes(place) || spare-- < 1)))) continue;
    box.append(drawPlace(view, place, isOwn, count > 1));
  }
  return box;
}

function placeThing(place) {
  return { key: `place:${place.id}`, words: [place.id], kind: "place", zone: place.zone, seat: place.seat, place: place.id };
}

// A card that one has in hand is meant by its name, rather than an equal one that one has laid, one of somebody else's,
// or one in the middle where nothing is chosen from.
function wordsOf(view, place, name) {
  const { scene } = view;
  const isOwn = place.seat === scene.me;
  const before = isOwn && place.as === "fan" ? scene.places.indexOf(place) : Infinity; // of several in hand the first has the name
  const isMine = scene.me && !(place.at === "table" && view.open(place)) && scene.places.some((one, at) => one.seat === scene.me && at < before && one.id !== place.id && (!isOwn || one.as === "fan") && one.cards.includes(name));
  return [...(isMine ? [] : [name]), `${name}@${place.id}`];
}

function cardThing(view, place, face, at) {
  const top = at + 1;
  const words = wordsOf(view, place, face ?? String(top));
  return { key: `card:${place.id}:${face === null ? top : face}:${at}`, words, kind: "card", zone: place.zone, seat: place.seat, place: undefined, face };
}

function drawPlace(view, place, isOwn, named) {
  const { scene } = view;
  if (place.as === "trick") return drawTrick(view, place);
  const taps = (own(view.scene.game.taps, place.zone) || []).filter(() => !place.seat || place.seat === scene.me);
  const caption = place.name ? el("span.caption", captionOf(place, scene)) : null;
  if (place.as === "fan" || place.as === "row") {
    const thing = placeThing(place);
    const cards = el(`div.cards ${place.as}${named && place.as === "fan" ? " cascade" : ""}`, { data: { place: place.id, count: String(place.cards.length) } });
    // something is laid onto the whole row, or cards of it are chosen
    const can = view.wants(thing);
    const chosen = (isOwn && place.as === "fan") || view.open(place, "cards") || place.cards.some((face, at) => view.wants(cardThing(view, place, face, at)));
    const whole = place.cards.length > 0 && !chosen && (can || view.takes(place));
    place.cards.forEach((face, at) => cards.append(tapCard(view, place, face, at, isOwn, chosen ? (can ? [place.id] : []) : null)));
    if (!place.cards.length) cards.append(emptyBox(view, place));
    const told = place.as === "fan" && isOwn ? null : caption;
    if (!whole) return el("div.place spread", { data: { place: place.id } }, cards, told);
    const said = `${place.name}: ${place.cards.map((face) => spoken(scene, face)).join(", ")}`;
    const box = el(`button.place spread${can ? " can" : ""}${view.chooser.isPicked(thing.key) ? " picked" : ""}`, { data: { place: place.id, key: thing.key }, said }, cards, told);
    box.thing = thing;
    return box;
  }
  // a stack: its top, and how many there are
  const thing = { ...placeThing(place), taps };
  const top = place.cards[0];
  if (top !== undefined && top !== null) thing.words = [place.id, ...wordsOf(view, place, top)];
  else if (place.cards.length) thing.words = [place.id, "1", `1@${place.id}`];
  thing.kind = "place";
  const count = place.count;
  const said = `${place.name}: ${count === 0 ? "empty" : top ? spoken(scene, top) : place.as === "count" ? "" : "face down"}${count > 1 ? `, ${plural(count, "card")}` : ""}${place.meld ? `, ${place.meld}` : ""}`;
  const still = !isOwn && place.seat.startsWith("P") && place.at !== "table" && !view.open(place) && !view.wants(thing) && !taps.length;
  const box = el(still ? "div" : "button", { role: still ? "img" : undefined, class: `place stack${still ? " still" : ""}${view.wants(thing) ? " can" : ""}${view.chooser.isPicked(thing.key) ? " picked" : ""}`, data: still ? { place: place.id } : { place: place.id, key: thing.key }, said });
  if (!still) box.thing = asCard(view, thing, place, top);
  if (place.cards.length) box.append(drawCard(scene, top, { classes: count > 1 ? "deep" : "", data: { face: top || "" } }));
  else box.append(el("span.card empty", UNSAID));
  if (count > 1 || (place.as === "count" && count !== undefined)) box.append(el("span.number", UNSAID, String(count)));
  if (caption) box.append(caption);
  return box;
}

// The top of a pile is a card where cards are chosen from it, and a place where places are.
function asCard(view, thing, place, top) {
  const acts = view.ask?.acts || [];
  const chosen = acts.some((act) => act.params?.some((param) => param.form === "cards" && param.from?.includes(place.zone)));
  if (chosen && top !== undefined && place.cards.length) return { ...thing, kind: "card", words: [top === null ? "1" : top, place.id] };
  return thing;
}

function captionOf(place, scene) {
  return place.name.replace(!place.seat || place.at === "table" ? /^the / : place.seat === scene.me ? /^(your|the) / : /^.*: |^the /, "");
}

function emptyBox(view, place) {
  const thing = placeThing(place);
  const box = el(`button.card empty${view.wants(thing) ? " can" : ""}`, { data: { key: thing.key }, said: `${place.name}: empty` });
  box.thing = thing;
  return box;
}

// besides: what else a tap on it may mean; null if it is not tapped alone.
function tapCard(view, place, face, at, isOwn, besides) {
  const thing = cardThing(view, place, face, at);
  thing.words.push(...(besides || []));
  const can = besides !== null && view.wants(thing);
  const picked = view.chooser.isPicked(thing.key);
  const seated = besides === null;
  const card = drawCard(view.scene, face, {
    tag: seated ? "span" : "button",
    classes: `${can ? "can" : ""} ${picked ? "picked" : ""} ${view.marks && isOwn && !can && !picked && view.marking ? "cannot" : ""}`,
    data: { face: face || "", ...(seated ? {} : { key: thing.key }) }, // or its row is tapped
    pressed: seated ? undefined : picked,
    label: face === null ? `hidden card ${at + 1}` : `${spoken(view.scene, face)}${can && view.marking ? ", can be played" : ""}`,
  });
  if (!seated) {
    card.thing = thing;
  }
  return card;
}

// A trick: every card lies towards whoever played it.
function drawTrick(view, place) {
  const { scene } = view;
  const plays = scene.trick.length ? scene.trick : view.lingering && scene.last ? scene.last.plays : [];
  const box = el(`div.place trick${scene.trick.length ? "" : " past"}`, { data: { place: place.id }, role: "group", said: "the trick" });
  const seats = scene.seats.map((seat) => seat.id);
  for (const [who, face] of plays) {
    const at = Math.max(0, seats.indexOf(who));
    const angle = ((90 + (360 * at) / seats.length) * Math.PI) / 180;
    const name = nameOf(scene, who);
    const led = who === plays[0][0] && plays.length < seats.length && scene.trick.length;
    const taken = !scene.trick.length && scene.last && scene.last.to === who;
    const spot = el(`span.played${taken ? " took" : ""}`, drawCard(scene, face, { label: `${name}: ${spoken(scene, face)}`, data: { face: face || "" } }), el("span.who", UNSAID, led ? `${name} led` : taken ? `${name} took it` : name));
    spot.style.left = `${50 + 36 * Math.cos(angle)}%`;
    spot.style.top = `${50 + 33 * Math.sin(angle)}%`;
    spot.style.zIndex = String(Math.round(50 + 33 * Math.sin(angle))); // a name lies under the card below, not on its index
    box.append(spot);
  }
  return box;
}

function lastTrick(view) {
  const { scene } = view;
  const { last } = scene;
  if (!last || last.past || view.lingering || !last.plays.length) return [];
  const who = nameOf(scene, last.to);
  const said = `Last trick: ${last.plays.map(([one, face]) => `${nameOf(scene, one)} ${spoken(scene, face)}`).join(", ")}; ${who} took it`;
  const row = el("span.row", UNSAID, ...last.plays.map(([one, face]) => el("span", drawCard(scene, face, { classes: one === last.to ? "took" : "" }), el("span.who", nameOf(scene, one)))));
  row.style.setProperty("--n", String(last.plays.length));
  return [el("div.last", { role: "img", said }, el("span.caption", `last trick: ${who} took it`), row)];
}

// A suit that was named, beside the piles: a trick tells by itself what was led.
function named(scene) {
  if (scene.kind === "trick") return [];
  return scene.facts.filter(([, value]) => suitOf(scene, value)).slice(0, 1).map(([name, value]) => el("span.named", UNSAID, swatch(scene, value), el("span", `${name} `, el("b", value))));
}

function nameOf(scene, who) {
  const seat = scene.seats.find((one) => one.id === who);
  return seat ? (who === scene.me ? "you" : seat.name) : who;
}

// ---- seats ----

function others(view, groups) {
  const { scene } = view;
  const list = scene.me ? scene.seats.slice(1) : scene.seats;
  return list.map((seat, at) => drawSeat(view, seat, groups.filter((group) => group.seat === seat.id && group.at !== "table"), at));
}

// Who sits to the left comes first, then those across, then who sits to the right.
function around(seats) {
  const beside = seats.length < 2 ? 0 : seats.length < 8 ? 1 : 2;
  const right = seats.length - beside;
  const side = (name, some) => el(`div.side side-${name}`, ...some);
  return [side("left", seats.slice(0, beside)), side("top", seats.slice(beside, right)), side("right", seats.slice(right))];
}

function drawSeat(view, seat, groups, at) {
  const { scene } = view;
  const thing = { key: `seat:${seat.id}`, words: [seat.id], kind: "seat" };
  const can = view.wants(thing);
  const person = view.person(seat.id);
  const box = el(`section.seat${seat.turn ? " turn" : ""}${seat.out ? " out" : ""}${can ? " can" : ""}${view.chooser.isPicked(thing.key) ? " picked" : ""}${person && !person.here && !person.bot ? " away" : ""}`, { data: { seat: seat.id, at: String(at) }, said: seat.name });
  const head = el("button.head", { data: { key: thing.key }, said: headSaid(seat, person, scene) }, ...headOf(seat, person, scene));
  head.thing = thing;
  box.append(head);
  const counts = [];
  const piles = el("div.piles");
  const many = scene.seats.length > 6;
  for (const group of groups) {
    const only = group.places[0];
    if (many && group.places.length === 1 && only.as === "stack" && !view.open(only) && !view.wants(placeThing(only))) {
      if (only.cards.length) counts.push(only.cards[0] === null ? heldCards(scene, only) : drawCard(scene, only.cards[0], { classes: "known" }));
      continue;
    }
    const hidden = group.places.length === 1 && only.cards.some((face) => face === null) && !view.open(only);
    if ((hidden || !only.cards.length) && group.places.length === 1 && (only.as === "fan" || only.as === "row")) {
      if (only.count || only.cards.length) counts.push(heldCards(scene, only), ...only.cards.filter((face) => face !== null).map((face) => drawCard(scene, face, { classes: "known" })));
    } else if (group.places.some((place) => place.cards.length || place.count)) {
      piles.append(drawGroup(view, group, false));
    } else if (group.places.some((place) => view.wants(placeThing(place)))) piles.append(drawGroup(view, group, false));
  }
  if (piles.children.length) box.append(piles);
  if (counts.length) head.append(el("span.counts", ...counts));
  return box;
}

// A hidden hand: as many backs as there are cards, and their number.
function heldCards(scene, place) {
  const count = place.count ?? place.cards.length;
  const backs = el("span.backs", UNSAID, ...Array.from({ length: Math.min(count, 13) }, () => el(`i.mini ${backOf(scene)}`)));
  return el("span.held", { role: "img", title: place.name, said: `${place.name}: ${plural(count, "card")}` }, backs, String(count));
}

function headSaid(seat, person, scene) {
  const facts = seat.facts.map((fact) => fact.join(" ").trim()).join(", ");
  const { where, with: partner } = scene.marks[seat.id];
  const turn = seat.turn ? (scene.kind === "ask" ? "waited for" : "to play") : "";
  return [seat.name, where, partner, seat.dealer ? (seat.id === scene.me ? "deal" : "deals") : "", turn, seat.out ? "sits out" : "", seat.id === nextOf(scene) ? "next" : "", seat.score === null ? "" : `score ${seat.score}`, facts, person && !person.here && !person.bot ? "away" : "", person?.credit ? `moves in races count ${person.credit} milliseconds earlier` : ""].filter(Boolean).join(", ");
}

// Who follows, where play may go either way.
function nextOf({ seats, direction }) {
  const playing = seats.filter((seat) => !seat.out);
  const at = playing.findIndex((seat) => seat.turn);
  return direction && at >= 0 && playing.length > 2 ? playing.at((at + (direction === "left" ? 1 : -1)) % playing.length).id : "";
}

function headOf(seat, person, scene) {
  const own = seat.id === scene.me, mark = scene.marks[seat.id];
  const found = [
    el("span.name", seat.dealer ? el("b.deals", { title: "deals" }, "D") : null, el("span", seat.name), own ? el("small", "you") : person?.bot ? el("small", "bot") : null),
    el("span.line",
      seat.turn ? el("b.fact plays", own ? "your turn" : "to play") : null,
      seat.out ? el("b.fact", "sits out") : null,
      seat.id === nextOf(scene) ? el("b.fact next", scene.direction === "left" ? "↻ next" : "↺ next") : null,
      seat.score === null ? null : el("b.score", el("i", "score "), String(seat.score)),
      mark.where ? el("span.fact where", mark.where) : null,
      mark.with ? el(`span.fact ${mark.with === "your partner" ? "partner" : "with"}`, mark.with) : null,
      ...seat.facts.filter(([, value]) => value !== "-").map((fact) => el("span.fact", fact.join(" ").trim()))),
  ];
  if (person && !person.here && !person.bot) found.push(el("span.fact lost", "away"));
  if (person?.credit) found.push(el("span.fact", { title: "So much earlier count the moves of a race, for they take so long to arrive." }, `${person.credit} ms earlier`));
  return found;
}

function ownSeat(view) {
  const { scene } = view;
  if (!scene.me) return el("p.watching", "You are watching.");
  const seat = scene.seats[0];
  const thing = { key: `seat:${seat.id}`, words: [seat.id], kind: "seat" };
  const box = el(`button.own head${seat.turn ? " turn" : ""}${seat.out ? " out" : ""}${view.wants(thing) ? " can" : ""}`, { data: { key: thing.key, seat: seat.id }, said: headSaid({ ...seat, name: "You" }, view.person(seat.id), scene) }, ...headOf(seat, view.person(seat.id), scene));
  box.thing = thing;
  return box;
}

function pieces(view) {
  return view.scene.pieces.filter((piece) => piece.table || Object.keys(piece.held).length).map((piece) => {
    const thing = { key: `piece:${piece.id}`, words: [], kind: "piece", zone: piece.id, taps: own(view.scene.game.taps, piece.id) || [] };
    const act = view.pieceAct(piece.id);
    const box = el("div.group pieces", el("span.caption", `${piece.name}s`));
    const row = el("div.heap");
    for (let at = 0; at < Math.min(piece.table, 12); at += 1) {
      const one = el("button.piece", { said: `${piece.name} ${at + 1} of ${piece.table}`, data: { key: `${thing.key}:${at}` } });
      one.thing = act ? { ...thing, act } : thing;
      row.append(one);
    }
    if (!piece.table) row.append(el("span.nothing", "none left"));
    box.append(row);
    return box;
  });
}

// ---- movement ----

function whereCardsAre(table) {
  const found = new Map();
  for (const card of table.querySelectorAll(".card[data-face]")) {
    const { face } = card.dataset;
    if (!face) continue;
    if (found.has(face)) found.set(face, null);
    else found.set(face, card.getBoundingClientRect());
  }
  return found;
}

function animate(table, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !before.size) return;
  for (const card of table.querySelectorAll(".card[data-face]")) {
    const old = before.get(card.dataset.face);
    if (!card.dataset.face || !old) continue;
    const now = card.getBoundingClientRect();
    const [dx, dy] = [old.left - now.left, old.top - now.top];
    if (Math.hypot(dx, dy) < 6 || !now.width) continue;
    card.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${old.width / now.width})` }, { transform: "none" }], { duration: 260, easing: "cubic-bezier(.2,.8,.2,1)" });
  }
}
