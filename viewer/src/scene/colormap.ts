// Colours of values: viridis for what has one sign, blue - grey - orange around zero for the rest.
// Both keep their order for all kinds of colour vision; the lightness of viridis grows steadily.
import * as THREE from "three";

const VIRIDIS = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725"];
const DIVERGING = ["#0b3c7d", "#1f6db5", "#6ea6d6", "#b9d0e3", "#e4e4e2", "#efcdb0", "#e09a55", "#c26310", "#7d3a02"];

export interface Scale {
    min: number;
    max: number;
    stops: string[];
}

/** Scale of a range: centred on zero when the range lies on both sides of it. */
export function scaleFor(min: number, max: number): Scale {
    if (min < 0 && max > 0) {
        const size = Math.max(-min, max);
        return { min: -size, max: size, stops: DIVERGING };
    }
    if (!(max > min)) {
        return { min, max: min + (Math.abs(min) || 1), stops: VIRIDIS };
    }
    return { min, max, stops: VIRIDIS };
}

export const LEVELS = 256;

/** Table of LEVELS colours, three linear components each, for vertex colours. */
export function colorTable(stops: string[]): Float32Array {
    const colors = stops.map((stop) => new THREE.Color(stop));
    const table = new Float32Array(3 * LEVELS);
    const mixed = new THREE.Color();
    for (let i = 0; i < LEVELS; ++i) {
        const x = (i / (LEVELS - 1)) * (colors.length - 1);
        const k = Math.min(colors.length - 2, Math.floor(x));
        mixed.lerpColors(colors[k], colors[k + 1], x - k).toArray(table, 3 * i);
    }
    return table;
}
