// What a frame costs: processor time of all of the browser's processes while a motion plays, which
// does not depend on what else the machine does, and frames a second, which do.
// node build/tests/bench.js [bodies ...]
import { readdirSync, readFileSync } from "node:fs";
import { chain } from "./fixture.ts";
import { launch, writeReport } from "./page.ts";

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

const browser = await launch();
const counts = process.argv.slice(2).map(Number);
for (const bodies of counts.length > 0 ? counts : [10, 100, 1000]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(writeReport(`bench${bodies}.html`, chain(bodies).bytes));
    await page.evaluate(() => window.trammel.ready);
    await page.evaluate(() => window.trammel.play());
    await page.waitForTimeout(3000); // the resolution finds its level
    const before = childTime();
    const frames = await page.evaluate(
        () =>
            new Promise<number>((resolve) => {
                const start = performance.now();
                let n = 0;
                const tick = () => (++n, performance.now() - start > 4000 ? resolve(n) : requestAnimationFrame(tick));
                requestAnimationFrame(tick);
            }),
    );
    const cost = (childTime() - before) / frames;
    const fps = await page.evaluate(() => window.trammel.fps());
    console.log(`${bodies} bodies: ${cost.toFixed(1)} ms of processor time a frame, ${fps.toFixed(1)} frames a second`);
    await page.close();
}
await browser.close();
