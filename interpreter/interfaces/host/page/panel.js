// What stands beside the table: the log, the scores, talk, the rules, and all else that can be done.
import { announce, button, el, form, kept, toast } from "./dom.js";
import { markdown } from "./markdown.js";
import { download, invitation } from "./room.js";
import { icon } from "./symbols.js";

const TABS = [["log", "Log"], ["scores", "Scores"], ["chat", "Chat"], ["rules", "Rules"], ["menu", "Menu"]];

export class Panel {
  constructor(table) {
    this.table = table;
    this.tab = "";
    this.lines = [];
    this.unread = 0;
    this.body = el("div.body");
    this.tabs = el("div.tabs", el("div.list", { role: "tablist" }, ...TABS.map(([tab, name]) => button(name, () => this.show(tab), { role: "tab", data: { tab } }))), button("✕", () => this.hide(), { class: "drop", said: "Close" }));
    this.box = el("aside", { id: "panel", hidden: true, said: "beside the table" }, this.tabs, this.body);
  }

  get isOpen() {
    return !this.box.hidden;
  }

  buttons() {
    return TABS.map(([tab, name]) => button(icon(tab), () => (this.tab === tab && this.isOpen ? this.hide() : this.show(tab)), { said: name, title: name, data: { tab } }));
  }

  show(tab) {
    this.tab = tab;
    this.box.hidden = false;
    this.table.root.classList.add("with-panel");
    if (tab === "scores") this.table.line.send({ type: "sheet" });
    if (tab === "rules") this.loadRules();
    if (tab === "chat") this.unread = 0;
    this.draw(true);
    this.tabs.querySelector(`[data-tab=${tab}]`).focus();
    this.table.later();
  }

  hide() {
    this.box.hidden = true;
    this.table.root.classList.remove("with-panel");
    if (this.tab) this.table.tools.querySelector(`[data-tab=${this.tab}]`)?.focus();
    this.table.later();
  }

  draw(anew = false) {
    const chat = this.table.tools.querySelector("[data-tab=chat]");
    chat.dataset.unread = this.unread ? String(this.unread) : "";
    if (this.box.hidden) return;
    for (const tab of this.tabs.querySelectorAll("[data-tab]")) tab.setAttribute("aria-selected", String(tab.dataset.tab === this.tab));
    if (this.tab === "log") this.drawLog();
    // Made anew only where it is another: a field that somebody writes in, a list that is open, stays as it is.
    const { news, scene, me, settings, honour, race, talk } = this.table;
    const shows = JSON.stringify(this.tab === "menu" ? [news, settings, me, !scene || scene.over, honour, race] : [talk, me]);
    if (shows !== this.shows || anew) {
      if (this.tab === "chat") this.drawChat();
      if (this.tab === "menu") this.drawMenu();
    }
    this.shows = shows;
    if (this.tab === "scores" && anew) this.body.replaceChildren(el("p.quiet", "…"));
  }

  drawLog() {
    const list = el("ol.log", ...this.table.lines.slice(-300).map(([kind, text]) => el(`li.line-${kind}`, text)));
    this.body.replaceChildren(list);
    this.body.scrollTop = this.body.scrollHeight;
  }

  sheet(lines) {
    this.lines = lines;
    if (this.tab === "scores") this.body.replaceChildren(lines.length ? el("pre.sheet", { tabIndex: 0 }, lines.join("\n")) : el("p.quiet", "Nothing has counted yet."), this.evening());
  }

  evening() {
    const seats = (this.table.news.seats || []).filter((seat) => seat.score);
    return seats.length ? el("p.evening", `This evening: ${seats.map((seat) => `${seat.name} ${seat.score}`).join(", ")}.`) : "";
  }

  async loadRules() {
    this.body.replaceChildren(el("p.quiet", "…"));
    if (this.rules === undefined) {
      const answer = await fetch(`/api/tables/${this.table.name}/rules`).catch(() => null);
      this.rules = answer && answer.ok ? await answer.text() : "The rules cannot be had just now.";
    }
    if (this.tab === "rules") this.body.replaceChildren(el("div.rules", { tabIndex: 0 }, ...markdown(this.rules)));
  }

  drawChat() {
    const { line, me, talk } = this.table;
    const parts = [el("ol.said")];
    if (me === undefined || talk === "off") parts.push(el("p.quiet", talk === "off" ? "Talk is switched off." : "Who watches says nothing."));
    else if (talk === "phrases") parts.push(el("div.chips", ...(this.table.news.phrases || []).map((text) => button(text, () => line.send({ type: "chat", text }), { class: "chip" }))));
    else {
      const field = el("input", { type: "text", maxLength: 300, said: "say something", enterkeyhint: "send" });
      parts.push(form(() => { if (field.value.trim()) line.send({ type: "chat", text: field.value.trim() }); field.value = ""; }, field, el("button.go", "Say")));
    }
    this.body.replaceChildren(...parts);
    this.drawSaid();
  }

