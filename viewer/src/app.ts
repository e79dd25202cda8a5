// The page: head with tabs, the pages, the bar at the bottom; and the loop that draws.
import { Player, sensibleSpeed } from "./state/player.ts";
import { firstMode, ModePlayer, withMode } from "./state/mode_player.ts";
import { Session, type View } from "./state/session.ts";
import type { Dataset } from "./data/dataset.ts";
import { ComparePage } from "./pages/compare.ts";
import { ModelPage } from "./pages/model.ts";
import { SolverPage } from "./pages/solver.ts";
import { Workspace } from "./pages/workspace.ts";
import { Banner, endedBadly } from "./ui/banner.ts";
import { button, el } from "./ui/dom.ts";
import { number } from "./ui/format.ts";
import { helpDialog } from "./ui/help.ts";
import { icon } from "./ui/icons.ts";
import { keyActions, listenKeys } from "./ui/keys.ts";
import { Popover } from "./ui/popover.ts";
import { dark } from "./ui/theme.ts";
import { Transport } from "./ui/transport.ts";

const TITLES: Record<View, string> = { "3d": "Mechanism", plots: "Plots", solver: "Solver", model: "Model", compare: "Compare" };
/** Names of pages of a reduced part. */
const PART_TITLES: Record<View, string> = { ...TITLES, "3d": "Modes", model: "Part" };
const AMPLITUDE = 0.08; // of a mode at first, over the size of the mechanism
const REST = 180; // ms after which a picture at rest is drawn sharply

function viewsOf(data: Dataset): View[] {
    const views: View[] = [];
    if (data.motion.times.length > 0 || data.header.scene !== undefined && data.header.compare == null) {
        views.push("3d");
    }
    if (data.channels.list.length > 0) {
        views.push("plots");
    }
    if (data.header.compare != null) {
        views.push("compare");
    }
    if (data.modes === null && (data.history !== null || data.header.run?.statistics != null)) {
        views.push("solver");
    }
    return [...views, "model"];
}

/** Channels that are worth a first look: outputs of the model, else energies, else any. */
function firstPlots({ channels }: Dataset, second: Dataset | null): string[] {
    const groups = [channels.ofKind("output"), channels.ofKind("energy"), channels.list];
    // of two runs what both have
    const shared = groups.map((group) => group.filter(({ name }) => second === null || second.channels.get(name) !== undefined));
    const list = [...shared, ...groups].find((group) => group.length > 0) ?? [];
    return list.slice(0, 4).map((channel) => channel.name);
}

export class App {
    readonly session: Session;
    readonly player: Player;
    readonly workspace: Workspace;
    readonly compare: ComparePage;
    private readonly views: View[];
    private readonly help: HTMLDialogElement;
    private readonly status = el("span", { class: "status", role: "status" });
    private last = 0;
    private moved = 0;
    private frames = 0;
    private started: () => void = () => undefined;

    /** Kept when the first pictures are drawn; at the latest after a second, in a hidden page. */
    readonly drawn = new Promise<void>((resolve) => {
        this.started = resolve;
        setTimeout(resolve, 1000);
    });

    constructor(host: HTMLElement, data: Dataset, private readonly watching: boolean, second: Dataset | null = null) {
        this.session = new Session(data.modes === null ? data : withMode(data, firstMode(data), AMPLITUDE), second);
        this.session.mode.value = firstMode(data);
        this.session.amplitude.value = AMPLITUDE;
        this.player = new Player(this.session);
        this.views = viewsOf(data);
        const { from, to } = this.session.range;
        this.session.speed.value = sensibleSpeed(to - from);
        if (data.modes !== null) {
            new ModePlayer(this.session);
            this.session.playing.value = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
        }
        this.session.live.value = watching;
        if (watching) {
            this.session.setTime(to);
        }
        this.session.plotted.value = firstPlots(data, second);
        this.workspace = new Workspace(this.session);
        this.compare = new ComparePage(this.session);
        const noPicture = this.workspace.mechanism.world === null && this.views.includes("plots");
        this.session.view.value = noPicture ? "plots" : this.views[0];
        const actions = keyActions({
            session: this.session,
            player: this.player,
            views: this.views,
            fit: () => this.workspace.mechanism.fit(),
            savedViews: () => this.workspace.mechanism.views?.popover.toggle(),
            exports: () => this.workspace.mechanism.exports?.popover.toggle(),
            help: () => this.toggleHelp(),
            search: () => this.search(),
            escape: () => this.escape(),
        });
        listenKeys(actions);
        this.help = helpDialog(actions);
        host.replaceChildren(this.head(), ...this.banners(), this.workspace.element, this.compare.element, new SolverPage(this.session).element, new ModelPage(this.session).element, this.transport(), this.help);
        this.session.data.watch((next) => this.showStatus(next));
        this.session.view.watch((view) => (host.dataset["view"] = view));
        requestAnimationFrame((now) => this.frame(now));
    }

