// Numbers as people read them.

/** Six significant digits, as short as they go. */
export function number(x: number | null | undefined, digits = 6): string {
    if (x === null || x === undefined || Number.isNaN(x)) {
        return "–";
    }
    if (!Number.isFinite(x)) {
        return x > 0 ? "∞" : "−∞";
    }
    if (x === 0) {
        return "0";
    }
    const size = Math.abs(x);
    const text =
        size >= 1e-3 && size < 1e6
            ? String(Number(x.toPrecision(digits)))
            : x.toExponential(Math.max(0, digits - 3)).replace(/\.?0+e/, "e").replace("e+", "e");
    return text.replace("-", "−").replace("e-", "e−");
}

/** Always the same number of digits, so that a column does not dance. */
export function fixed(x: number, digits = 4): string {
    if (!Number.isFinite(x)) {
        return "–";
    }
    const size = Math.abs(x);
    const text =
        size !== 0 && (size < 1e-2 || size >= 1e6) ? x.toExponential(digits - 1) : x.toFixed(digits);
    return (text.startsWith("-") ? "−" : " ") + text.replace(/^-/, "").replace("e-", "e−");
}

/** Time with as many decimals as the span of the run calls for. */
export function timeText(t: number, span: number): string {
    const decimals = span > 0 ? Math.min(9, Math.max(0, 4 - Math.floor(Math.log10(span)))) : 3;
    return t.toFixed(decimals);
}

export function bytes(n: number): string {
    if (n < 1000) {
        return `${n} B`;
    }
    return n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

export function seconds(s: number): string {
    if (s >= 1) {
        return `${s.toFixed(2)} s`;
    }
    return s >= 1e-3 ? `${(s * 1e3).toFixed(1)} ms` : `${(s * 1e6).toFixed(0)} µs`;
}