  drawSaid() {
    const list = this.body.querySelector(".said");
    list.replaceChildren(...this.table.said.map(([who, text]) => el("li", el("b", `${who}: `), text)));
    list.scrollTop = list.scrollHeight;
  }

  chatted(who, text, own) {
    announce(`${who} says: ${text}`);
    if (this.tab === "chat" && this.isOpen) this.drawSaid();
    else if (!own) {
      this.unread += 1;
      toast(`${who}: ${text}`);
      this.draw();
    }
  }

  /** After how long the others may let a bot play for somebody who is away. */
  waiting(order) {
    const now = this.table.news.wait || 45;
    const known = [[20, "20 seconds"], [45, "45 seconds"], [120, "2 minutes"], [300, "5 minutes"], [1800, "half an hour"]];
    const choices = known.some(([seconds]) => seconds === now) ? known : [[now, `${now} seconds`], ...known];
    return el("label.setting", "A bot may play for who is away after ", el("select", { on: { change: (event) => order("wait", { seconds: Number(event.target.value) }) } }, ...choices.map(([value, text]) => el("option", { value, selected: value === now }, text))));
  }

  drawMenu() {
    const { news, scene, me, settings, line, name, honour, race } = this.table;
    const set = (key, text) => el("label.setting", el("input", { type: "checkbox", checked: settings[key], on: { change: (event) => { settings[key] = event.target.checked; kept.set("settings", settings); this.table.draw(true); } } }), text);
    const parts = [el("h2", "This device"), set("oneTap", "One tap plays"), set("marks", "Show what I may play"), set("sound", "A sound when it is my turn")];
    if (me !== undefined && scene && !scene.over) {
      parts.push(el("h2", "The match"), el("div.stack-of-buttons",
        button(news.paused && !news.count ? "Go on" : "Pause", () => line.send({ type: "pause", on: !news.paused || news.count > 0 })),
        honour || race ? null : button("Take my last move back", () => line.send({ type: "propose", what: "undo" })),
        honour || race ? null : button("A hint", () => line.send({ type: "hint" })),
        ...(news.away || []).map((seat) => button(`Let a bot play for ${this.table.nameOf(seat)}`, () => line.send({ type: "propose", what: "bot", seat })))));
    }
    if (news.state === "over") parts.push(el("h2", "The record"), button("Look at it again", () => this.table.lookAgain()), button("Download the record", () => download(this.table)), el("p.quiet", "houserules replay plays it again; where it was played with house rules of your own, they come along and have to lie in the folder where that is called."));
    parts.push(...invitation(this.table));
    if (me !== undefined && news.seats[me] && news.seats[me].host) {
      const order = (what, more = {}) => line.send({ type: "order", what, ...more });
      parts.push(el("h2", "You are the host"), el("div.stack-of-buttons", button(news.locked ? "Let others join" : "Lock the table", () => order(news.locked ? "unlock" : "lock")), button(news.fair === false ? "In races, make up for slow connections" : "In races, count moves as they arrive", () => order(news.fair === false ? "fair" : "unfair")), el("label.setting", "Talk ", el("select", { on: { change: (event) => order("chat", { level: event.target.value }) } }, ...[["off", "off"], ["phrases", "phrases"], ["free", "free"]].map(([value, text]) => el("option", { value, selected: this.table.talk === value }, text)))), this.waiting(order)),
        el("ul.people", ...news.seats.filter((seat) => seat.name && seat.seat !== me).map((seat) => el("li", el("span", seat.name), seat.bot ? null : button(seat.muted ? "Unmute" : "Mute", () => order(seat.muted ? "unmute" : "mute", { seat: seat.seat })), seat.bot ? null : button("Make host", () => order("pass", { seat: seat.seat })), button("Remove", () => confirm(`Remove ${seat.name}?`) && order("remove", { seat: seat.seat }))))));
    }
    if (me !== undefined) parts.push(el("div.stack-of-buttons", button("Leave my seat", () => confirm("Leave your seat? A bot will go on.") && line.send({ type: "leave" }), { class: "danger" })));
    parts.push(el("p.quiet keys", "Keys: arrows and Enter play, Esc puts back, L log, S scores, C chat, R rules, M menu."));
    this.body.replaceChildren(...parts);
  }
}
