// Line icons on a 16 x 16 grid.
import { svg } from "./dom.ts";

const PATHS = {
    play: "M4.5 2.5v11l9-5.5z",
    pause: "M4.5 2.5v11M11.5 2.5v11",
    back: "M11.5 3v10L5 8zM3.5 3v10",
    forward: "M4.5 3v10L11 8zM12.5 3v10",
    start: "M13 3v10L8 8zM8 3v10L3 8zM2.5 3v10",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10M6 6h4v4H6z",
    follow: "M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6",
    trails: "M2 13c1-5 4-1 5-5s3-5 4.5-5M13 3.2a1.3 1.3 0 1 0 0-.1",
    reactions: "M2.5 13.5l9-9M6.5 3.5h6v6M2.5 8v5.5H8",
    contacts: "M1.5 13.5h13M8 12.5a1.2 1.2 0 1 0 0-.1M8 10V2.5M5.2 5.3L8 2.5l2.8 2.8",
    joints: "M8 3.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M8 7a1 1 0 1 0 0 2a1 1 0 1 0 0-2M8 1v2.5M8 12.5V15",
    forces: "M1 8h2l1-3.5 2 7 2-7 2 7 2-7 1 3.5h2",
    labels: "M2 3.5h12v7H8.5L5.5 13v-2.5H2zM4.5 6h7M4.5 8.2h5",
    grid: "M2 2.5h12v11H2zM6 2.5v11M10 2.5v11M2 6.2h12M2 9.8h12",
    ghost: "M3 13.5V7a4 4 0 0 1 8 0v6.5l-2-1.5-2 1.5-2-1.5zM6 7v.5M8.7 7v.5M13.5 5v7",
    camera: "M2 5h3l1.2-1.8h3.6L11 5h3v8H2zM8 6.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0-4.8",
    frames: "M2 4.5h9v9H2zM5 4.5v-2h9v9h-3",
    film: "M2 3h12v10H2zM5 3v10M11 3v10M2 6.3h3M2 9.6h3M11 6.3h3M11 9.6h3",
    bookmark: "M4 2.5h8v11L8 10.5l-4 3z",
    split: "M2 2.5h12v11H2zM8 2.5v11",
    moon: "M13 9.8A5.5 5.5 0 1 1 6.2 3a4.4 4.4 0 0 0 6.8 6.8z",
    sun: "M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
    help: "M5.8 6a2.2 2.2 0 1 1 3 2.1c-.6.3-.8.6-.8 1.4M8 12v.3",
    close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
    save: "M8 2v7.5M4.8 6.8L8 10l3.2-3.2M2.5 11v2.5h11V11",
    zoom: "M6.8 2.5a4.3 4.3 0 1 0 0 8.6a4.3 4.3 0 1 0 0-8.6M10 10l3.8 3.8M4.8 6.8h4",
    panel: "M2 2.5h12v11H2zM10 2.5v11",
    sum: "M12.5 3.5v-1h-9L8.5 8l-5 5.5h9v-1",
    warning: "M8 2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2",
    copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    live: "M8 6.3a1.7 1.7 0 1 0 0 3.4a1.7 1.7 0 1 0 0-3.4M4.5 4.5a5 5 0 0 0 0 7M11.5 4.5a5 5 0 0 1 0 7",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
    return svg(
        "svg",
        { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true", focusable: "false" },
        svg("path", { d: PATHS[name] }),
    );
}
