// Choosing channels: a search field over groups that open on demand, so that ten thousand channels
// cost nothing until they are looked at.
import type { Channel } from "../data/channels.ts";
import type { Session } from "../state/session.ts";
import { button, el } from "../ui/dom.ts";

const SHOWN = 300; // rows of a search or of a group
const KINDS = ["output", "energy", "certificate", "reaction", "force", "flexible", "body"];
const KIND_TITLES: Record<string, string> = {
    output: "Outputs",
    energy: "Energy",
    certificate: "Constraint violation",
    reaction: "Reactions",
    force: "Forces",
    flexible: "Flexible bodies",
    body: "Bodies",
};

function kindOrder(channel: Channel): number {
    const k = KINDS.indexOf(channel.item.kind ?? "output");
    return k < 0 ? KINDS.length : k;
}

function groupName(channel: Channel): string {
    const kind = channel.item.kind ?? "output";
    return channel.item.group ?? KIND_TITLES[kind] ?? kind;
}

export class Picker {
    readonly element: HTMLElement;
    readonly search = el("input", { type: "search", placeholder: "Search channels", "aria-label": "search channels", autocomplete: "off", spellcheck: "false" });
    private readonly list = el("div", { class: "picker-list" });

    constructor(private readonly session: Session) {
        this.element = el("div", { class: "picker" }, this.search, this.list);
        this.search.addEventListener("input", () => this.render());
        session.plotted.on(() => this.mark());
        session.data.on(() => this.mark());
        this.render();
    }

    private render(): void {
        const wanted = this.search.value.trim().toLowerCase();
        const { runs } = this.session;
        const extra = runs.slice(1).flatMap(({ channels }) => channels.list.filter(({ name }) => runs[0].channels.get(name) === undefined));
        const channels = [...runs[0].channels.list, ...extra].sort((a, b) => kindOrder(a) - kindOrder(b));
        if (wanted === "") {
            this.renderGroups(channels);
        } else {
            const words = wanted.split(/\s+/);
            const found = channels.filter((channel) => {
                const text = `${channel.name} ${channel.title} ${groupName(channel)} ${channel.unit}`.toLowerCase();
                return words.every((word) => text.includes(word));
            });
            this.list.replaceChildren(...this.rows(found, true), this.note(found.length));
        }
    }

    private renderGroups(channels: Channel[]): void {
        const groups = new Map<string, Channel[]>();
        for (const channel of channels) {
            const name = groupName(channel);
            const list = groups.get(name);
            if (list === undefined) {
                groups.set(name, [channel]);
            } else {
                list.push(channel);
            }
        }
        const entries = [...groups].slice(0, SHOWN);
        this.list.replaceChildren(...entries.map(([name, list], k) => this.group(name, list, k === 0)));
        for (const text of this.session.data.value.header.channels?.left_out ?? []) {
            this.list.append(el("p", { class: "hint" }, `Left out: ${text}.`));
        }
        if (groups.size > SHOWN) {
            this.list.append(el("p", { class: "hint" }, `${groups.size - SHOWN} more groups: search for them.`));
        }
    }

    private group(name: string, channels: Channel[], open: boolean): HTMLElement {
        const body = el("div");
        const count = el("span", { class: "count" }, String(channels.length));
        const details = el("details", { open }, el("summary", {}, el("span", { class: "group-name" }, name), count), body);
        const fill = () => {
            if (details.open && body.childElementCount === 0) {
                body.append(...this.rows(channels), this.note(channels.length));
            }
        };
        details.addEventListener("toggle", fill);
        fill();
        return details;
    }

    // In its group fx is enough; in the results of a search the whole name is needed.
    private rows(channels: Channel[], whole = false): HTMLElement[] {
        const plotted = new Set(this.session.plotted.value);
        return channels.slice(0, SHOWN).map((channel) => {
            const check = el("input", { type: "checkbox" });
            check.checked = plotted.has(channel.name);
            check.dataset["channel"] = channel.name;
            check.addEventListener("change", () => this.session.togglePlot(channel.name));
            const name = el("span", { class: "pick-name" }, whole ? channel.name : channel.title);
            return el("div", { class: "pick-row" }, el("label", { class: "pick", title: channel.name }, check, name, el("span", { class: "unit" }, channel.unit)), this.xButton(channel.name));
        });
    }

    // Plots what is chosen over this channel.
    private xButton(name: string): HTMLElement {
        const { session } = this;
        return button(`Plot over ${name}`, () => {
            session.xChannel.value = name;
            session.plotMode.value = "xy";
        }, { class: "pick-x" }, "x");
    }

    private note(count: number): HTMLElement {
        const text = count === 0 ? "Nothing found." : count > SHOWN ? `${count - SHOWN} more: search for them.` : "";
        return el("p", { class: "hint", hidden: text === "" }, text);
    }

    private mark(): void {
        const plotted = new Set(this.session.plotted.value);
        for (const check of this.list.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
            check.checked = plotted.has(check.dataset["channel"] ?? "");
        }
    }
}
