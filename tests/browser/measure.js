// What is wrong with how a table is laid out, as sentences; nothing if nothing is. Called with how many cards one holds.
() => {
  const wrong = [];
  const page = document.scrollingElement;
  if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) wrong.push(`the page scrolls: ${page.scrollWidth}x${page.scrollHeight}`);
  const name = (one) => one.dataset.key || one.getAttribute("aria-label") || one.className;
  const visible = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
  const at = (x, y) => document.elementFromPoint(x, y);
  const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
  // the largest strip of an element that a finger can reach: how wide along a row, how high along a column; it is not
  // looked further where that is enough
  const reach = (one, enough) => {
    const box = one.getBoundingClientRect();
    const own = (x, y) => { const found = at(x, y); return found && (one === found || one.contains(found)); };
    let wide = 0;
    let high = 0;
    for (let y = box.top + 4; y < box.bottom && wide < enough; y += Math.max(4, box.height / 6)) {
      let run = 0;
      for (let x = box.left + 1; x < box.right && wide < enough; x += 2) { run = own(x, y) ? run + 2 : 0; wide = Math.max(wide, run); }
    }
    for (let x = box.left + 4; x < box.right && high < enough; x += Math.max(4, box.width / 6)) {
      let run = 0;
      for (let y = box.top + 1; y < box.bottom && high < enough; y += 2) { run = own(x, y) ? run + 2 : 0; high = Math.max(high, run); }
    }
    return [wide + 2, high + 2];
  };
  for (const region of ["mine", "ask"]) {
    const box = document.getElementById(region);
    for (const one of box.querySelectorAll("button")) {
      if (!visible(one) || one.closest(".phrases") || one.matches(".own:not(.can)")) continue;
      const rect = one.getBoundingClientRect();
      if (!inside(rect)) wrong.push(`${name(one)} lies outside`);
      const fan = one.closest(".cards");
      const many = fan ? Number(fan.dataset.count) : 1;
      const least = many > 13 ? 24 : 44;
      const [wide, high] = reach(one, 44);
      if (wide < least - 1 || high < (many > 13 ? 24 : 40) - 1) wrong.push(`${name(one)} can be touched on ${wide}x${high} only`);
      if (fan?.matches(".fan") && wide < 43 && !fan.matches(".narrow")) wrong.push(`${name(one)} is a strip and does not grow when it is touched`);
    }
  }
  for (const one of document.querySelectorAll("#seats button, #middle button")) {
    if (!visible(one)) continue;
    const rect = one.getBoundingClientRect();
    if (!inside(rect)) wrong.push(`${name(one)} lies outside`);
    const cascade = one.closest(".cascade");
    const [wide, high] = reach(one, 32);
    if (wide < (cascade ? 24 : 31) || high < (cascade ? 16 : 31)) wrong.push(`${name(one)} can be touched on ${wide}x${high} only`);
  }
  for (const card of document.querySelectorAll("#mine .card.face, #middle .card.face, #seats .card.face")) {
    if (card.closest(".last")) continue;
    const mark = card.querySelector(".corner b").getBoundingClientRect();
    const found = at(mark.left + mark.width / 2, mark.top + mark.height / 2);
    if (!found || !(card.contains(found) || found.contains(card))) wrong.push(`the index of ${card.getAttribute("aria-label")} (${name(card)}) is covered by ${found && (found.className || found.tagName)}`);
  }
  for (const seat of document.querySelectorAll(".seat")) if (!inside(seat.getBoundingClientRect())) wrong.push(`the seat of ${seat.getAttribute("aria-label")} lies outside`);
  return wrong;
}
