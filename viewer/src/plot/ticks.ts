// Round numbers for axes.

function multiples(step: number, min: number, max: number): number[] {
    const ticks: number[] = [];
    for (let k = Math.ceil(min / step - 1e-9) + 0; k * step <= max + 1e-9 * step; ++k) {
        ticks.push(k * step);
    }
    return ticks;
}

/** About n round values inside [min, max]; at least two, without which nobody can read an axis. */
export function linearTicks(min: number, max: number, n: number): number[] {
    if (!(max > min)) {
        return [min];
    }
    const rough = (max - min) / Math.max(1, n);
    const power = 10 ** Math.floor(Math.log10(rough));
    const leads = [0.1, 0.2, 0.5, 1, 2, 5, 10];
    const first = leads.findIndex((lead) => lead * power >= rough);
    for (const step of leads.slice(0, first + 1).reverse().map((lead) => lead * power)) {
        const ticks = multiples(step, min, max);
        if (ticks.length >= 2) {
            return ticks;
        }
    }
    return [min, max];
}

/** Powers of ten inside [min, max], not more than n; with 2 and 5 times them where few fit. */
export function logTicks(min: number, max: number, n: number): number[] {
    if (Math.log10(max / min) < 2 && n > 2) {
        return logSteps(min, max);
    }
    const low = Math.ceil(Math.log10(min) - 1e-9);
    const high = Math.floor(Math.log10(max) + 1e-9);
    const step = Math.max(1, Math.ceil((high - low + 1) / n));
    const ticks: number[] = [];
    for (let k = low; k <= high; k += step) {
        ticks.push(Number(`1e${k}`)); // 10 ** k may be off by a bit
    }
    return ticks;
}

function logSteps(min: number, max: number): number[] {
    const ticks: number[] = [];
    for (let k = Math.floor(Math.log10(min)); k <= Math.log10(max); ++k) {
        ticks.push(...[1, 2, 5].map((lead) => Number(`${lead}e${k}`)));
    }
    return ticks.filter((tick) => tick >= min && tick <= max);
}

/** Text of a tick among others a step apart. */
export function tickText(value: number, step: number): string {
    if (value === 0) {
        return "0";
    }
    const size = Math.max(Math.abs(value), Math.abs(step));
    if (size >= 1e5 || size < 1e-3) {
        return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
    }
    const decimals = Math.max(0, -Math.floor(Math.log10(Math.abs(step) || 1) + 1e-9));
    return value.toFixed(Math.min(8, decimals));
}

/** Text of a tick of a logarithmic axis: a digit and a power of ten. */
export function powerText(value: number): string {
    return value.toExponential(0).replace("e+", "e");
}
