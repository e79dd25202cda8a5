// What frames cost: processor time of all of the browser's processes while a motion plays. Unlike
// frames a second it depends little on what else the machine does.
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const TICK = 10; // ms, of the times in /proc

interface Stat {
    parent: number;
    ticks: number;
}

function stats(): Map<number, Stat> {
    const out = new Map<number, Stat>();
    for (const name of readdirSync("/proc")) {
        if (!/^\d+$/.test(name)) {
            continue;
        }
        try {
            const text = readFileSync(`/proc/${name}/stat`, "utf8");
            const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
            out.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
        } catch {
            // ended in between
        }
    }
    return out;
}

/** Processor time in ms of everything that this process has started. */
function childTime(): number {
    const all = stats();
    let sum = 0;
    for (const [id, stat] of all) {
        let at: number | undefined = stat.parent;
        while (at !== undefined && at > 1 && at !== process.pid) {
            at = all.get(at)?.parent;
        }
        if (at === process.pid && id !== process.pid) {
            sum += stat.ticks * TICK;
        }
    }
    return sum;
}

export interface Cost {
    milliseconds: number; // of processor time a frame
    fps: number;
}

async function frames(page: Page, count: number): Promise<void> {
    await page.evaluate(
        (wanted) =>
            new Promise<void>((resolve) => {
                let n = 0;
                const tick = () => (++n > wanted ? resolve() : requestAnimationFrame(tick));
                requestAnimationFrame(tick);
            }),
        count,
    );
}

/** Plays the motion of a page for a number of frames. */
export async function playCost(page: Page, count: number): Promise<Cost> {
    await page.evaluate(() => window.trammel.play());
    await frames(page, 25); // programs are compiled, the resolution finds its level
    const before = childTime();
    await frames(page, count);
    const milliseconds = (childTime() - before) / count;
    return { milliseconds, fps: await page.evaluate(() => window.trammel.fps()) };
}
