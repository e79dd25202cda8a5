// The mechanism: picture, tools, inspector. Without WebGL it says so and the other pages go on.
import type { Display, Session } from "../state/session.ts";
import { World } from "../scene/world.ts";
import { button, el } from "../ui/dom.ts";
import { number } from "../ui/format.ts";
import { icon, type IconName } from "../ui/icons.ts";
import { dark, themeColor } from "../ui/theme.ts";
import { Callouts } from "./callout.ts";
import { ExportMenu } from "./export.ts";
import { Inspector } from "./inspector.ts";
import { Legend } from "./legend.ts";
import { Triad } from "./triad.ts";
import { ViewsMenu } from "./views.ts";

type Switch = { [K in keyof Display]: Display[K] extends boolean ? K : never }[keyof Display];

const LEGEND = 165; // px, width of the scale of colours with its margin
const MOVED = 4; // px: a press that moves further turns the picture and picks nothing

export class Mechanism {
    readonly element = el("section", { class: "mechanism", "aria-label": "mechanism" });
    readonly world: World | null;
    readonly inspector: Inspector;
    private readonly canvas = el("canvas", { tabindex: 0, "aria-label": "mechanism in 3-D; drag to turn, click to pick a body" });
    private readonly view = el("div", { class: "view" });
    readonly exports: ExportMenu | null = null;
    readonly views: ViewsMenu | null = null;
    private readonly callouts: Callouts | null = null;
    private readonly triad: Triad | null = null;
    private turned = false; // by hand: then the view is left as it is

    constructor(private readonly session: Session) {
        this.view.append(this.canvas);
        this.world = this.makeWorld();
        this.inspector = new Inspector(session, this.world);
        this.element.append(this.view, this.inspector.element);
        if (this.world !== null) {
            this.callouts = new Callouts(session, this.world);
            this.triad = new Triad(this.world);
            const legend = new Legend(session, this.world.flexible);
            this.world.stage.inset.right = this.world.flexible.columns.length > 0 ? LEGEND : 0;
            this.exports = new ExportMenu(session, this.world);
            this.views = new ViewsMenu(session, this.world, () => (this.turned = true));
            this.view.append(this.callouts.element, this.tools(), this.corner(this.world), legend.element, this.exports.popover.panel, this.views.popover.panel);
            this.listen(this.world);
        }
    }

    /** Once a frame; true when there was something to draw. */
    draw(): boolean {
        const { world } = this;
        if (world === null || !world.changed) {
            return false;
        }
        world.stage.move();
        world.draw();
        this.callouts?.update();
        this.triad?.update();
        return true;
    }

    /** Once more in the best resolution, when nothing moves. */
    sharpen(): void {
        if (this.world?.stage.rest() === true) {
            this.world.draw();
        }
    }

    /** All of the motion in the picture, whatever the camera has followed. */
    fit(): void {
        this.session.follow.value = -1;
        this.world?.look(null);
    }

    private makeWorld(): World | null {
        try {
            return new World(this.canvas, this.session);
        } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            this.canvas.remove();
            this.view.append(el("div", { class: "no-webgl", role: "alert" },
                el("h2", {}, "No 3-D picture"),
                el("p", {}, "This browser gives the page no WebGL. Plots, solver history and model work without it."),
                el("p", { class: "hint" }, why)));
            return null;
        }
    }

    private listen(world: World): void {
        new ResizeObserver(() => {
            world.stage.resize(this.view.clientWidth, this.view.clientHeight);
            if (!this.turned && this.view.clientWidth > 0) {
                world.lookAtStart();
            }
            world.invalidate();
        }).observe(this.view);
        this.session.data.on(() => {
            if (!this.turned && world.outgrown) {
                world.look(null);
            }
        });
        dark.watch((on) => world.setTheme(on, themeColor("accent"), themeColor("view")));
        world.stage.controls.addEventListener("start", () => (this.turned = true));
        let pressed: [number, number] = [0, 0];
        this.canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
        this.canvas.addEventListener("click", (event) => {
            if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < MOVED) {
                const entity = world.pick(event.offsetX, event.offsetY);
                this.session.selected.value = entity > 0 ? entity : -1;
            }
        });
    }

    private tools(): HTMLElement {
        const { session } = this;
        const fit = button("Fit (f)", () => this.fit(), { class: "icon-button" }, icon("fit"));
        const follow = button("Follow the picked body (c)", () => (session.follow.value = session.follow.value > 0 ? -1 : session.selected.value), { class: "icon-button" }, icon("follow"));
        session.follow.watch((body) => follow.setAttribute("aria-pressed", String(body > 0)));
        session.selected.watch((body) => (follow.disabled = body <= 0 && session.follow.value <= 0));
        const reactions = this.toggle("Joint reactions (r)", "reactions", "reactions");
        reactions.disabled = this.world?.arrows.available !== true;
        const contacts = this.world?.contacts.available === true ? this.toggle("Contacts (o)", "contacts", "contacts") : null;
        return el("div", { class: "tools", role: "toolbar", "aria-label": "picture" },
            fit, follow,
            this.toggle("Trails (t)", "trails", "trails"),
            reactions,
            contacts,
            this.toggle("Joint symbols (j)", "joints", "joints"),
            this.toggle("Springs and forces (k)", "forces", "forces"),
            this.toggle("Names (l)", "labels", "labels"),
            this.toggle("Floor (g)", "grid", "grid"),
            session.second === null ? null : this.toggle("Second run (b)", "ghost", "ghost"),
            this.views?.popover.button, this.exports?.popover.button,
            button("Bodies and values", () => this.element.classList.toggle("with-sheet"), { class: "icon-button sheet-button" }, icon("panel")));
    }

    private toggle(label: string, name: IconName, key: Switch): HTMLButtonElement {
        const { session } = this;
        const one = button(label, () => session.show({ [key]: !session.display.value[key] }), { class: "icon-button" }, icon(name));
        session.display.watch((display) => one.setAttribute("aria-pressed", String(display[key])));
        return one;
    }

    private corner(world: World): HTMLElement {
        const cell = el("span", { class: "hint" }, `floor ${number(world.grid.cell)} m`);
        this.session.display.watch(({ grid }) => (cell.hidden = !grid));
        return el("div", { class: "corner" }, this.triad?.element, cell);
    }
}
