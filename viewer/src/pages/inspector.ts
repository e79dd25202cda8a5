// The panel beside the picture: bodies, joints and forces to pick from, values of the picked one and
// its curves, what is shown.
import type { Arrows } from "../scene/arrows.ts";
import type { World } from "../scene/world.ts";
import type { Session } from "../state/session.ts";
import { button, el } from "../ui/dom.ts";
import { fixed, number } from "../ui/format.ts";
import { ModesBox } from "./modes.ts";
import { bodyVelocity, channelsAbout, entitiesOf, jointReaction, type Entity, type EntityKind } from "./entities.ts";

const SHOWN = 200; // rows of a section
const OPEN = 40; // rows up to which a section is open at first
const TITLES: Record<EntityKind, string> = { body: "Bodies", flexible: "Flexible bodies", joint: "Joints", force: "Forces" };
const VALUES: Record<EntityKind, [string, string][]> = {
    body: [["position", "m"], ["velocity", "m/s"], ["speed", "m/s"], ["orientation", ""]],
    flexible: [["middle", "m"]],
    joint: [["position", "m"], ["force", "N"], ["torque", "N m"]],
    force: [["position", "m"], ["length", "m"]],
};

function arrowHint({ largeForce, largeTorque, length }: Arrows): string {
    return `An arrow of ${number(length, 2)} m is ${number(largeForce, 3)} N, one of two heads and ${number(0.7 * length, 2)} m ${number(largeTorque, 3)} Nm.`;
}

export class Inspector {
    readonly element: HTMLElement;
    readonly search = el("input", { type: "search", placeholder: "Search bodies, joints, forces", "aria-label": "search bodies, joints and forces", autocomplete: "off", spellcheck: "false" });
    private readonly list = el("div", { class: "body-list" });
    private readonly card = el("div", { class: "card" });
    private readonly values = new Map<string, HTMLElement>();
    private readonly closed = new Map<EntityKind, boolean>(); // sections, by hand

    constructor(private readonly session: Session, private readonly world: World | null) {
        this.element = el("aside", { class: "inspector", "aria-label": "parts and display" }, session.data.value.modes === null ? null : new ModesBox(session).element, this.card, el("div", { class: "bodies" }, this.search, this.list), this.displayBox());
        this.search.addEventListener("input", () => this.renderList());
        this.renderList();
        session.selected.watch(() => {
            this.markList();
            this.renderCard();
        });
        session.follow.on(() => this.renderCard());
        session.plotted.on(() => this.markCurves());
        session.reading.on(() => this.updateCard());
        session.data.on(() => this.updateCard());
    }

    private get picked(): Entity | undefined {
        const entity = this.session.selected.value;
        return entity > 0 ? entitiesOf(this.session.data.value.header)[entity] : undefined;
    }

    private renderList(): void {
        const wanted = this.search.value.trim().toLowerCase();
        const all = entitiesOf(this.session.data.value.header).map((entity, number) => ({ entity, number })).slice(1);
        const found = all.filter(({ entity }) => `${entity.name} ${entity.link?.type ?? ""}`.toLowerCase().includes(wanted));
        const kinds = (Object.keys(TITLES) as EntityKind[]).filter((kind) => found.some(({ entity }) => entity.kind === kind));
        this.list.replaceChildren(...kinds.map((kind) => this.section(kind, found.filter(({ entity }) => entity.kind === kind), wanted !== "")));
        if (found.length === 0) {
            this.list.append(el("p", { class: "hint" }, "Nothing found."));
        }
    }

    // Rows are made when a section is opened: a chain has thousands of joints.
    private section(kind: EntityKind, found: { entity: Entity; number: number }[], searching: boolean): HTMLElement {
        const rows = el("div", { role: "listbox", "aria-label": TITLES[kind] });
        const open = searching || !(this.closed.get(kind) ?? found.length > OPEN) || kind === "body";
        const details = el("details", { class: "entity-section", open }, el("summary", {}, TITLES[kind], el("span", { class: "count" }, ` ${found.length}`)), rows);
        const fill = () => {
            if (!details.open || rows.childElementCount > 0) {
                return;
            }
            rows.append(...found.slice(0, SHOWN).map(({ entity, number }) => this.row(entity, number)));
            if (found.length > SHOWN) {
                rows.append(el("p", { class: "hint" }, `${found.length - SHOWN} more: search for them.`));
            }
        };
        details.addEventListener("toggle", () => {
            this.closed.set(kind, !details.open);
            fill();
        });
        fill();
        return details;
    }

    private row({ name, link }: Entity, number: number): HTMLElement {
        const row = el("button", { type: "button", role: "option", class: "body-row", "aria-selected": String(number === this.session.selected.value), title: link === null ? name : `${name}: ${link.label ?? link.type}` },
            el("span", { class: "body-name" }, name),
            link === null ? null : el("span", { class: "tag" }, link.type.replace(/_/g, " ")));
        row.dataset["entity"] = String(number);
        row.addEventListener("click", () => (this.session.selected.value = this.session.selected.value === number ? -1 : number));
        return row;
    }

