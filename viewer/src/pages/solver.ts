// The solver's own history: steps, errors, order, iterations, what was rejected and why, how well
// the constraints and the energy balance hold, where the time went.
import type { Channel } from "../data/channels.ts";
import type { History } from "../data/history.ts";
import { nearestRow } from "../data/lookup.ts";
import { Panel, type Curve, type PanelOptions } from "../plot/panel.ts";
import type { Session } from "../state/session.ts";
import { el } from "../ui/dom.ts";
import { number, seconds } from "../ui/format.ts";

const PHASES: [string, string][] = [
    ["seconds_setup", "setup"],
    ["seconds_residual", "residuals"],
    ["seconds_jacobian", "Jacobians"],
    ["seconds_factor", "factorisation"],
    ["seconds_solve", "solves"],
    ["seconds_output", "output"],
];

function sum(a: unknown, b: unknown): unknown {
    return typeof a === "number" && typeof b === "number" ? a + b : a;
}

function curveOf(channel: Channel, color: number, absolute = false): Curve {
    const y = absolute ? Float64Array.from(channel.values, Math.abs) : channel.values;
    return { label: channel.title, detail: channel.name, unit: channel.unit, x: channel.time, y, color, at: (t) => channel.at(t) };
}

// Rows of the history where a test holds, as a curve of its own.
function part(history: History, y: Float64Array, keep: (i: number) => boolean, curve: Omit<Curve, "x" | "y">): Curve {
    const rows = Array.from(history.t.keys()).filter(keep).sort((a, b) => history.t[a] - history.t[b]);
    const x = Float64Array.from(rows, (i) => history.t[i]);
    const values = Float64Array.from(rows, (i) => y[i]);
    const at = curve.points === true || x.length === 0 ? undefined : (t: number) => values[nearestRow(x, t)];
    return { ...curve, x, y: values, ...(at === undefined ? {} : { at }) };
}

export class SolverPage {
    readonly element = el("main", { class: "page solver-page" });
    private panels: Panel[] = [];
    private stale = true;

    constructor(private readonly session: Session) {
        session.data.on(() => this.refresh(true));
        session.inspected.on(() => this.refresh(true));
        session.view.watch((view) => {
            this.element.hidden = view !== "solver";
            this.refresh(false);
        });
    }

    // Only when it is looked at: a watched run brings new rows twice a second.
    private refresh(changed: boolean): void {
        this.stale ||= changed;
        if (this.element.hidden || !this.stale) {
            return;
        }
        this.stale = false;
        this.panels.forEach((panel) => panel.destroy());
        this.panels = [];
        const charts = el("div", { class: "solver-charts" });
        this.element.replaceChildren(this.summary(), charts);
        this.addHistory(charts);
        this.addCertificates(charts);
        if (this.panels.length === 0) {
            charts.append(el("p", { class: "empty" }, "The report holds no history of the solver."));
        }
    }

    private add(host: HTMLElement, options: PanelOptions, curves: Curve[]): void {
        const filled = curves.filter((curve) => curve.x.length > 0);
        if (filled.length === 0) {
            return;
        }
        const panel = new Panel(this.session, options);
        host.append(panel.element);
        panel.setCurves(filled);
        this.panels.push(panel);
    }

    private addHistory(host: HTMLElement): void {
        const { history } = this.session.inspectedRun;
        if (history === null) {
            return;
        }
        const accepted = (i: number) => history.accepted[i] !== 0;
        const rejected = this.causes(history);
        const marks = (y: Float64Array) => rejected.map(({ cause, text }, k) =>
            part(history, y, (i) => !accepted(i) && history.cause[i] === cause, { label: `rejected: ${text}`, color: k + 1, points: true }));
        this.add(host, { label: "step size [s]", log: true }, [part(history, history.h, accepted, { label: "accepted", unit: "s", color: 0 }), ...marks(history.h)]);
        this.add(host, { label: "error over tolerance", log: true }, [part(history, history.error, accepted, { label: "accepted", color: 0 }), ...marks(history.error)]);
        const finite = (y: Float64Array) => (i: number) => accepted(i) && Number.isFinite(y[i]);
        this.add(host, { label: "order", whole: true }, [part(history, history.order, finite(history.order), { label: "order", color: 0, steps: true })]);
        this.add(host, { label: "iterations a step", whole: true }, [part(history, history.iterations, finite(history.iterations), { label: "iterations", color: 2, steps: true })]);
    }

