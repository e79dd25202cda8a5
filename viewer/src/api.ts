// window.trammel: the page for tests and for people at the console.
import type { App } from "./app.ts";
import type { Header, ModeInfo } from "./data/header.ts";
import { bodyCount, bodyNames, entitiesOf, entityOf } from "./pages/entities.ts";
import type { Spectrum, WindowName } from "./data/spectrum.ts";
import { statistics, type Statistics } from "./data/statistics.ts";
import type { PlotMode, View } from "./state/session.ts";

export interface BodyNow {
    position: number[];
    orientation: number[];
    screen: number[];
}

export interface Api {
    ready: Promise<void>;
    error: string | null;
    header: Header | null;
    view: View;
    times(): number[];
    time(): number;
    setTime(t: number): void;
    body(name: string): BodyNow | null;
    bodies(): string[];
    select(name: string | null): void;
    selected(): string | null;
    follow(name: string | null): void;
    play(): void;
    pause(): void;
    playing(): boolean;
    speed(x: number): void;
    fps(): number;
    channels(): string[];
    plot(names: string[]): void;
    zoom(from: number, to: number): void;
    runs(): string[];
    cursor(t: number): Record<string, number>;
    csv(names?: string[]): string;
    svg(): string;
    plotMode(mode: PlotMode, x?: string): void;
    statistics(name: string, run?: number): Statistics | null; // over the shown part
    spectra(window?: WindowName): Record<string, Spectrum>;
    views(): string[];
    saveView(name: string): void;
    showView(name: string): boolean;
    camera(): number[]; // position, then what it looks at
    modes(): ModeInfo[];
    mode(k: number, amplitude?: number): void;
    ghost(name: string): number[] | null; // position of a body of the second run, as drawn
    project(x: number, y: number, z: number): number[]; // px of the canvas
}

function bodyNow(app: App, name: string): BodyNow | null {
    const { header, motion } = app.session.data.value;
    const entity = entityOf(header, name);
    if (entity <= 0 || entity >= bodyCount(header)) {
        return null;
    }
    const { world } = app.workspace.mechanism;
    motion.moveTo(app.session.time.value);
    const position = Array.from(motion.position.subarray(3 * (entity - 1), 3 * entity));
    const orientation = Array.from(motion.orientation.subarray(4 * (entity - 1), 4 * entity));
    const [x, y, z] = position;
    const screen = world === null ? [] : world.stage.project(x, y, z).slice(0, 2);
    return { position, orientation, screen };
}

/** The interface before there is an app: `connect` fills it. */
export function makeApi(ready: Promise<void>): Api {
    const none = () => undefined;
    return {
        ready, error: null, header: null, view: "3d",
        times: () => [], time: () => Number.NaN, setTime: none, body: () => null, bodies: () => [],
        select: none, selected: () => null, follow: none, play: none, pause: none, playing: () => false,
        speed: none, fps: () => 0, channels: () => [], plot: none, zoom: none, runs: () => [], cursor: () => ({}),
        csv: () => "", svg: () => "", plotMode: none, statistics: () => null, spectra: () => ({}), views: () => [], saveView: none, showView: () => false, camera: () => [], modes: () => [], mode: none, ghost: () => null, project: () => [],
    };
}

export function connect(api: Api, app: App): void {
    const { session, player, workspace } = app;
    const data = () => session.data.value;
    Object.defineProperties(api, {
        header: { get: () => data().header, enumerable: true, configurable: true },
        view: { get: () => session.view.value, set: (view: View) => (session.view.value = view), enumerable: true, configurable: true },
    });
    const methods: Partial<Api> = {
        times: () => Array.from(data().motion.times),
        time: () => session.time.value,
        setTime: (t) => session.setTime(t),
        body: (name) => bodyNow(app, name),
        bodies: () => bodyNames(data().header),
        select: (name) => (session.selected.value = entityOf(data().header, name)),
        selected: () => entitiesOf(data().header)[session.selected.value]?.name ?? null,
        follow: (name) => (session.follow.value = entityOf(data().header, name)),
        play: () => (session.playing.value = true),
        pause: () => (session.playing.value = false),
        playing: () => session.playing.value,
        speed: (x) => (session.speed.value = x),
        fps: () => player.fps(),
        channels: () => data().channels.list.map((channel) => channel.name),
        plot: (names) => (session.plotted.value = [...names]),
        zoom: (from, to) => session.setWindow({ from, to }),
        runs: () => session.runs.map((_, run) => session.runName(run)),
        cursor: (t) => Object.fromEntries(data().channels.pick(session.plotted.value).map((channel) => [channel.name, channel.at(t)])),
        csv: (names) => workspace.plots.csv(names),
        plotMode: (mode, x) => {
            session.xChannel.value = x ?? session.xChannel.value;
            session.plotMode.value = mode;
        },
        statistics: (name, run = 0) => {
            const channel = session.runs[run]?.channels.get(name);
            const { from, to } = session.shownSpan;
            return channel === undefined ? null : statistics(channel.time, channel.values, from, to);
        },
        spectra: (window) => {
            session.spectrumWindow.value = window ?? session.spectrumWindow.value;
            return workspace.plots.spectra();
        },
        views: () => workspace.mechanism.views?.names ?? [],
        saveView: (name) => workspace.mechanism.views?.save(name),
        showView: (name) => workspace.mechanism.views?.show(name) ?? false,
        camera: () => {
            const { stage } = workspace.mechanism.world ?? {};
            return stage === undefined ? [] : [...stage.camera.position.toArray(), ...stage.controls.target.toArray()];
        },
        modes: () => data().modes?.list ?? [],
        mode: (k, amplitude) => {
            session.amplitude.value = amplitude ?? session.amplitude.value;
            session.mode.value = k;
        },
        ghost: (name) => {
            const body = session.second?.header.scene?.bodies.findIndex((one) => one.name === name) ?? -1;
            return body < 0 ? null : workspace.mechanism.world?.ghost?.position(body) ?? null;
        },
        project: (x, y, z) => workspace.mechanism.world?.stage.project(x, y, z).slice(0, 2) ?? [],
        svg: () => (session.view.value === "compare" ? app.compare.svg() : workspace.plots.svg()),
    };
    Object.assign(api, methods);
}