    private markList(): void {
        for (const row of this.list.querySelectorAll<HTMLElement>(".body-row")) {
            row.setAttribute("aria-selected", String(row.dataset["entity"] === String(this.session.selected.value)));
        }
    }

    private renderCard(): void {
        const entity = this.session.selected.value;
        const one = this.picked;
        this.values.clear();
        if (one === undefined) {
            this.card.replaceChildren(el("p", { class: "hint" }, "Click a body in the picture, or a body, joint or force in the list, to see its values."));
            return;
        }
        const following = this.session.follow.value === entity;
        this.card.replaceChildren(
            el("h2", { title: one.name }, one.name),
            this.ends(one) ?? "",
            this.valueTable(one.kind),
            this.curves(entity) ?? "",
            el("div", { class: "card-actions" },
                button("Follow", () => (this.session.follow.value = following ? -1 : entity), { class: "small", "aria-pressed": String(following) }),
                this.plotButton(entity),
                button("Deselect", () => (this.session.selected.value = -1), { class: "small" })),
        );
        this.markCurves();
        this.updateCard();
    }

    /** "revolute, crank to rod": what a joint or a force is, and what it joins. */
    private ends({ link }: Entity): HTMLElement | null {
        if (link === null) {
            return null;
        }
        const { scene } = this.session.data.value.header;
        const names = (link.bodies ?? []).map((body, side) => {
            const soft = link.places?.[side]?.flexible;
            return body >= 0 ? scene?.bodies[body]?.name : soft === undefined ? undefined : scene?.flexible?.[soft]?.name;
        }).filter((name) => name !== undefined);
        return el("p", { class: "card-kind", title: link.label ?? "" }, el("b", {}, link.type.replace(/_/g, " ")), names.length > 0 ? `, ${names.join(" – ")}` : "");
    }

    // Each curve of the picked thing is a switch; they appear in the plots.
    private curves(entity: number): HTMLElement | null {
        const own = channelsAbout(this.session.data.value, entity).slice(0, 24);
        if (own.length === 0) {
            return null;
        }
        return el("div", { class: "curve-chips", role: "group", "aria-label": "curves" }, ...own.map((channel) => {
            const chip = button(`Plot ${channel.name}`, () => this.session.togglePlot(channel.name), { class: "chip" }, channel.title);
            chip.dataset["channel"] = channel.name;
            return chip;
        }));
    }

    private markCurves(): void {
        const plotted = new Set(this.session.plotted.value);
        for (const chip of this.card.querySelectorAll<HTMLElement>(".chip")) {
            chip.setAttribute("aria-pressed", String(plotted.has(chip.dataset["channel"] ?? "")));
        }
    }

    // The curves of the picked thing alone, beside the picture where there is room.
    private plotButton(entity: number): HTMLElement | null {
        const own = channelsAbout(this.session.data.value, entity);
        if (own.length === 0) {
            return null;
        }
        return button("Plot", () => {
            this.session.plotted.value = own.slice(0, 6).map((channel) => channel.name);
            this.session.view.value = "plots";
        }, { class: "small" });
    }

    private valueTable(kind: EntityKind): HTMLElement {
        return el("table", { class: "values" }, el("tbody", {}, ...VALUES[kind].map(([what, unit]) => {
            const cell = el("td");
            this.values.set(what, cell);
            return el("tr", {}, el("th", { scope: "row" }, what), cell, el("td", { class: "unit" }, unit));
        })));
    }

    private updateCard(): void {
        const one = this.picked;
        if (one === undefined || this.values.size === 0) {
            return;
        }
        const data = this.session.data.value;
        const entity = this.session.selected.value;
        const t = this.session.time.value;
        this.world?.updatePoses(); // the picture may not have been drawn at this time yet
        const at = this.world?.placeOf(entity)?.toArray() ?? [];
        if (one.kind === "body") {
            const b = entity - 1;
            const v = bodyVelocity(data, entity, t);
            data.motion.moveTo(t);
            this.set("position", data.motion.position.subarray(3 * b, 3 * b + 3));
            this.set("velocity", v);
            this.set("speed", [Math.hypot(...v)]);
            this.set("orientation", data.motion.orientation.subarray(4 * b, 4 * b + 4));
            return;
        }
        this.set("middle", at);
        this.set("position", at);
        if (one.kind === "joint") {
            const reaction = jointReaction(data, one.index, t);
            this.set("force", reaction?.subarray(0, 3) ?? null);
            this.set("torque", reaction?.subarray(3, 6) ?? null);
        } else {
            const length = data.channels.get(`length(${one.name})`);
            this.set("length", length === undefined ? null : [length.at(t)]);
        }
    }

    /** null: there is no such value, and no row for it. */
    private set(what: string, numbers: ArrayLike<number> | null): void {
        const cell = this.values.get(what);
        if (cell !== undefined) {
            (cell.parentElement as HTMLElement).hidden = numbers === null;
            cell.textContent = Array.from(numbers ?? [], (x) => fixed(x)).join("\n");
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
        const { contacts } = this.world ?? {};
        if (contacts?.available === true) {
            box.append(el("p", { class: "hint" }, `In contacts an arrow of ${number(contacts.length, 2)} m is ${number(contacts.largeForce, 3)} N on the second body.`));
        }
        return box;
    }
}
