// What the person at the screen has chosen. Pages read and change it and know nothing of each other.
import type { Dataset } from "../data/dataset.ts";
import type { WindowName } from "../data/spectrum.ts";
import { Signal } from "./signal.ts";

export type View = "3d" | "plots" | "solver" | "model" | "compare";

export type PlotMode = "time" | "xy" | "spectrum";

export interface Span {
    from: number;
    to: number;
}

export interface Display {
    joints: boolean;
    forces: boolean;
    reactions: boolean;
    contacts: boolean; // points that touch, with their forces
    trails: boolean;
    labels: boolean;
    grid: boolean;
    ghost: boolean; // the mechanism of a second run
    symbols: number; // factor on the size of joint and spring symbols
    arrows: number; // factor on the length of force arrows
    deformation: number; // factor of displacements by modes
    column: number; // of the strains and stresses that colour flexible bodies; -1: none
}

const SLOW = 90; // ms between numbers while the motion plays

function spanOf({ motion, channels, history }: Dataset): Span | null {
    const starts = [motion.times, ...channels.tables.map((table) => table.time)];
    if (history !== null) {
        starts.push(history.t);
    }
    const filled = starts.filter((times) => times.length > 0);
    if (filled.length === 0) {
        return null;
    }
    const times = motion.times.length > 0 ? [motion.times] : filled;
    return {
        from: Math.min(...times.map((t) => t[0])),
        to: Math.max(...times.map((t) => t[t.length - 1])),
    };
}

export class Session {
    private lastReading = 0;
    readonly data: Signal<Dataset>;
    readonly time: Signal<number>;
    readonly reading: Signal<number>; // the same for numbers on the page, which follow more slowly
    readonly window = new Signal<Span | null>(null); // zoom of plots; play stays inside
    readonly hover = new Signal<number | null>(null); // time under the pointer in a plot
    readonly playing = new Signal(false);
    readonly speed = new Signal(1);
    readonly live = new Signal(false); // stay at the newest row of a run that is watched
    readonly view = new Signal<View>("3d");
    readonly split = new Signal(false); // mechanism and plots side by side
    readonly selected = new Signal<number>(-1); // body, ground is 0
    readonly follow = new Signal<number>(-1);
    readonly plotted = new Signal<readonly string[]>([]);
    readonly plotMode = new Signal<PlotMode>("time");
    readonly xChannel = new Signal<string | null>(null); // of plots over a channel
    readonly statistics = new Signal(false); // below the names of the curves
    readonly spectrumWindow = new Signal<WindowName>("hann");
    readonly spectrumLog = new Signal(false);
    readonly display: Signal<Display>;
    readonly mode = new Signal(0); // of a linearisation
    readonly amplitude = new Signal(0); // largest displacement of a mode over the size
    readonly inspected = new Signal(0); // the run whose solver and model are shown

    constructor(data: Dataset, readonly second: Dataset | null = null) {
        this.data = new Signal(data);
        this.time = new Signal(data.motion.start);
        this.reading = new Signal(data.motion.start);
        this.time.on((t) => this.read(t));
        this.playing.on(() => this.read(this.time.value));
        this.display = new Signal<Display>({
            joints: true,
            forces: true,
            reactions: false,
            contacts: true,
            trails: false,
            labels: false,
            grid: true,
            ghost: true,
            symbols: 1,
            arrows: 1,
            deformation: 1,
            column: (data.header.scene?.flexible?.length ?? 0) + (data.header.scene?.modal?.length ?? 0) > 0 ? 0 : -1,
        });
    }

    /** The run of the report, and the second one where there is one. */
    get runs(): Dataset[] {
        return this.second === null ? [this.data.value] : [this.data.value, this.second];
    }

    /** The run whose solver and model are shown. */
    get inspectedRun(): Dataset {
        return this.runs[this.inspected.value] ?? this.data.value;
    }

    /** A or B: short enough to stand before the name of a curve. */
    runTag(run: number): string {
        return run === 0 ? "A" : "B";
    }

    /** File or title of a run. */
    runName(run: number): string {
        const header = this.runs[run]?.header;
        return header?.run?.results || header?.title || `run ${this.runTag(run)}`;
    }

    /** Names of the channels of all runs, or of those of a kind, each once. */
    channelNames(kind?: string): string[] {
        const lists = this.runs.flatMap(({ channels }) => (kind === undefined ? channels.list : channels.ofKind(kind)));
        return [...new Set(lists.map(({ name }) => name))];
    }

    /** First and last time of everything there is. */
    get range(): Span {
        const spans = this.runs.flatMap((data) => spanOf(data) ?? []);
        return spans.length === 0 ? { from: 0, to: 0 } : { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
    }

    get shownSpan(): Span {
        return this.window.value ?? this.range;
    }

    setTime(t: number): void {
        const { from, to } = this.range;
        if (Number.isFinite(t)) {
            this.time.value = Math.min(to, Math.max(from, t));
        }
    }

    // Texts and sliders cost as much as the picture: ten times a second is as fast as one can read.
    private read(t: number): void {
        const now = performance.now();
        if (!this.playing.value || now - this.lastReading > SLOW) {
            this.lastReading = now;
            this.reading.value = t;
        }
    }

    setWindow(span: Span | null): void {
        const all = this.range;
        if (span === null || !(span.to > span.from)) {
            this.window.value = null;
            return;
        }
        const from = Math.max(all.from, span.from);
        const to = Math.min(all.to, span.to);
        const whole = from <= all.from && to >= all.to;
        this.window.value = whole || !(to > from) ? null : { from, to };
    }

    show(change: Partial<Display>): void {
        this.display.value = { ...this.display.value, ...change };
    }

    /** Adds a channel to the plots, or takes it away. */
    togglePlot(name: string): void {
        const names = this.plotted.value;
        this.plotted.value = names.includes(name)
            ? names.filter((other) => other !== name)
            : [...names, name];
    }
}
