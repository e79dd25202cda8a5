// Which mode moves and how far: the motion of the page is one period of it, again and again.
import type { Dataset } from "../data/dataset.ts";
import { modeFactor, modeMotion, modePeriod } from "../data/modes.ts";
import type { Session } from "./session.ts";

const SECONDS = 1.6; // that a period takes on the screen

/** The first mode that oscillates, else the first. */
export function firstMode({ modes }: Dataset): number {
    return Math.max(0, modes?.list.findIndex(({ imag }) => imag > 0) ?? 0);
}

/** Data whose motion is one period of a mode. */
export function withMode(data: Dataset, mode: number, amplitude: number): Dataset {
    const { modes, header } = data;
    if (modes === null || modes.list[mode] === undefined) {
        return data;
    }
    const factor = modeFactor(modes, header, mode, amplitude * (header.scene?.size ?? 1), data.modal);
    return { ...data, motion: modeMotion(modes, mode, factor) };
}

export class ModePlayer {
    constructor(private readonly session: Session) {
        const { data, mode, amplitude } = session;
        mode.on(() => this.choose());
        amplitude.on((size) => (data.value = withMode(data.value, mode.value, size)));
        this.setSpeed();
    }

    private choose(): void {
        const { session } = this;
        session.setWindow(null);
        session.data.value = withMode(session.data.value, session.mode.value, session.amplitude.value);
        session.setTime(0);
        this.setSpeed();
    }

    private setSpeed(): void {
        const info = this.session.data.value.modes?.list[this.session.mode.value];
        if (info !== undefined) {
            this.session.speed.value = Number((modePeriod(info) / SECONDS).toPrecision(2));
        }
    }
}