    private addCertificates(host: HTMLElement): void {
        const { channels } = this.session.inspectedRun;
        this.add(host, { label: "constraint violation", log: true }, channels.ofKind("certificate").map((channel, k) => curveOf(channel, k, true)));
        const energy = channels.ofKind("energy");
        const open = energy.filter(({ item }) => /error|balance|open/i.test(`${item.name} ${item.label ?? ""}`));
        this.add(host, { label: "energies [J]" }, energy.filter((channel) => !open.includes(channel)).map((channel, k) => curveOf(channel, k)));
        this.add(host, { label: "energy balance [J]" }, open.map((channel) => curveOf(channel, 1)));
    }

    private causes(history: History): { cause: number; text: string; count: number }[] {
        const count = new Map<number, number>();
        history.cause.forEach((cause, i) => {
            if (history.accepted[i] === 0) {
                count.set(cause, (count.get(cause) ?? 0) + 1);
            }
        });
        return [...count].sort((a, b) => b[1] - a[1]).map(([cause, n]) => ({ cause, text: history.causes[cause] || `cause ${cause}`, count: n }));
    }

    private summary(): HTMLElement {
        const { header, history } = this.session.inspectedRun;
        const stats = header.run?.statistics ?? {};
        const figure = (label: string, value: unknown) =>
            typeof value === "number" ? el("div", { class: "figure" }, el("b", {}, number(value, 9)), el("span", {}, label)) : null;
        const attempts = history === null ? null : `${history.t.length} of ${history.of} attempted steps are kept in this report: all rejected ones, and the extremes.`;
        return el("div", { class: "solver-summary" },
            el("div", { class: "figures" },
                figure("steps", stats["steps"] ?? (history === null ? undefined : history.of)),
                figure("rejected", stats["rejected"]),
                figure("iterations", stats["iterations"]),
                figure("residuals", stats["residuals"]),
                figure("Jacobians", stats["jacobians"]),
                figure("factorisations", sum(stats["factorizations"], stats["refactorizations"]))),
            this.rejections(stats, history),
            this.phases(stats),
            attempts === null || history?.t.length === history?.of ? null : el("p", { class: "hint" }, attempts));
    }

    private rejections(stats: Record<string, unknown>, history: History | null): HTMLElement | null {
        const known = [["error", "rejected_error"], ["no convergence", "rejected_newton"], ["singular matrix", "rejected_singular"]]
            .map(([text, key]) => ({ text, count: Number(stats[key] ?? 0) }));
        const list = (history === null ? known : this.causes(history)).filter(({ count }) => count > 0);
        if (list.length === 0) {
            return null;
        }
        return el("div", { class: "rejections" }, el("h3", {}, "Rejected steps"),
            el("table", {}, el("tbody", {}, ...list.map(({ text, count }) => el("tr", {}, el("td", {}, text), el("td", { class: "number" }, String(count)))))));
    }

    private phases(stats: Record<string, unknown>): HTMLElement | null {
        const list = PHASES.flatMap(([key, text]) => (typeof stats[key] === "number" ? [{ text, time: stats[key] }] : []));
        const total = Number(stats["seconds_total"] ?? list.reduce((sum, { time }) => sum + time, 0));
        if (list.length === 0 || !(total > 0)) {
            return null;
        }
        const rest = total - list.reduce((sum, { time }) => sum + time, 0);
        if (rest > 0.005 * total) {
            list.push({ text: "rest", time: rest });
        }
        const rows = list.map(({ text, time }) => {
            const bar = el("span", { class: "bar" });
            bar.style.width = `${Math.min(100, (100 * time) / total)}%`;
            return el("tr", {}, el("td", {}, text), el("td", { class: "number" }, seconds(time)), el("td", { class: "bar-cell" }, bar));
        });
        return el("div", { class: "phases" }, el("h3", {}, `Time by phase, ${seconds(total)} in all`), el("table", {}, el("tbody", {}, ...rows)));
    }
}
