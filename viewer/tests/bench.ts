// Frames of 10, 100 and 1000 bodies at 1280 x 720, as a chain that is thin from afar, and as a field of
// pendulums that fill the picture: node build/tests/bench.js [bodies ...]
import { playCost } from "./cost.ts";
import { chain, field } from "./fixture.ts";
import { launch, writeReport } from "./page.ts";

const browser = await launch();
const counts = process.argv.slice(2).map(Number);
for (const bodies of counts.length > 0 ? counts : [10, 100, 1000]) {
    for (const [name, make] of Object.entries({ chain, field })) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
        await page.goto(writeReport(`bench_${name}${bodies}.html`, make(bodies).bytes));
        await page.evaluate(() => window.trammel.ready);
        const { milliseconds, fps } = await playCost(page, 60);
        console.log(`${name} of ${bodies}: ${milliseconds.toFixed(1)} ms of processor time a frame, ${fps.toFixed(1)} frames a second`);
        await page.close();
    }
}
await browser.close();
