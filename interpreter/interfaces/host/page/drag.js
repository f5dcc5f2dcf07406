// Taps and drags. The table is drawn anew whenever something happens, also between a finger's coming and going: so a tap
// is not an element's click, but means whatever has the same key under the finger then. A drag is two taps: the card,
// then what lies where it is dropped.
const SLOP = 10;
const ECHO = 700;

export function dragging(area, table) {
  let drag = null;
  let tapped = 0;
  area.addEventListener("pointerdown", (event) => {
    const held = event.target.closest("[data-key]");
    if (!held || event.button) return;
    const movable = held.thing && event.target.closest(".card, .stack");
    drag = { held, movable, key: held.dataset.key, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  });
  // Keys and screen readers click without a pointer.
  area.addEventListener("click", (event) => {
    const held = event.target.closest("[data-key]");
    if (held && (event.detail === 0 || event.timeStamp - tapped > ECHO)) use(table, held);
  });
  area.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && drag.movable && Math.hypot(dx, dy) > SLOP) begin(drag, table.root);
    if (drag.ghost) drag.ghost.style.transform = `translate(${dx}px, ${dy}px) rotate(2deg)`;
  });
  const end = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { held, ghost, key } = drag;
    const near = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) <= 2 * SLOP;
    drag = null;
    tapped = event.timeStamp;
    if (!ghost) {
      const now = area.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (event.type === "pointerup" && near && now) use(table, now);
      return;
    }
    ghost.remove();
    held.classList.remove("dragged");
    if (event.type === "pointerup") drop(table, held.thing, event.clientX, event.clientY, held);
  };
  area.addEventListener("pointerup", end);
  area.addEventListener("pointercancel", end);
}

// The ghost is the table's: it is covered, and thrown away, with it.
function begin(drag, root) {
  const card = drag.held.matches(".card") ? drag.held : drag.held.querySelector(".card");
  const box = card.getBoundingClientRect();
  const ghost = card.cloneNode(true);
  ghost.className = `${card.className} ghost`;
  ghost.style.setProperty("--cw", `${box.width}px`);
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  ghost.setAttribute("aria-hidden", "true");
  root.append(ghost);
  drag.held.classList.add("dragged");
  drag.ghost = ghost;
}

function use(table, element) {
  if (element.act) element.act();
  else if (element.thing) table.tap(element.thing);
}

function drop(table, thing, x, y, held) {
  const under = document.elementFromPoint(x, y);
  if (!under || held.contains(under)) return;
  const target = under.closest("[data-key]");
  const area = under.closest("#middle, #seats, #mine");
  if (!area) return;
  if (!table.chooser.isPicked(thing.key)) table.tap(thing);
  if (!table.chooser.isPicked(thing.key)) return;
  if (target && target.thing && target.thing.key !== thing.key && table.chooser.leads([...table.chooser.picked, target.thing])) table.tap(target.thing);
  else if (area.id !== "mine") table.playOnly();
}
