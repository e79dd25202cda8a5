// The scale of colours of flexible bodies and the choice of what they show.
import type { FlexibleBodies } from "../scene/flexible.ts";
import type { Session } from "../state/session.ts";
import { el } from "../ui/dom.ts";
import { number } from "../ui/format.ts";

const FACTORS = [1, 10, 100, 1000];

export class Legend {
    readonly element: HTMLElement;
    private readonly bar = el("div", { class: "legend-bar", "aria-hidden": "true" });
    private readonly max = el("span");
    private readonly middle = el("span");
    private readonly min = el("span");
    private readonly relative: boolean;
    private readonly scale = el("div", { class: "legend-scale" });

    constructor(private readonly session: Session, private readonly flexible: FlexibleBodies) {
        const choice = el("select", { "aria-label": "colour of flexible bodies" }, el("option", { value: -1 }, "no colours"));
        // a mode has any size: stresses are told as parts of the largest
        this.relative = session.data.value.modes !== null;
        flexible.columns.forEach(({ name, unit }, k) => choice.append(el("option", { value: k }, unit === "" ? name : `${name} [${this.relative ? "share" : unit}]`)));
        choice.addEventListener("change", () => session.show({ column: Number(choice.value) }));
        this.scale.append(this.bar, el("div", { class: "legend-numbers" }, this.max, this.middle, this.min));
        this.element = el("div", { class: "color-legend" }, choice, this.scale);
        if (flexible.modal.length > 0 && !this.relative) {
            const factors = el("select", { "aria-label": "factor of deformations" });
            FACTORS.forEach((f) => factors.append(el("option", { value: f }, f === 1 ? "true deformation" : `deformation x ${f}`)));
            factors.addEventListener("change", () => session.show({ deformation: Number(factors.value) }));
            this.element.append(factors);
        }
        this.element.hidden = flexible.columns.length === 0 && flexible.modal.length === 0;
        session.display.watch(({ column }) => {
            choice.value = String(column);
            this.update();
        });
        session.data.on(() => this.update());
    }

    private update(): void {
        const { column } = this.session.display.value;
        this.flexible.setColumn(column);
        const { coloring } = this.flexible;
        this.scale.hidden = coloring === null;
        if (coloring !== null) {
            const { stops, min, max } = coloring.scale;
            this.bar.style.background = `linear-gradient(to top, ${stops.join(", ")})`;
            const unit = this.relative ? Math.max(Math.abs(min), Math.abs(max)) || 1 : 1;
            this.max.textContent = number(max / unit, 3);
            this.middle.textContent = number((min + max) / 2 / unit, 3);
            this.min.textContent = number(min / unit, 3);
        }
    }
}
