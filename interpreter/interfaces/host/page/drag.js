// Cards can be drawn to where they go. A drag is two taps: the card, then what lies where it is dropped.
const SLOP = 10;

export function dragging(area, table) {
  let drag = null;
  area.addEventListener("pointerdown", (event) => {
    const source = event.target.closest(".card, .stack");
    const held = event.target.closest("[data-key]");
    if (!source || !held || !held.thing || event.button) return;
    drag = { held, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
  });
  area.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) > SLOP) begin(drag);
    if (drag.ghost) drag.ghost.style.transform = `translate(${dx}px, ${dy}px) rotate(2deg)`;
  });
  const end = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { held, ghost } = drag;
    drag = null;
    if (!ghost) return;
    ghost.remove();
    held.classList.remove("dragged");
    swallow(area);
    if (event.type === "pointerup") drop(table, held.thing, event.clientX, event.clientY, held);
  };
  area.addEventListener("pointerup", end);
  area.addEventListener("pointercancel", end);
}

function begin(drag) {
  const card = drag.held.matches(".card") ? drag.held : drag.held.querySelector(".card");
  const box = card.getBoundingClientRect();
  const ghost = card.cloneNode(true);
  ghost.className = `${card.className} ghost`;
  ghost.style.setProperty("--cw", `${box.width}px`);
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  drag.held.classList.add("dragged");
  drag.ghost = ghost;
}

// The click that follows a drag is none.
function swallow(area) {
  const stop = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  area.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => area.removeEventListener("click", stop, { capture: true }), 50);
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
