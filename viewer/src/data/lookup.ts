// Where a time lies between the rows of a table of increasing times.

export interface Place {
    row: number; // the row at or before the time
    next: number; // the row after it, or the same one at the ends
    part: number; // 0 at row, 1 at next
}

/** The last index whose time is not after t; 0 before the first. */
export function rowBefore(times: ArrayLike<number>, t: number): number {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

export function nearestRow(times: ArrayLike<number>, t: number): number {
    const row = rowBefore(times, t);
    if (row + 1 < times.length && times[row + 1] - t < t - times[row]) {
        return row + 1;
    }
    return row;
}

/** Place for linear interpolation; times outside the table stay at its ends. */
export function place(times: ArrayLike<number>, t: number): Place {
    const row = rowBefore(times, t);
    const next = Math.min(row + 1, times.length - 1);
    const width = times[next] - times[row];
    const part = width > 0 ? Math.min(1, Math.max(0, (t - times[row]) / width)) : 0;
    return { row, next, part };
}
