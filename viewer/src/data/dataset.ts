// A report unpacked: header, motion, channels and the solver's history, ready to be shown.
import { Block, readBlock } from "./block.ts";
import { ChannelStore, type ChannelTable } from "./channels.ts";
import { DataError, openContainer, type Container } from "./container.ts";
import { Motion, type FlexibleMotion } from "./frames.ts";
import type { BlockInfo, FlexibleInfo, Header, ModalInfo, ShapeInfo } from "./header.ts";
import { derivedTables } from "./derived.ts";
import { tablesOfFrames } from "./from_frames.ts";
import { readHistory, type History } from "./history.ts";
import { readModes, type Modes } from "./modes.ts";

export interface FlexibleMesh {
    info: FlexibleInfo;
    elements: Block;
    weights: Block;
    points: Block;
}

export interface ModalMesh {
    info: ModalInfo;
    vertices: Block;
    triangles: Block;
    shapes: Block;
    stress: Block | null;
}

export interface ShapeMesh {
    vertices: Block;
    triangles: Block;
}

export interface Dataset {
    header: Header;
    motion: Motion;
    channels: ChannelStore;
    history: History | null;
    modes: Modes | null;
    flexible: FlexibleMesh[];
    modal: ModalMesh[];
    meshes: Map<ShapeInfo, ShapeMesh>;
    size: number; // bytes of the container
}

type Reader = (info: BlockInfo) => Promise<Block>;

async function readTable(read: Reader, info: BlockInfo | null | undefined): Promise<Block | null> {
    return info === null || info === undefined ? null : read(info);
}

function checkTimes(times: Float64Array, what: string): void {
    for (let i = 1; i < times.length; ++i) {
        if (!(times[i] >= times[i - 1])) {
            throw new DataError(`The times of the ${what} do not increase: damaged data.`);
        }
    }
}

function checkRows(block: Block | null, rows: number, what: string): void {
    if (block !== null && block.rows !== rows) {
        throw new DataError(`${what} have ${block.rows} rows for ${rows} times: damaged data.`);
    }
}

async function readMotion(read: Reader, header: Header): Promise<Motion> {
    const info = header.frames;
    if (info === null || info === undefined) {
        return new Motion(new Float64Array(0), null, null, null, []);
    }
    const times = (await read(info.time)).column(0);
    checkTimes(times, "frames");
    const [position, orientation, reactions, contacts] = await Promise.all([
        readTable(read, info.position),
        readTable(read, info.orientation),
        readTable(read, info.reactions),
        readTable(read, info.contacts),
    ]);
    checkRows(position, times.length, "Positions");
    checkRows(orientation, times.length, "Orientations");
    checkRows(reactions, times.length, "Reactions");
    checkRows(contacts, times.length, "Contacts");
    const expected = Math.max(0, (header.scene?.bodies.length ?? 1) - 1);
    if (position !== null && position.shape[1] !== expected) {
        throw new DataError(`Positions of ${position.shape[1]} bodies, the scene has ${expected}.`);
    }
    const flexible: FlexibleMotion[] = [];
    for (const one of info.flexible ?? []) {
        const nodes = await read(one.nodes);
        checkRows(nodes, times.length, "Nodes of a flexible body");
        flexible.push({
            nodes,
            strain: await readTable(read, one.strain),
            stress: await readTable(read, one.stress),
        });
    }
    const modal: Block[] = [];
    for (const one of info.modal ?? []) {
        const coordinates = await read(one.coordinates);
        checkRows(coordinates, times.length, "Coordinates of a modal body");
        modal.push(coordinates);
    }
    return new Motion(times, position, orientation, reactions, flexible, contacts, modal);
}

async function readChannels(read: Reader, header: Header, motion: Motion): Promise<ChannelStore> {
    const tables: ChannelTable[] = [];
    if (header.modes != null) {
        return new ChannelStore(tables); // one state makes no curves
    }
    for (const group of header.channels?.groups ?? []) {
        const time = (await read(group.time)).column(0);
        const values = await read(group.values);
        checkTimes(time, "channels");
        checkRows(values, time.length, "Channels");
        if (values.rowLength !== group.items.length) {
            throw new DataError("Names and columns of the channels differ in number.");
        }
        tables.push({ time, values, items: group.items });
    }
    return new ChannelStore([...tables, ...tablesOfFrames(header, motion, tables), ...derivedTables(header, motion)]);
}

async function readFlexible(read: Reader, header: Header): Promise<FlexibleMesh[]> {
    return Promise.all(
        (header.scene?.flexible ?? []).map(async (info) => ({
            info,
            elements: await read(info.elements),
            weights: await read(info.weights),
            points: await read(info.points),
        })),
    );
}

async function readModal(read: Reader, header: Header): Promise<ModalMesh[]> {
    return Promise.all(
        (header.scene?.modal ?? []).map(async (info) => ({
            info,
            vertices: await read(info.vertices),
            triangles: await read(info.triangles),
            shapes: await read(info.shapes),
            stress: await readTable(read, info.stress),
        })),
    );
}

async function readMeshes(read: Reader, header: Header): Promise<Map<ShapeInfo, ShapeMesh>> {
    const meshes = new Map<ShapeInfo, ShapeMesh>();
    for (const body of header.scene?.bodies ?? []) {
        for (const shape of body.shapes ?? []) {
            if (shape.vertices !== undefined && shape.triangles !== undefined) {
                meshes.set(shape, {
                    vertices: await read(shape.vertices),
                    triangles: await read(shape.triangles),
                });
            }
        }
    }
    return meshes;
}

async function unpack({ header, bytes }: Container): Promise<Dataset> {
    // shapes that share a mesh name the same block: unpack it once
    const known = new Map<number, Promise<Block>>();
    const read: Reader = (info) => {
        if (info.bytes === 0) {
            return readBlock(bytes, info);
        }
        let block = known.get(info.at);
        if (block === undefined) {
            block = readBlock(bytes, info);
            known.set(info.at, block);
        }
        return block;
    };
    const motion = await readMotion(read, header);
    return {
        header,
        motion,
        channels: await readChannels(read, header, motion),
        history: await readHistory(read, header.solver),
        modes: await readModes(read, header, motion),
        flexible: await readFlexible(read, header),
        modal: await readModal(read, header),
        meshes: await readMeshes(read, header),
        size: bytes.length,
    };
}

export async function readDataset(bytes: Uint8Array): Promise<Dataset> {
    return unpack(openContainer(bytes));
}
