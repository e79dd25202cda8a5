// The keyboard: one table, shown as it is in the help.
import type { Player } from "../state/player.ts";
import type { Session, View } from "../state/session.ts";
import { dark } from "./theme.ts";

export interface KeyAction {
    keys: string[];
    shown: string;
    text: string;
    run: (event: KeyboardEvent) => void;
}

export interface KeyTargets {
    session: Session;
    player: Player;
    fit: () => void;
    views: View[];
    savedViews: () => void;
    exports: () => void;
    help: () => void;
    search: () => void;
    escape: () => void;
}

function toggle(session: Session, key: "joints" | "forces" | "reactions" | "contacts" | "trails" | "labels" | "grid" | "ghost"): void {
    session.show({ [key]: !session.display.value[key] });
}

function neighbour(session: Session, step: number): void {
    const scene = session.data.value.header.scene;
    const count = (scene?.bodies.length ?? 1) - 1 + (scene?.flexible?.length ?? 0);
    if (count > 0) {
        const at = session.selected.value > 0 ? session.selected.value - 1 : step > 0 ? -1 : 0;
        session.selected.value = 1 + ((at + step + count) % count);
    }
}

export function keyActions(to: KeyTargets): KeyAction[] {
    const { session, player } = to;
    const display = (key: string, text: string, name: Parameters<typeof toggle>[1]): KeyAction => ({
        keys: [key], shown: key, text, run: () => toggle(session, name),
    });
    return [
        { keys: [" "], shown: "space", text: "play, pause", run: () => player.toggle() },
        { keys: ["ArrowLeft", "ArrowRight"], shown: "← →", text: "one frame back, on (with shift: ten)", run: (e) => player.step((e.key === "ArrowLeft" ? -1 : 1) * (e.shiftKey ? 10 : 1)) },
        { keys: ["Home", "End"], shown: "Home End", text: "start, end", run: (e) => session.setTime(e.key === "Home" ? session.shownSpan.from : session.shownSpan.to) },
        { keys: ["[", "]"], shown: "[ ]", text: "slower, faster", run: (e) => player.changeSpeed(e.key === "[" ? -1 : 1) },
        { keys: to.views.map((_, k) => String(k + 1)), shown: to.views.map((_, k) => k + 1).join(" "), text: "pages", run: (e) => (session.view.value = to.views[Number(e.key) - 1]) },
        { keys: ["s"], shown: "s", text: "mechanism and plots side by side", run: () => (session.split.value = !session.split.value) },
        { keys: ["f"], shown: "f", text: "fit the picture", run: to.fit },
        { keys: ["v"], shown: "v", text: "saved views", run: to.savedViews },
        { keys: ["e"], shown: "e", text: "save pictures, frames, a video", run: to.exports },
        { keys: ["n", "p"], shown: "n p", text: "pick the next, the previous body", run: (e) => neighbour(session, e.key === "n" ? 1 : -1) },
        { keys: ["c"], shown: "c", text: "the camera follows the picked body", run: () => (session.follow.value = session.follow.value === session.selected.value ? -1 : session.selected.value) },
        display("t", "trails", "trails"),
        display("r", "joint reactions", "reactions"),
        display("o", "contacts", "contacts"),
        display("j", "joint symbols", "joints"),
        display("k", "springs and forces", "forces"),
        display("l", "names", "labels"),
        display("g", "floor", "grid"),
        ...(session.second === null ? [] : [display("b", "mechanism of the second run", "ghost")]),
        { keys: ["z"], shown: "z", text: "whole run in the plots", run: () => session.setWindow(null) },
        { keys: ["/"], shown: "/", text: "search", run: to.search },
        { keys: ["d"], shown: "d", text: "light, dark", run: () => (dark.value = !dark.value) },
        { keys: ["Escape"], shown: "Esc", text: "nothing picked, close", run: to.escape },
        { keys: ["?"], shown: "?", text: "this list", run: to.help },
    ];
}

function typing(target: EventTarget | null): boolean {
    if (target instanceof HTMLInputElement) {
        return !["checkbox", "range", "radio"].includes(target.type);
    }
    return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

// Space and arrows belong to a focused control that uses them itself.
function ownKey(event: KeyboardEvent): boolean {
    const { target } = event;
    if (event.key === " ") {
        return target instanceof HTMLButtonElement || target instanceof HTMLInputElement || (target instanceof HTMLElement && target.tagName === "SUMMARY");
    }
    const arrow = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
    const scrub = target instanceof HTMLElement && target.classList.contains("scrub");
    return arrow && !scrub && (target instanceof HTMLInputElement || (target instanceof HTMLElement && target.getAttribute("role") === "tab"));
}

export function listenKeys(actions: KeyAction[]): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
            return;
        }
        const escape = event.key === "Escape";
        if (!escape && (typing(event.target) || ownKey(event))) {
            return;
        }
        const action = actions.find(({ keys }) => keys.includes(event.key));
        if (action !== undefined) {
            event.preventDefault();
            action.run(event);
        }
    });
}
