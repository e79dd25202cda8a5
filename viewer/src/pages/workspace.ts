// Mechanism and plots share one page: either of them, or both side by side.
import { Picker } from "../plot/picker.ts";
import { Plots } from "../plot/plots.ts";
import type { Session } from "../state/session.ts";
import { button, el } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { Mechanism } from "./mechanism.ts";

export class Workspace {
    readonly element: HTMLElement;
    readonly mechanism: Mechanism;
    readonly plots: Plots;
    readonly picker: Picker;

    constructor(private readonly session: Session) {
        this.mechanism = new Mechanism(session);
        this.plots = new Plots(session);
        this.picker = new Picker(session);
        const toggle = button("Choose channels", () => plotPage.classList.toggle("with-picker"), { class: "quiet picker-button" }, "Channels");
        this.plots.element.querySelector(".plot-bar")?.prepend(toggle);
        const plotPage = el("section", { class: "plot-page", "aria-label": "plots" }, this.picker.element, this.plots.element);
        this.element = el("main", { class: "workspace" }, this.mechanism.element, plotPage);
        session.view.watch(() => this.arrange());
        session.split.watch(() => this.arrange());
    }

    splitButton(): HTMLElement {
        const { session } = this;
        const both = button("Mechanism and plots side by side (s)", () => (session.split.value = !session.split.value), { class: "icon-button split-button" }, icon("split"));
        session.split.watch((on) => both.setAttribute("aria-pressed", String(on)));
        return both;
    }

    private arrange(): void {
        const { view, split } = this.session;
        const here = view.value === "3d" || view.value === "plots";
        this.element.hidden = !here;
        this.element.dataset["show"] = split.value ? "both" : view.value;
    }
}
