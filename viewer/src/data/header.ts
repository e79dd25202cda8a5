// The header of a report container: what the writer states about the run. Everything but the format
// number may be absent, so readers ask before they use a part.

export type ScalarType = "f64" | "f32" | "i32" | "u16" | "u8";

export interface BlockInfo {
    at: number;
    bytes: number;
    codec?: "raw" | "deflate";
    type: ScalarType;
    shape: number[];
    shuffle?: boolean;
    delta?: boolean;
    scale?: number | number[];
    offset?: number | number[];
}

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export interface ShapeInfo {
    kind: string;
    size?: Vec3;
    radius?: number;
    length?: number;
    axis?: Vec3;
    from?: Vec3;
    to?: Vec3;
    position?: Vec3;
    orientation?: Quat;
    color?: string | null;
    semi_axes?: Vec3;
    top_radius?: number;
    tube_radius?: number;
    thickness?: number;
    points?: number[];
    bulges?: number[];
    heights?: number[];
    columns?: number;
    dx?: number;
    dy?: number;
    vertices?: BlockInfo;
    triangles?: BlockInfo;
}

export interface BodyInfo {
    name: string;
    shapes?: ShapeInfo[];
    default?: boolean;
}

// A place on a flexible body: the sum of weights times the vectors of nodes.
export interface PlaceInfo {
    flexible: number;
    nodes: number[];
    weights: number[];
}

// A joint or a force element between two bodies; frames are relative to their centres of mass.
export interface LinkInfo {
    name: string;
    type: string;
    bodies?: number[];
    frames?: (number[] | null)[];
    places?: (PlaceInfo | null)[];
    label?: string;
}

export interface FlexibleInfo {
    name: string;
    topology: "line" | "patch";
    nodes: number;
    elements: BlockInfo;
    weights: BlockInfo;
    points: BlockInfo;
    fibres: number;
    stations: number;
    columns: string[]; // strains, then stresses
    units: string[];
    strains?: number; // how many of the columns are strains
}

// A surface that modes displace; body: the floating frame.
export interface ModalInfo {
    name: string;
    body: number;
    modes: number; // of the part
    chosen?: number[]; // those that are here; absent: all
    vertices: BlockInfo; // node, 3
    triangles: BlockInfo;
    shapes: BlockInfo; // node, mode, 3
    stress?: BlockInfo | null; // node, mode, 6
}

export interface SceneInfo {
    up?: Vec3;
    gravity?: Vec3;
    size?: number;
    bodies: BodyInfo[];
    joints?: LinkInfo[];
    forces?: LinkInfo[];
    flexible?: FlexibleInfo[];
    modal?: ModalInfo[];
}

export interface FlexibleFrames {
    nodes: BlockInfo;
    strain?: BlockInfo | null;
    stress?: BlockInfo | null;
}

export interface FramesInfo {
    time: BlockInfo;
    error_bound?: { position?: number; angle?: number };
    kept?: number;
    of?: number;
    position?: BlockInfo | null;
    orientation?: BlockInfo | null;
    reactions?: BlockInfo | null;
    contacts?: BlockInfo | null;
    flexible?: FlexibleFrames[];
    modal?: { coordinates: BlockInfo }[];
}

export interface ChannelItem {
    name: string;
    unit?: string;
    kind?: string;
    group?: string;
    label?: string;
}

export interface ChannelGroup {
    time: BlockInfo;
    error_bound?: number;
    items: ChannelItem[];
    values: BlockInfo;
}

export interface SolverInfo {
    t: BlockInfo;
    h: BlockInfo;
    error?: BlockInfo;
    accepted?: BlockInfo;
    iterations?: BlockInfo;
    order?: BlockInfo;
    cause?: BlockInfo;
    causes?: string[];
    kept?: number;
    of?: number;
}

export interface CompareRow {
    method: string;
    tolerance: number | null;
    error: number | null;
    rms_error?: number | null;
    steps?: number | null;
    rejected?: number | null;
    evaluations?: number | null;
    factorisations?: number | null;
    seconds?: number | null;
    status?: string;
    message?: string;
}

export interface CompareInfo {
    rows: CompareRow[];
    reference?: string | { method?: string; tolerance?: number }[] | null;
    doubt?: number | null; // how far the references are apart
    channels?: string[];
    model?: string;
}

export interface RunInfo {
    integrator?: string;
    choice?: string;
    tolerance?: number | null;
    end_time?: number | null;
    output_step?: number | null;
    options?: Record<string, unknown>;
    notes?: string[];
    model_file?: string;
    model?: string;
    statistics?: Record<string, unknown> | null;
    rows?: number;
    first?: number;
    command?: string;
    results?: string; // name of the file
}

export interface CountsInfo {
    bodies?: number;
    joints?: number;
    forces?: number;
    flexible?: number;
    coordinates?: number;
    dof?: number;
    redundant?: string[];
    warnings?: string[];
}

export interface ModeInfo {
    real: number; // 1/s
    imag: number;
    frequency: number; // Hz
    natural_frequency?: number;
    damping_ratio: number;
    time_constant?: number | null; // s
    energy?: [string, number][]; // shares of bodies, largest first
    remark?: string;
}

export interface ModesInfo {
    time?: number;
    notes?: string[];
    list: ModeInfo[];
    translation?: BlockInfo | null;
    rotation?: BlockInfo | null;
    flexible?: BlockInfo[];
    modal?: (BlockInfo | null)[]; // mode, 2, coordinates
}

// A reduced part: texts that the page prints as they are.
export interface PartInfo {
    facts: [string, string][];
    tables: { title: string; columns: string[]; rows: string[][] }[];
    notes?: string[];
}

export interface Header {
    format: number;
    trammel?: string;
    title?: string;
    status?: string;
    run?: RunInfo;
    counts?: CountsInfo;
    scene?: SceneInfo;
    frames?: FramesInfo | null;
    channels?: { groups: ChannelGroup[]; left_out?: string[] } | null;
    solver?: SolverInfo | null;
    compare?: CompareInfo | null;
    modes?: ModesInfo | null;
    part?: PartInfo | null;
}
