// How large cards are drawn, and how they overlap, so that all has room. What is measured here is laid out by the browser
// each time, so sizes are halved in on and not tried one by one.
const TOUCH = 44;

// Makes cards as large as they can be: the hand in rows that leave each card a strip to touch. Whether all has room.
// share: of the height, which the others may have.
export function fit(regions, share, scant) {
  const { mine, middle, seats, table } = regions;
  const wide = table.clientWidth;
  const high = table.clientHeight;
  const short = high < 480;
  const hand = Math.min(short ? 56 : 92, Math.max(short ? 46 : 52, Math.round(Math.min(wide / 6.6, high / 8.5))));
  const beside = short && wide > high;
  let shows = true; // the index of every card
  const othersFit = () => shows && [...seats.querySelectorAll(".seat")].every(holds) && seats.scrollWidth <= seats.clientWidth + 1 && (beside ? seats.scrollHeight <= seats.clientHeight + 1 : seats.scrollHeight <= high * share);
  const sizeOthers = () => {
    for (const room of beside ? ["", "wide"] : [""]) {
      seats.classList.toggle("wide", room === "wide");
      const fits = (card) => {
        seats.style.setProperty("--cw", `${card}px`);
        shows = fans(seats, card);
        return othersFit();
      };
      if (largest(scant ? 26 : short ? 34 : 40, short ? 16 : 20, 2, fits)) return;
    }
  };
  sizeOthers();
  const least = scant ? 70 : short ? 90 : Math.max(110, high * 0.2);
  let holdsMine = false;
  for (const open of short ? [false] : [true, false]) { // rows that do not cover one another, where there is room
    holdsMine ||= largest(hand, open ? 50 : 44, 4, (card) => {
      mine.style.setProperty("--cw", `${card}px`);
      fans(mine, card, 0, open);
      return mine.scrollHeight <= Math.max(high * 0.42, 158) && mine.scrollWidth <= mine.clientWidth + 1 && holds(mine) && middle.clientHeight >= (open ? Math.max(least, 160) : least);
    });
  }
  if (!othersFit()) sizeOthers(); // one's own cards have grown
  const [ask, said] = ["ask", "ticker"].map((id) => document.getElementById(id).getBoundingClientRect());
  const clear = ask.top >= table.getBoundingClientRect().top - 1 && (ask.bottom <= said.top + 1 || ask.top >= said.bottom - 1);
  const holdsMiddle = largest(Math.min(hand + 6, 84), 26, 3, (card) => {
    middle.style.setProperty("--cw", `${card}px`);
    fans(middle, card, 16);
    middle.classList.toggle("tight", card < 46);
    return middle.scrollHeight <= middle.clientHeight + 1 && middle.scrollWidth <= middle.clientWidth + 1 && holds(middle);
  });
  return holdsMiddle && othersFit() && holdsMine && clear;
}

// Whether something fits at a size of card, from the most down by steps; it is left at the largest at which it does, or
// at the least.
function largest(most, least, step, fits) {
  if (most < least || fits(most)) return most >= least;
  const last = Math.floor((most - least) / step);
  let [low, high, tried, found] = [1, last, 0, last + 1];
  while (low <= high) {
    tried = (low + high) >> 1;
    if (fits(most - tried * step)) [found, high] = [tried, tried - 1];
    else low = tried + 1;
  }
  const best = Math.min(found, last);
  if (best !== tried) fits(most - best * step);
  return found <= last;
}

// Whether everything in a region lies within it.
function holds(region) {
  const box = region.getBoundingClientRect();
  return [...region.querySelectorAll(".card, .place, .head, .piece")].every((one) => {
    const own = one.getBoundingClientRect();
    return one.closest(".last") || (own.left >= box.left - 1 && own.right <= box.right + 1 && own.top >= box.top - 13 && own.bottom <= box.bottom + 2);
  });
}

// Whether each card is seen as far as it must.
function fans(region, card, least = 0, open = false) {
  let all = true;
  // measured before anything is changed, or all would be laid out anew for each
  const style = getComputedStyle(region);
  const inner = region.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const wraps = style.flexWrap !== "nowrap";
  const found = [...region.querySelectorAll(".cards")].map((fan) => [fan, fan.closest(".seat")]);
  const widths = new Map(found.map(([, seat]) => [seat, seat?.clientWidth]));
  for (const [fan, seat] of found) {
    const cards = [...fan.children];
    const count = cards.length;
    if (fan.classList.contains("cascade")) {
      const step = Math.max(21, Math.round(card * 0.42));
      fan.style.width = `${card}px`;
      fan.style.height = `${card * 1.4 + step * (count - 1)}px`;
      cards.forEach((one, at) => {
        one.style.left = "0";
        one.style.top = `${(count - 1 - at) * step}px`; // the top card lies in front
        one.style.zIndex = String(count - at);
      });
      continue;
    }
    const besides = region.id === "mine" && !wraps ? [...region.children].filter((one) => !one.contains(fan)).reduce((sum, one) => sum + one.offsetWidth + 12, 0) : 0;
    const own = region.id === "mine" && fan.classList.contains("fan");
    const beside = region.id === "mine" && !own ? fan.closest(".group").children.length : 1;
    const room = seat ? Math.max(widths.get(seat) - 8, 50) : region.id === "middle" ? inner * 0.94 : own ? inner - besides : Math.max(inner / beside - 8, card * 2);
    const strip = seat ? Math.max(11, card * 0.36) : least || (own ? (count <= 13 ? TOUCH : 24) : 20);
    fan.classList.toggle("narrow", own && strip < TOUCH);
    let rows = 1;
    const stepOf = (each) => (each > 1 ? Math.min(card + 4, (room - card - 2) / (each - 1)) : card + 4);
    while (rows < 6 && count > 1 && stepOf(Math.ceil(count / rows)) < strip && (own || rows < (seat ? 3 : 2))) rows += 1;
    const ends = own && rows === 2 ? brokenAt(cards, (each) => stepOf(each) >= strip) : Array.from({ length: rows }, (_, at) => Math.min(count, (at + 1) * Math.ceil(count / rows)));
    const starts = [0, ...ends];
    const each = Math.max(1, ...ends.map((end, row) => end - starts[row]));
    const step = stepOf(each);
    if (count > 1 && step < strip) all = false;
    const drop = !own ? card * 0.7 : open ? card * 1.4 + 8 : Math.max(TOUCH + 2, Math.round(card * 0.62));
    fan.style.height = `${card * 1.4 + (rows - 1) * drop + (own ? 12 : 0)}px`;
    fan.style.width = `${Math.ceil(card + step * (Math.min(each, count) - 1))}px`;
    cards.forEach((one, at) => {
      const row = ends.findIndex((end) => at < end);
      const inRow = ends[row] - starts[row];
      one.style.left = `${(at - starts[row]) * step + ((each - inRow) * step) / 2}px`;
      one.style.top = `${row * drop + (own ? 12 : 0)}px`;
      one.style.zIndex = String(at + 1);
    });
  }
  return all;
}

// Where a hand is broken into two rows: between two suits, as near to the middle as there is room.
function brokenAt(cards, fits) {
  const count = cards.length;
  const half = Math.ceil(count / 2);
  const suit = (at) => cards[at].dataset.face?.at(-1);
  const ways = cards.map((_, at) => at).filter((at) => at && suit(at) !== suit(at - 1) && fits(Math.max(at, count - at)));
  const [at] = ways.sort((one, other) => Math.abs(one - count / 2) - Math.abs(other - count / 2));
  return [at ?? half, count];
}
