// Play, step, scrub, speed: the bar at the bottom.
import { Player, SPEEDS } from "../state/player.ts";
import type { Session } from "../state/session.ts";
import { button, el } from "./dom.ts";
import { timeText } from "./format.ts";
import { icon } from "./icons.ts";

const FINE = 100000; // steps of the slider

function speedText(speed: number): string {
    return speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`;
}

export class Transport {
    readonly element: HTMLElement;
    private readonly slider = el("input", { type: "range", min: 0, max: FINE, step: 1, class: "scrub", "aria-label": "time" });
    private readonly track = el("div", { class: "track" });
    private readonly windowBar = el("div", { class: "track-window" });
    private readonly now = el("input", { class: "now", inputmode: "decimal", "aria-label": "time in seconds", size: 8 });
    private readonly end = el("span", { class: "end" });

    constructor(private readonly session: Session, private readonly player: Player, watching: boolean) {
        this.track.append(this.windowBar, this.slider);
        this.element = el(
            "footer",
            { class: "transport", role: "toolbar", "aria-label": "playback" },
            el("div", { class: "buttons" }, this.startButton(), this.stepButton(-1), this.playButton(), this.stepButton(1)),
            this.track,
            el("label", { class: "time" }, "t", this.now, this.end),
            this.speedChoice(),
            watching ? this.liveButton() : null,
        );
        this.slider.addEventListener("input", () => this.scrub());
        this.now.addEventListener("change", () => this.enterTime());
        session.reading.watch(() => this.showTime());
        session.window.watch(() => this.showWindow());
        session.data.on(() => {
            this.showTime();
            this.showWindow();
        });
    }

    private playButton(): HTMLElement {
        const play = button("Play (space)", () => this.player.toggle(), { class: "play" }, icon("play"));
        this.session.playing.watch((playing) => {
            play.replaceChildren(icon(playing ? "pause" : "play"));
            const label = playing ? "Pause (space)" : "Play (space)";
            play.setAttribute("aria-label", label);
            play.title = label;
        });
        return play;
    }

    private stepButton(rows: number): HTMLElement {
        const label = rows < 0 ? "One frame back (left arrow)" : "One frame on (right arrow)";
        return button(label, () => this.player.step(rows), {}, icon(rows < 0 ? "back" : "forward"));
    }

    private startButton(): HTMLElement {
        return button("To the start (Home)", () => this.session.setTime(this.session.shownSpan.from), { class: "to-start" }, icon("start"));
    }

    private speedChoice(): HTMLElement {
        const { session } = this;
        const select = el("select", { "aria-label": "speed", title: "speed: [ slower, ] faster" });
        const list = () => [...new Set([...SPEEDS, session.speed.value])].sort((a, b) => a - b);
        session.speed.watch((speed) => {
            select.replaceChildren(...list().map((one) => el("option", { value: one, selected: one === speed }, speedText(one))));
            select.value = String(speed);
        });
        select.addEventListener("change", () => (session.speed.value = Number(select.value)));
        return select;
    }

    private liveButton(): HTMLElement {
        const { session } = this;
        const live = button("Stay at the newest row", () => (session.live.value = !session.live.value), { class: "live" }, icon("live"), "Live");
        session.live.watch((on) => live.setAttribute("aria-pressed", String(on)));
        return live;
    }

    private scrub(): void {
        const { from, to } = this.session.range;
        this.session.playing.value = false;
        this.session.live.value = false;
        this.session.setTime(from + (Number(this.slider.value) / FINE) * (to - from));
    }

    private enterTime(): void {
        const t = Number(this.now.value.replace(",", "."));
        this.session.playing.value = false;
        this.session.setTime(t);
        this.showTime();
    }

    private showTime(): void {
        const { from, to } = this.session.range;
        const t = this.session.reading.value;
        const text = timeText(t, to - from);
        if (document.activeElement !== this.now || this.session.playing.value) {
            this.now.value = text;
        }
        this.now.style.width = `${Math.max(9, text.length + 2.5)}ch`;
        this.end.textContent = `/ ${timeText(to, to - from)} s`;
        this.slider.value = String(to > from ? Math.round((FINE * (t - from)) / (to - from)) : 0);
        this.slider.setAttribute("aria-valuetext", `${text} seconds`);
    }

    private showWindow(): void {
        const { from, to } = this.session.range;
        const window = this.session.window.value;
        this.windowBar.hidden = window === null;
        if (window !== null && to > from) {
            this.windowBar.style.left = `${(100 * (window.from - from)) / (to - from)}%`;
            this.windowBar.style.width = `${(100 * (window.to - window.from)) / (to - from)}%`;
        }
    }
}
