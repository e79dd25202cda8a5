// Files of the picture: what is seen now, frames of the motion, a video.
import { zip } from "../data/zip.ts";
import { Film, filmTimes, MOST, RATE, videoType } from "../scene/camera_film.ts";
import type { World } from "../scene/world.ts";
import type { Session } from "../state/session.ts";
import { button, downloadBlob, el, fileName } from "../ui/dom.ts";
import { number } from "../ui/format.ts";
import { icon } from "../ui/icons.ts";
import { Popover } from "../ui/popover.ts";

export class ExportMenu {
    readonly popover: Popover;
    private readonly plan = el("p", { class: "hint" });
    private readonly bar = el("progress", { max: 1, value: 0, "aria-label": "progress" });
    private readonly working = el("div", { class: "menu-row", hidden: true });
    private readonly note = el("p", { class: "hint menu-note", role: "status" });
    private readonly actions: HTMLButtonElement[] = [];
    private film: Film | null = null;

    constructor(private readonly session: Session, private readonly world: World) {
        const type = videoType();
        const video = this.action("Video (WebM)", "film", () => void this.saveVideo(type ?? ""));
        video.disabled = type === null;
        this.working.append(this.bar, button("Stop", () => this.film?.stop(), { class: "small" }));
        this.popover = new Popover("Save pictures (e)", "camera",
            this.action("Picture (PNG)", "save", () => void this.savePicture()),
            this.action("All frames (PNG in a ZIP file)", "frames", () => void this.saveFrames()),
            video,
            this.plan, type === null ? el("p", { class: "hint" }, "This browser records no video.") : null,
            this.working, this.note);
        for (const signal of [session.speed, session.window, session.data]) {
            (signal as { watch: (listener: () => void) => void }).watch(() => this.tellPlan());
        }
    }

    /** The picture that is seen now as a file. */
    async savePicture(): Promise<void> {
        await this.work(async (film) => {
            const blob = await film.picture();
            downloadBlob(this.name(".png"), blob);
            return "";
        }, false);
    }

    private action(label: string, name: "save" | "frames" | "film", run: () => void): HTMLButtonElement {
        const one = button(label, run, { class: "menu-item" }, icon(name), label);
        this.actions.push(one);
        return one;
    }

    private name(ending: string): string {
        return fileName(this.session.data.value.header.title ?? "", ending);
    }

    private tellPlan(): void {
        const { from, to } = this.session.shownSpan;
        const n = filmTimes(this.session).length;
        const cut = n === MOST ? ` It ends after ${MOST} frames: choose a higher speed or a shorter part.` : "";
        this.plan.textContent = `Motion from ${number(from, 5)} to ${number(to, 5)} s at the speed that is set below: ${n} frames, ${number(n / RATE, 3)} s at ${RATE} a second.${cut}`;
    }

    private saveFrames(): Promise<void> {
        return this.work(async (film) => {
            const times = filmTimes(this.session);
            const files = await film.frames(times, (done) => (this.bar.value = done / times.length));
            if (files === null) {
                return "Stopped.";
            }
            const digits = String(files.length).length;
            const parts = zip(files.map((bytes, k) => ({ name: `frame_${String(k + 1).padStart(digits, "0")}.png`, bytes })));
            downloadBlob(this.name("_frames.zip"), new Blob(parts as BlobPart[], { type: "application/zip" }));
            return `${files.length} frames saved.`;
        }, true);
    }

    private saveVideo(type: string): Promise<void> {
        return this.work(async (film) => {
            const times = filmTimes(this.session);
            const made = await film.video(type, times, (done) => (this.bar.value = done / times.length));
            if (made === null) {
                return "Stopped.";
            }
            downloadBlob(this.name(type.startsWith("video/mp4") ? ".mp4" : ".webm"), made.blob);
            // a slow machine draws fewer frames a second than the video should have
            return made.slowed > 1.1 ? `Saved. Drawing took ${number(made.slowed, 2)} times as long as it should: the video is that much slower.` : "Saved.";
        }, true);
    }

    // The page is busy meanwhile; time and playback are then what they were.
    private async work(run: (film: Film) => Promise<string>, long: boolean): Promise<void> {
        const { session } = this;
        if (this.film !== null) {
            return;
        }
        const [time, playing] = [session.time.value, session.playing.value];
        this.film = new Film(this.world, session);
        session.playing.value = false;
        const off = this.actions.map((one) => one.disabled);
        this.actions.forEach((one) => (one.disabled = true));
        this.bar.value = 0;
        this.working.hidden = !long;
        try {
            this.note.textContent = await run(this.film);
        } catch (error) {
            this.note.textContent = `Not saved: ${error instanceof Error ? error.message : String(error)}`;
        }
        this.film = null;
        this.working.hidden = true;
        this.actions.forEach((one, k) => (one.disabled = off[k]));
        session.setTime(time);
        session.playing.value = playing;
        this.world.invalidate();
    }
}
