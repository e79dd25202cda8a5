// Time runs while the motion plays: real time times speed, again from the start at the end.
import { nearestRow, rowBefore } from "../data/lookup.ts";
import type { Session } from "./session.ts";

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Player {
    private last = 0;
    private readonly stamps: number[] = [];

    constructor(private readonly session: Session) {
        session.playing.on((playing) => {
            this.last = 0;
            if (playing) {
                session.live.value = false;
            }
        });
    }

    toggle(): void {
        this.session.playing.value = !this.session.playing.value;
    }

    /** Advances the time; called once a frame with its time stamp in ms. */
    tick(now: number): void {
        const { session } = this;
        if (!session.playing.value) {
            return;
        }
        // a page that was hidden gets one long frame: do not jump
        const seconds = this.last === 0 ? 0 : Math.min(0.25, (now - this.last) / 1000);
        this.last = now;
        this.count(now);
        const { from, to } = session.shownSpan;
        let t = session.time.value + seconds * session.speed.value;
        if (t >= to || t < from) {
            t = session.time.value < to && t >= to ? to : from;
        }
        session.setTime(t);
    }

    /** Steps over kept rows and stops playing. */
    step(rows: number): void {
        const { session } = this;
        const { times } = session.data.value.motion;
        session.playing.value = false;
        session.live.value = false;
        if (times.length === 0) {
            return;
        }
        const at = rowBefore(times, session.time.value);
        // between rows the step back leads to the row before
        const between = times[at] < session.time.value && rows < 0;
        const row = at + rows + (between ? 1 : 0);
        session.setTime(times[Math.min(times.length - 1, Math.max(0, row))]);
    }

    changeSpeed(steps: number): void {
        const at = nearestRow(SPEEDS, this.session.speed.value);
        this.session.speed.value = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + steps))];
    }

    /** Frames shown in the last second of playing. */
    fps(): number {
        const n = this.stamps.length;
        if (n < 2) {
            return 0;
        }
        return ((n - 1) * 1000) / (this.stamps[n - 1] - this.stamps[0]);
    }

    private count(now: number): void {
        this.stamps.push(now);
        while (this.stamps[0] < now - 1000) {
            this.stamps.shift();
        }
    }
}

/** A speed at which the whole motion takes between about 3 and 30 seconds; 1 when that fits. */
export function sensibleSpeed(length: number): number {
    if (!(length > 0) || (length >= 2 && length <= 40)) {
        return 1;
    }
    const wanted = length < 2 ? length / 4 : length / 20;
    const below = SPEEDS.filter((speed) => speed <= wanted);
    return below[below.length - 1] ?? SPEEDS[0];
}
