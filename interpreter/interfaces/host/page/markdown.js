import { el } from "./dom.js";

// What lies behind how to play, and is only opened by those who want it.
const DETAIL = "Every rule in detail";

// Rulebooks are Markdown of a few kinds only: headings, lists, emphasis. All of it is set as text.
export function markdown(text) {
  let found = [];
  const all = found;
  let list = null;
  let drawing = null;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) {
      if (drawing) found.push(el("pre", drawing.join("\n")));
      drawing = drawing ? null : [];
      continue;
    }
    if (drawing) {
      drawing.push(line);
      continue;
    }
    const head = line.match(/^(#{1,4}) (.*)/);
    const item = line.match(/^\s*(?:[-*]|\d+\.) (.*)/);
    if (item) {
      if (!list) found.push((list = el("ul")));
      list.append(el("li", ...inline(item[1])));
      continue;
    }
    list = null;
    if (head && head[2] === DETAIL) {
      const detail = el("details", el("summary", el("h3", DETAIL)));
      all.push(detail);
      found = { push: (...more) => detail.append(...more) };
    } else if (head) found.push(el(`h${Math.min(head[1].length + 1, 5)}`, {}, ...inline(head[2])));
    else if (line.trim() && !/^<\/?(details|summary)/.test(line)) found.push(el("p", ...inline(line.replace(/<[^>]*>/g, ""))));
  }
  return all;
}

function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|_[^_]+_)/).map((part) => (part.startsWith("**") ? el("b", part.slice(2, -2)) : part.replace(/\\(.)/g, "$1")));
}
