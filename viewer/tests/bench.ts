// Frames of 10, 100 and 1000 bodies at 1280 x 720: node build/tests/bench.js [bodies ...]
import { playCost } from "./cost.ts";
import { chain } from "./fixture.ts";
import { launch, writeReport } from "./page.ts";

const browser = await launch();
const counts = process.argv.slice(2).map(Number);
for (const bodies of counts.length > 0 ? counts : [10, 100, 1000]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(writeReport(`bench${bodies}.html`, chain(bodies).bytes));
    await page.evaluate(() => window.trammel.ready);
    const { milliseconds, fps } = await playCost(page, 4);
    console.log(`${bodies} bodies: ${milliseconds.toFixed(1)} ms of processor time a frame, ${fps.toFixed(1)} frames a second`);
    await page.close();
}
await browser.close();