    private head(): HTMLElement {
        const { header } = this.session.data.value;
        const title = header.title || header.run?.model_file || "Trammel report";
        document.title = title;
        const theme = button("Light or dark (d)", () => (dark.value = !dark.value), { class: "icon-button" }, icon("moon"));
        dark.watch((on) => theme.replaceChildren(icon(on ? "sun" : "moon")));
        return el("header", { class: "head" },
            el("span", { class: "brand" }, "trammel"),
            el("h1", { title }, title),
            this.status,
            this.runKey(),
            this.tabs(),
            el("div", { class: "head-buttons" },
                this.views.includes("3d") && this.views.includes("plots") ? this.workspace.splitButton() : null,
                theme,
                button("Keys (?)", () => this.toggleHelp(), { class: "icon-button" }, icon("help"))));
    }

    private banners(): HTMLElement[] {
        return this.session.runs.map((_, run) => new Banner(this.session, run).element);
    }

    // Which run is which; a click chooses the one of the solver's and the model's page.
    private runKey(): HTMLElement | null {
        const { session } = this;
        if (session.second === null) {
            return null;
        }
        return el("span", { class: "run-key", role: "group", "aria-label": "runs" }, ...session.runs.map((_, run) => {
            const name = session.runName(run);
            const one = button(`Run ${session.runTag(run)}: ${name}`, () => (session.inspected.value = run), { class: "run-button" },
                el("span", { class: run === 0 ? "run-mark" : "run-mark second" }), el("b", {}, session.runTag(run)), el("span", { class: "run-name" }, name));
            const update = () => one.setAttribute("aria-pressed", String(session.inspected.value === run && ["solver", "model"].includes(session.view.value)));
            session.inspected.watch(update);
            session.view.watch(update);
            return one;
        }));
    }

    private tabs(): HTMLElement {
        const { session } = this;
        const bar = el("nav", { class: "tabs", role: "tablist", "aria-label": "pages" });
        const titles = session.data.value.header.part == null ? TITLES : PART_TITLES;
        this.views.forEach((view, k) => {
            const tab = button(`${titles[view]} (${k + 1})`, () => (session.view.value = view), { role: "tab", class: "tab" }, titles[view]);
            session.view.watch((shown) => {
                tab.setAttribute("aria-selected", String(shown === view));
                tab.tabIndex = shown === view ? 0 : -1;
            });
            bar.append(tab);
        });
        bar.addEventListener("keydown", (event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (step !== 0) {
                const n = this.views.length;
                session.view.value = this.views[(this.views.indexOf(session.view.value) + step + n) % n];
                bar.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
            }
        });
        return bar;
    }

    private transport(): HTMLElement {
        const bar = new Transport(this.session, this.player, this.watching).element;
        const { from, to } = this.session.range;
        bar.hidden = !(to > from) && !this.watching;
        this.session.view.watch((view) => bar.classList.toggle("away", view === "model" || view === "compare"));
        return bar;
    }

    private showStatus(data: Dataset): void {
        const status = data.header.status ?? "";
        const failed = endedBadly(data);
        this.status.dataset["kind"] = failed ? "failed" : status === "running" ? "running" : "done";
        const time = data.header.modes?.time;
        // of a failed run the banner tells the rest
        this.status.textContent = failed ? "not finished" : time === undefined ? status : `linearised at t = ${number(time)} s`;
        this.status.title = status;
        this.status.hidden = status === "";
    }

    private toggleHelp(): void {
        if (this.help.open) {
            this.help.close();
        } else {
            this.help.showModal();
        }
    }

    private search(): void {
        const inPlots = this.session.view.value === "plots";
        (inPlots ? this.workspace.picker.search : this.workspace.mechanism.inspector.search).focus();
    }

    private escape(): void {
        if (this.help.open) {
            this.help.close();
            return;
        }
        if (document.activeElement instanceof HTMLElement) {
            document.activeElement.blur();
        }
        if (Popover.closeOpen()) {
            return;
        }
        this.session.selected.value = -1;
    }

    private frame(now: number): void {
        const { session, player } = this;
        const { world } = this.workspace.mechanism;
        if (session.playing.value) {
            player.tick(now);
            world?.stage.adapt(Math.min(200, now - this.last));
        }
        this.last = now;
        if (!this.workspace.element.hidden && this.workspace.mechanism.draw()) {
            this.moved = now;
        } else if (this.moved > 0 && now - this.moved > REST) {
            this.moved = 0;
            this.workspace.mechanism.sharpen();
        }
        if (++this.frames === 3) {
            this.started();
        }
        requestAnimationFrame((next) => this.frame(next));
    }
}
