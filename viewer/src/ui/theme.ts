// Light or dark: as the system says until the switch is used.
import { Signal } from "../state/signal.ts";

export const dark = new Signal(false);

export function startTheme(): void {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    let chosen = false;
    dark.value = system.matches;
    system.addEventListener("change", () => {
        if (!chosen) {
            dark.value = system.matches;
        }
    });
    dark.on(() => {
        chosen = dark.value !== system.matches || chosen;
    });
    dark.watch((on) => {
        document.documentElement.dataset["theme"] = on ? "dark" : "light";
    });
}

/** A colour of the style sheet, for canvases. */
export function themeColor(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
