// Saved views: positions of the camera by name.
import type { World } from "../scene/world.ts";
import type { Session } from "../state/session.ts";
import { ViewStore, type SavedView } from "../state/views.ts";
import { button, el } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { Popover } from "../ui/popover.ts";

export class ViewsMenu {
    readonly popover: Popover;
    private readonly store: ViewStore;
    private readonly list = el("div", { class: "view-list" });
    private readonly name = el("input", { class: "view-name", placeholder: "Name of this view", "aria-label": "name of this view", maxlength: 60, autocomplete: "off", spellcheck: "false" });
    private views: SavedView[];

    constructor(session: Session, private readonly world: World, private readonly moved: () => void) {
        this.store = new ViewStore(session.data.value.header.title ?? "");
        this.views = this.store.load();
        const form = el("form", { class: "menu-row" }, this.name, el("button", { type: "submit", class: "small" }, "Save"));
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.save(this.name.value.trim() || `View ${this.views.length + 1}`);
            this.name.value = "";
        });
        this.popover = new Popover("Saved views (v)", "bookmark", this.list, form, el("p", { class: "hint" }, "They are part of the address of this page: bookmark or copy it to keep them."));
        addEventListener("hashchange", () => {
            this.views = this.store.load();
            this.render();
        });
        this.render();
    }

    get names(): string[] {
        return this.views.map(({ name }) => name);
    }

    save(name: string): void {
        const { camera, controls } = this.world.stage;
        const view = { name, eye: camera.position.toArray(), target: controls.target.toArray() };
        const known = this.views.findIndex((one) => one.name === name);
        this.views = known < 0 ? [...this.views, view] : this.views.map((one, k) => (k === known ? view : one));
        this.changed();
    }

    show(name: string): boolean {
        const view = this.views.find((one) => one.name === name);
        if (view !== undefined) {
            this.world.lookFrom(view.eye, view.target);
            this.moved();
        }
        return view !== undefined;
    }

    private remove(name: string): void {
        this.views = this.views.filter((one) => one.name !== name);
        this.changed();
    }

    private changed(): void {
        this.store.save(this.views);
        this.render();
    }

    private render(): void {
        this.list.replaceChildren(...this.views.map(({ name }) => el("div", { class: "menu-row view-row" },
            button(`Look from ${name}`, () => this.show(name), { class: "menu-item" }, name),
            button(`Remove ${name}`, () => this.remove(name), { class: "icon-button" }, icon("close")))));
        if (this.views.length === 0) {
            this.list.append(el("p", { class: "hint" }, "None yet."));
        }
    }
}
