// Colours that people with any colour vision can tell apart: Okabe and Ito's set, its yellow left
// out because it is too pale on white, its black replaced by grey so that it works on dark too.

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6470"];
const DARK = ["#4aa8e8", "#f0803c", "#2cc295", "#e59cc6", "#f0b63f", "#8ad0f5", "#b3bcc8"];
const DASHES: number[][] = [[], [7, 3], [2, 3]];

export function seriesColor(index: number, dark: boolean): string {
    const colors = dark ? DARK : LIGHT;
    return colors[index % colors.length];
}

/** Past the last colour lines are told apart by dashes. */
export function seriesDash(index: number): number[] {
    return DASHES[Math.floor(index / LIGHT.length) % DASHES.length];
}

// Bodies without a colour of their own: the same hues, calmer, readable on both backgrounds.
const BODIES = ["#5c8fb8", "#c98a4b", "#5fa78f", "#b784a3", "#8e98a6", "#7fb2d0", "#b5a36a"];

export function bodyColor(index: number): string {
    return BODIES[index % BODIES.length];
}
