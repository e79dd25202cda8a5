// A run that did not reach its end: the whole message and what to do, across the page.
import type { Dataset } from "../data/dataset.ts";
import type { Session } from "../state/session.ts";
import { button, el } from "./dom.ts";
import { number } from "./format.ts";
import { icon } from "./icons.ts";

/** What can be done about an ending, told by words of its message; the first that fits counts. */
const CURES: [RegExp, string][] = [
    [/cancel|interrupt/i, "Somebody stopped this run. Everything up to then is here; run it again to go on."],
    [/killed/i, "The process ended without a word: out of memory or stopped from outside. Everything that had been written is here."],
    [/connection lost/i, "The server of “trammel watch” is gone; the run itself goes on. Start it again to see more."],
    [/not finite|\bnan\b|no number|domain|square root|logarithm/i, "An expression of the model gives no number there. Check the functions that act at that time, and the motion just before it."],
    [/singular|redundant|dead point|bifurcation/i, "Look at the last frames: in a position where links line up, joints lose or repeat their effect. A small change of the dimensions, or a spring or mass that picks one way, helps."],
    [/assembl|does not close|cannot be closed/i, "Joints or drives ask for positions that do not fit together. Compare the drives with the reach of the links at that time."],
    [/step|converg|iteration/i, "Look at the last frames and at the rejected steps of the Solver page: what changes abruptly there? A looser --tol, another --integrator or a smoother force or drive usually helps."],
];

export function cureFor(status: string): string {
    return CURES.find(([words]) => words.test(status))?.[1] ?? "The frames up to there and the Solver page show what led to it.";
}

export function endedBadly({ header }: Dataset): boolean {
    const status = header.status ?? "";
    return status !== "" && status !== "done" && status !== "running";
}

export class Banner {
    readonly element = el("div", { class: "banner", role: "alert" });
    private shown = ""; // message
    private closed = ""; // the message that was put away

    constructor(private readonly session: Session, private readonly run = 0) {
        session.data.watch(() => this.update(session.runs[run]));
    }

    private update(data: Dataset): void {
        const status = data.header.status ?? "";
        this.element.hidden = !endedBadly(data) || this.closed === status;
        if (!this.element.hidden && this.shown !== status) {
            this.shown = status;
            this.render(data, status);
        }
    }

    private render(data: Dataset, status: string): void {
        const { session } = this;
        const asked = data.header.run?.end_time;
        const reached = data.motion.times.length > 0 ? data.motion.end : session.range.to;
        const which = session.runs.length > 1 ? `Run ${session.runTag(this.run)}` : "The run";
        const short = typeof asked === "number" && asked > reached ? ` at t = ${number(reached)} of ${number(asked)} s` : "";
        this.element.replaceChildren(
            icon("warning"),
            el("div", { class: "banner-text" },
                el("p", {}, el("b", {}, `${which} did not reach its end${short}. `), el("span", { class: "banner-message" }, status)),
                el("p", { class: "banner-cure" }, cureFor(status))),
            el("div", { class: "banner-actions" },
                button("Show the last frame", () => {
                    session.playing.value = false;
                    session.setTime(reached);
                }, { class: "small" }, "Last frame"),
                data.history === null ? null : button("Show the solver's history", () => (session.view.value = "solver"), { class: "small" }, "Solver"),
                button("Close this message", () => {
                    this.closed = status;
                    this.element.hidden = true;
                }, { class: "icon-button" }, icon("close"))));
    }
}
