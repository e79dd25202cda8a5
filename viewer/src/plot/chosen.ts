// The chosen channels as curves, of one run or of two: the second has the same colour, dashed.
import type { Channel } from "../data/channels.ts";
import type { Session } from "../state/session.ts";
import { seriesDash } from "../ui/palette.ts";

export interface Chosen {
    channel: Channel;
    run: number; // 0, or 1 of a second one
    color: number; // index into the palette
    dash: number[];
    label: string;
}

const SECOND = [6, 3]; // dashes of the second run

/** In the picker fx stands below its joint; in a plot the joint must be told too. */
function channelLabel(channel: Channel): string {
    return ["body", "reaction", "force", "flexible"].includes(channel.item.kind ?? "") ? channel.name : channel.title;
}

/** Channels of all runs that bear a name. */
export function channelsNamed(session: Session, name: string): { channel: Channel; run: number }[] {
    return session.runs.flatMap((data, run) => {
        const channel = data.channels.get(name);
        return channel === undefined ? [] : [{ channel, run }];
    });
}

/** Curves of these channels by unit, in the order of choice. */
export function chosenByUnit(session: Session, names: readonly string[]): Map<string, Chosen[]> {
    const units = new Map<string, Chosen[]>();
    const colors = new Map<string, number>(); // of a unit: names so far
    for (const name of names) {
        const found = channelsNamed(session, name);
        // a channel may have another unit in the other run: then it has a panel of its own there
        for (const unit of new Set(found.map(({ channel }) => channel.unit))) {
            const color = colors.get(unit) ?? 0;
            colors.set(unit, color + 1);
            const own = found.filter(({ channel }) => channel.unit === unit).map(({ channel, run }): Chosen => ({
                channel, run, color,
                dash: run === 0 ? seriesDash(color) : SECOND,
                label: session.runs.length > 1 ? `${session.runTag(run)} ${channelLabel(channel)}` : channelLabel(channel),
            }));
            units.set(unit, [...(units.get(unit) ?? []), ...own]);
        }
    }
    return units;
}
