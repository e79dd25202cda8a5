// The panel beside the picture: bodies to pick from, values of the picked one, what is shown.
import type { Arrows } from "../scene/arrows.ts";
import type { World } from "../scene/world.ts";
import type { Session } from "../state/session.ts";
import { button, el } from "../ui/dom.ts";
import { fixed, number } from "../ui/format.ts";
import { bodyCount, bodyVelocity, entityNames } from "./entities.ts";

const SHOWN = 200;

function arrowHint({ largeForce, largeTorque, length }: Arrows): string {
    return `An arrow of ${number(length, 2)} m is ${number(largeForce, 3)} N, one of two heads and ${number(0.7 * length, 2)} m ${number(largeTorque, 3)} Nm.`;
}

export class Inspector {
    readonly element: HTMLElement;
    readonly search = el("input", { type: "search", placeholder: "Search bodies", "aria-label": "search bodies", autocomplete: "off", spellcheck: "false" });
    private readonly list = el("div", { class: "body-list", role: "listbox", "aria-label": "bodies" });
    private readonly card = el("div", { class: "card" });
    private readonly values = new Map<string, HTMLElement>();

    constructor(private readonly session: Session, private readonly world: World | null) {
        this.element = el("aside", { class: "inspector", "aria-label": "bodies and display" }, this.card, el("div", { class: "bodies" }, this.search, this.list), this.displayBox());
        this.search.addEventListener("input", () => this.renderList());
        session.selected.watch(() => {
            this.renderList();
            this.renderCard();
        });
        session.follow.on(() => this.renderCard());
        session.reading.on(() => this.updateCard());
        session.data.on(() => this.updateCard());
    }

    private renderList(): void {
        const names = entityNames(this.session.data.value.header);
        const wanted = this.search.value.trim().toLowerCase();
        const found = names.map((name, entity) => ({ name, entity })).slice(1).filter(({ name }) => name.toLowerCase().includes(wanted));
        const soft = bodyCount(this.session.data.value.header);
        const rows = found.slice(0, SHOWN).map(({ name, entity }) => {
            const chosen = entity === this.session.selected.value;
            const row = el("button", { type: "button", role: "option", class: "body-row", "aria-selected": String(chosen), title: name }, el("span", { class: "body-name" }, name), entity >= soft ? el("span", { class: "tag" }, "flexible") : null);
            row.addEventListener("click", () => (this.session.selected.value = chosen ? -1 : entity));
            return row;
        });
        this.list.replaceChildren(...rows);
        if (found.length > SHOWN) {
            this.list.append(el("p", { class: "hint" }, `${found.length - SHOWN} more: search for them.`));
        }
    }

    private renderCard(): void {
        const entity = this.session.selected.value;
        const { header } = this.session.data.value;
        this.values.clear();
        if (entity <= 0) {
            this.card.replaceChildren(el("p", { class: "hint" }, "Click a body in the picture or in the list to see its values."));
            return;
        }
        const name = entityNames(header)[entity] ?? "";
        const following = this.session.follow.value === entity;
        this.card.replaceChildren(
            el("h2", { title: name }, name),
            this.valueTable(entity < bodyCount(header)),
            el("div", { class: "card-actions" },
                button("Follow", () => (this.session.follow.value = following ? -1 : entity), { class: "small", "aria-pressed": String(following) }),
                this.plotButton(name),
                button("Deselect", () => (this.session.selected.value = -1), { class: "small" })),
        );
        this.updateCard();
    }

    // Channels that belong to the picked body, in one click.
    private plotButton(name: string): HTMLElement | null {
        const { channels } = this.session.data.value;
        const own = channels.list.filter(({ item }) => item.kind === "body" && (item.group === name || item.group === `body ${name}`));
        if (own.length === 0) {
            return null;
        }
        return button("Plot", () => {
            this.session.plotted.value = own.slice(0, 6).map((channel) => channel.name);
            this.session.view.value = "plots";
        }, { class: "small" });
    }

    private valueTable(rigid: boolean): HTMLElement {
        const rows = rigid
            ? [["position", "m"], ["velocity", "m/s"], ["speed", "m/s"], ["orientation", ""]]
            : [["middle", "m"]];
        return el("table", { class: "values" }, el("tbody", {}, ...rows.map(([what, unit]) => {
            const cell = el("td");
            this.values.set(what, cell);
            return el("tr", {}, el("th", { scope: "row" }, what), cell, el("td", { class: "unit" }, unit));
        })));
    }

    private updateCard(): void {
        const entity = this.session.selected.value;
        if (entity <= 0 || this.values.size === 0) {
            return;
        }
        const { motion, header } = this.session.data.value;
        if (entity < bodyCount(header)) {
            motion.moveTo(this.session.time.value);
            const b = entity - 1;
            const v = bodyVelocity(this.session.data.value, entity, this.session.time.value);
            this.set("position", motion.position.subarray(3 * b, 3 * b + 3));
            this.set("velocity", v);
            this.set("speed", [Math.hypot(...v)]);
            this.set("orientation", motion.orientation.subarray(4 * b, 4 * b + 4));
        } else {
            this.set("middle", this.world?.placeOf(entity)?.toArray() ?? []);
        }
    }

    private set(what: string, numbers: ArrayLike<number>): void {
        const cell = this.values.get(what);
        if (cell !== undefined) {
            cell.textContent = Array.from(numbers, (x) => fixed(x)).join("\n");
        }
    }

    private displayBox(): HTMLElement {
        const { session } = this;
        const slider = (label: string, key: "symbols" | "arrows") => {
            const input = el("input", { type: "range", min: -2, max: 2, step: 0.1, value: 0, "aria-label": label });
            input.addEventListener("input", () => session.show({ [key]: 2 ** Number(input.value) }));
            return el("label", { class: "row" }, el("span", {}, label), input);
        };
        const box = el("details", { class: "display-box" }, el("summary", {}, "Sizes"), slider("joint symbols", "symbols"), slider("force arrows", "arrows"));
        const { arrows } = this.world ?? {};
        if (arrows?.available === true) {
            box.append(el("p", { class: "hint" }, arrowHint(arrows)));
        }
        return box;
    }
}
