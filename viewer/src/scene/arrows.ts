// Joint reactions as arrows at the joint: forces with one head, torques with two.
import * as THREE from "three";
import type { Motion } from "../data/frames.ts";
import { mixRow } from "../data/frames.ts";
import type { LinkInfo } from "../data/header.ts";
import { place } from "../data/lookup.ts";
import type { Poses } from "./poses.ts";

const FORCE = "#d55e00";
const TORQUE = "#8a5fd0";
const HEAD = 3.6; // length of a head in widths of the arrow
const SPREAD = 1.35; // radius of a head in widths

const LONGEST = 2; // of an arrow, over that of a large force

/** The value that nine of ten do not reach, zeros left out. */
export function large(values: number[]): number {
    const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
    return sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
}

/** Arrows of one kind: shafts that stretch and heads that do not, one mesh each. */
export class ArrowSet {
    readonly group = new THREE.Group();
    private readonly shafts: THREE.InstancedMesh;
    private readonly heads: THREE.InstancedMesh;
    private readonly matrix = new THREE.Matrix4();
    private readonly turn = new THREE.Quaternion();
    private readonly direction = new THREE.Vector3();
    private readonly from = new THREE.Vector3();
    private readonly size = new THREE.Vector3();

    constructor(count: number, private readonly perArrow: number, color: string) {
        // joints are inside bodies: arrows show through
        const material = new THREE.MeshLambertMaterial({ color, depthTest: false, transparent: true });
        const shaft = new THREE.CylinderGeometry(0.5, 0.5, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        const head = new THREE.ConeGeometry(SPREAD, HEAD, 14).rotateX(Math.PI / 2).translate(0, 0, HEAD / 2);
        this.shafts = new THREE.InstancedMesh(shaft, material, Math.max(1, count));
        this.heads = new THREE.InstancedMesh(head, material, Math.max(1, count * perArrow));
        this.shafts.count = count;
        this.heads.count = count * perArrow;
        for (const mesh of [this.shafts, this.heads]) {
            mesh.frustumCulled = false;
            mesh.raycast = () => undefined;
            mesh.renderOrder = 5;
            this.group.add(mesh);
        }
    }

    /** Arrow k: from a point, along a value; too short ones are left out. */
    set(k: number, at: number[], value: THREE.Vector3, scale: number, width: number, longest: number): void {
        const length = Math.min(longest, value.length() * scale);
        const room = length - this.perArrow * HEAD * width; // for the shaft
        const seen = length > HEAD * width * 0.5;
        this.from.set(at[0], at[1], at[2]);
        if (seen) {
            this.direction.copy(value).normalize();
            this.turn.setFromUnitVectors(UP, this.direction);
        }
        this.place(this.shafts, k, seen && room > 0 ? width : 0, Math.max(room, 1e-12));
        // short arrows are heads only, and smaller ones
        const shrink = room > 0 ? 1 : length / (this.perArrow * HEAD * width);
        this.from.addScaledVector(this.direction, Math.max(0, room));
        for (let i = 0; i < this.perArrow; ++i) {
            const size = seen ? width * shrink : 0;
            this.place(this.heads, k * this.perArrow + i, size, size);
            this.from.addScaledVector(this.direction, HEAD * size);
        }
    }

    done(): void {
        this.shafts.instanceMatrix.needsUpdate = true;
        this.heads.instanceMatrix.needsUpdate = true;
    }

    private place(mesh: THREE.InstancedMesh, k: number, width: number, length: number): void {
        this.matrix.compose(this.from, this.turn, this.size.set(width, width, length));
        mesh.setMatrixAt(k, this.matrix);
    }
}

const UP = new THREE.Vector3(0, 0, 1);

export class Arrows {
    readonly group = new THREE.Group();
    readonly available: boolean;
    largeForce = 0;
    largeTorque = 0;
    private readonly forces: ArrowSet;
    private readonly torques: ArrowSet;
    private row: Float64Array;
    private spare: Float64Array;

    constructor(private readonly joints: LinkInfo[], motion: Motion, private readonly size: number) {
        this.available = motion.reactions !== null && joints.length > 0;
        this.forces = new ArrowSet(joints.length, 1, FORCE);
        this.torques = new ArrowSet(joints.length, 2, TORQUE);
        this.group.add(this.forces.group, this.torques.group);
        this.row = new Float64Array(6 * joints.length);
        this.spare = new Float64Array(6 * joints.length);
        this.measure(motion);
    }

    /** Of the arrow of a large force, m, at the usual size. */
    get length(): number {
        return 0.16 * this.size;
    }

    /** Finds what is a large force and torque in this run: nine of ten are smaller. Impacts, which
     * are a hundred times larger, would leave nothing to see of all others. */
    measure(motion: Motion): void {
        const { reactions } = motion;
        if (reactions === null || reactions.rowLength !== this.row.length) {
            return;
        }
        const forces: number[] = [];
        const torques: number[] = [];
        const step = Math.max(1, Math.floor(reactions.rows / 100));
        for (let row = 0; row < reactions.rows; row += step) {
            reactions.row(row, this.row);
            for (let i = 0; i < this.row.length; i += 6) {
                const [fx, fy, fz, tx, ty, tz] = this.row.subarray(i, i + 6);
                forces.push(Math.hypot(fx, fy, fz) || 0);
                torques.push(Math.hypot(tx, ty, tz) || 0);
            }
        }
        this.largeForce = large(forces);
        this.largeTorque = large(torques);
    }

    moveTo(motion: Motion, t: number, poses: Poses, factor: number): void {
        if (motion.reactions === null || motion.reactions.rowLength !== this.row.length) {
            return;
        }
        mixRow(motion.reactions, place(motion.times, t), this.row, this.spare);
        const long = this.length * factor;
        // many arrows must be thin to be told apart
        const width = 0.006 * this.size * Math.min(1, Math.sqrt(20 / this.joints.length));
        const value = new THREE.Vector3();
        this.joints.forEach((joint, k) => {
            const frame = joint.frames?.[1];
            const body = joint.bodies?.[1] ?? -1;
            const known = frame && body >= 0 && body < poses.bodies;
            const at = known ? poses.point(body, frame[0], frame[1], frame[2]) : [0, 0, 0];
            const force = known ? long / (this.largeForce || 1) : 0;
            const torque = known ? (0.7 * long) / (this.largeTorque || 1) : 0;
            this.forces.set(k, at, value.fromArray(this.row, 6 * k), force, width, LONGEST * long);
            this.torques.set(k, at, value.fromArray(this.row, 6 * k + 3), torque, width, LONGEST * long);
        });
        this.forces.done();
        this.torques.done();
    }
}
