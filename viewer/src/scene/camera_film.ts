// Pictures of the mechanism as files: one, a sequence, a video. Each has the title and the time
// written into it, as nothing else of the page comes along.
import type { Session } from "../state/session.ts";
import { timeText } from "../ui/format.ts";
import { themeColor } from "../ui/theme.ts";
import type { World } from "./world.ts";

export const RATE = 25; // frames a second
export const MOST = 1500; // frames
const SLICE = 150; // ms, of the recorder's portions
const PATIENCE = 5000; // ms, for the encoder at the end
const LEAST = 1500; // bytes: less is a head without frames

/** Times of the frames of a film: the shown part of the run at the speed that is set. */
export function filmTimes(session: Session): number[] {
    const { from, to } = session.shownSpan;
    const step = session.speed.value / RATE;
    const count = Math.max(1, Math.min(MOST, Math.floor((to - from) / step + 1e-9) + 1));
    return Array.from({ length: count }, (_, k) => from + k * step);
}

/** The first kind of video that this browser can record; VP8 is the one that slow machines keep up with. */
export function videoType(): string | null {
    if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) {
        return null;
    }
    return ["video/webm;codecs=vp8", "video/webm;codecs=vp9", "video/webm", "video/mp4"].find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

function pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Film {
    readonly canvas = document.createElement("canvas");
    private stopped = false;

    constructor(private readonly world: World, private readonly session: Session) {}

    stop(): void {
        this.stopped = true;
    }

    /** What is on the screen now. */
    async picture(): Promise<Blob> {
        this.shoot(this.session.time.value);
        return this.png();
    }

    /** PNG of each frame; null: stopped. */
    async frames(times: number[], progress: (done: number) => void): Promise<Uint8Array[] | null> {
        const files: Uint8Array[] = [];
        for (const [k, t] of times.entries()) {
            if (this.stopped) {
                return null;
            }
            this.shoot(t);
            files.push(new Uint8Array(await (await this.png()).arrayBuffer()));
            progress(k + 1);
        }
        return files;
    }

    /** A video, recorded while the frames are drawn one after the other; null: stopped. */
    async video(type: string, times: number[], progress: (done: number) => void): Promise<{ blob: Blob; slowed: number } | null> {
        this.shoot(times[0]);
        const stream = this.canvas.captureStream(0);
        const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
        const parts: Blob[] = [];
        const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8_000_000 });
        const happens = (what: string) => new Promise<void>((resolve) => recorder.addEventListener(what, () => resolve(), { once: true }));
        recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
        const [started, ended] = [happens("start"), happens("stop")];
        recorder.start(SLICE);
        await started;
        const start = performance.now();
        for (const [k, t] of times.entries()) {
            if (this.stopped) {
                break;
            }
            this.shoot(t);
            track.requestFrame();
            progress(k + 1);
            // the recorder takes its time stamps from the clock
            await pause(Math.max(0, start + ((k + 1) * 1000) / RATE - performance.now()));
        }
        const taken = performance.now() - start;
        // the encoder of a busy machine lags behind: stopped at once it would have written nothing
        const size = () => parts.reduce((sum, { size: bytes }) => sum + bytes, 0);
        for (let waited = 0; !this.stopped && waited < PATIENCE && (waited < 2 * SLICE || size() < LEAST); waited += SLICE) {
            track.requestFrame();
            await pause(SLICE);
        }
        recorder.stop();
        await ended;
        track.stop();
        if (!this.stopped && size() < LEAST) {
            throw new Error("the browser recorded no frames; PNG frames work without its recorder");
        }
        return this.stopped ? null : { blob: new Blob(parts, { type: type.split(";")[0] }), slowed: taken / ((times.length * 1000) / RATE) };
    }

    private shoot(t: number): void {
        this.session.setTime(t);
        this.world.stage.rest();
        this.world.draw();
        // in the same breath: what WebGL has drawn is gone when the browser takes over
        const from = this.world.stage.canvas;
        if (this.canvas.width !== from.width || this.canvas.height !== from.height) {
            this.canvas.width = from.width;
            this.canvas.height = from.height;
        }
        const pen = this.canvas.getContext("2d") as CanvasRenderingContext2D;
        pen.drawImage(from, 0, 0);
        this.caption(pen, t);
    }

    private caption(pen: CanvasRenderingContext2D, t: number): void {
        const { width, height } = this.canvas;
        const scale = width / (this.world.stage.canvas.clientWidth || width);
        const { from, to } = this.session.range;
        const { title } = this.session.data.value.header;
        pen.save();
        pen.scale(scale, scale);
        pen.fillStyle = themeColor("text");
        pen.font = "600 15px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
        pen.fillText(title ?? "", 14, 24, width / scale - 28);
        pen.font = "13px ui-monospace, 'DejaVu Sans Mono', monospace";
        pen.fillStyle = themeColor("text-2");
        pen.fillText(`t = ${timeText(t, to - from)} s`, 14, height / scale - 14);
        pen.restore();
    }

    private png(): Promise<Blob> {
        return new Promise((resolve, reject) => this.canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser gave no picture")) : resolve(blob)), "image/png"));
    }
}
