import { el } from "./dom.js";

// What lies behind how to play, and is only opened by those who want it.
const DETAIL = "Every rule in detail";
// What is written so that no reader of Markdown takes it for more than it is.
const WRITTEN = { "&lt;": "<", "&amp;": "&", "&#123;": "{" };

// Rulebooks are Markdown of a few kinds only: headings, lists, tables, emphasis. All of it is set as text.
export function markdown(text) {
  let found = [];
  const all = found;
  let list, drawing, table;
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
    if (line[0] === "|") {
      const kind = table ? "td" : "th";
      if (!table) found.push((table = el("table")));
      if (!line.startsWith("| ---")) table.append(el("tr", ...line.slice(2, -2).split(" | ").map((cell) => el(kind, ...inline(cell)))));
      continue;
    }
    const head = line.match(/^(#{1,4}) (.*)/);
    const item = line.match(/^\s*(?:[-*]|\d+\.) (.*)/);
    table = null;
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
    else if (line.trim()) found.push(el("p", ...inline(line)));
  }
  return all;
}

function inline(text) {
  return text.split(/(\*\*[^*]+\*\*)/).map((part) => (part.startsWith("**") ? el("b", signs(part.slice(2, -2))) : signs(part)));
}

function signs(text) {
  return text.replace(/\\(.)|&(?:lt|amp|#123);|`([@#:-])`/g, (found, escaped, alone) => escaped ?? alone ?? WRITTEN[found]);
}
