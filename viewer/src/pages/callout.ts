// The label beside the picked body, and names of all bodies when asked for.
import type { Session } from "../state/session.ts";
import type { World } from "../scene/world.ts";
import { el } from "../ui/dom.ts";
import { fixed } from "../ui/format.ts";
import { bodyNames, bodyVelocity, entitiesOf, jointReaction } from "./entities.ts";

const MOST = 60; // names at once

export class Callouts {
    readonly element = el("div", { class: "callouts", "aria-hidden": "true" });
    private readonly picked = el("div", { class: "callout" });
    private readonly name = el("strong");
    private readonly values = el("span", { class: "callout-values" });
    private names: { entity: number; tag: HTMLElement }[] = [];

    constructor(private readonly session: Session, private readonly world: World) {
        this.picked.append(this.name, this.values);
        session.display.watch(({ labels }) => this.makeNames(labels));
    }

    update(): void {
        this.updatePicked();
        for (const { entity, tag } of this.names) {
            this.put(tag, entity, entity === this.session.selected.value);
        }
    }

    private makeNames(shown: boolean): void {
        const names = bodyNames(this.session.data.value.header);
        this.names = shown
            ? names.slice(1, MOST + 1).map((name, k) => ({ entity: k + 1, tag: el("div", { class: "name-tag" }, name) }))
            : [];
        this.element.replaceChildren(...this.names.map(({ tag }) => tag), this.picked);
    }

    private updatePicked(): void {
        const entity = this.session.selected.value;
        const data = this.session.data.value;
        const one = entitiesOf(data.header)[entity];
        const place = entity > 0 && one !== undefined ? this.world.placeOf(entity) : null;
        this.picked.hidden = place === null;
        if (place === null) {
            return;
        }
        this.name.textContent = one.name;
        const lines = [`${fixed(place.x)} ${fixed(place.y)} ${fixed(place.z)} m`];
        if (one.kind === "body") {
            const v = bodyVelocity(data, entity, this.session.time.value);
            lines.push(`${fixed(Math.hypot(...v))} m/s`);
        }
        const reaction = one.kind === "joint" ? jointReaction(data, one.index, this.session.time.value) : null;
        if (reaction !== null) {
            lines.push(`${fixed(Math.hypot(...reaction.subarray(0, 3)))} N`);
        }
        this.values.textContent = lines.join("\n");
        this.put(this.picked, entity, false);
    }

    private put(tag: HTMLElement, entity: number, hidden: boolean): void {
        const place = this.world.placeOf(entity);
        if (place === null || hidden) {
            tag.hidden = true;
            return;
        }
        const [x, y, z] = this.world.stage.project(place.x, place.y, place.z);
        tag.hidden = z > 1;
        // the label of the picked body stays inside the picture
        const edge = tag === this.picked ? this.element.clientWidth - tag.offsetWidth - 20 : Infinity;
        const left = Math.max(-10, Math.min(x, edge));
        tag.style.transform = `translate(${Math.round(left)}px, ${Math.round(y)}px)`;
    }
}
