// Joint reactions as arrows at the joint: forces with one head, torques with two.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Motion } from "../data/frames.ts";
import { mixRow } from "../data/frames.ts";
import type { LinkInfo } from "../data/header.ts";
import { place } from "../data/lookup.ts";
import type { Poses } from "./poses.ts";

const FORCE = "#d55e00";
const TORQUE = "#8a5fd0";
const HEAD = 4; // length of a head in widths of the arrow

// Shaft from 0 to 1 along z; heads end at 1 and are stretched with it, which is good enough for
// arrows of a few widths and more.
function arrow(heads: number): THREE.BufferGeometry {
    const shaft = new THREE.CylinderGeometry(0.5, 0.5, 0.8, 10).rotateX(Math.PI / 2).translate(0, 0, 0.4);
    const parts = [shaft];
    for (let k = 0; k < heads; ++k) {
        const head = new THREE.ConeGeometry(1.3, 0.22, 12).rotateX(Math.PI / 2);
        parts.push(head.translate(0, 0, 0.89 - 0.16 * k));
    }
    return mergeGeometries(parts) as THREE.BufferGeometry;
}

class ArrowSet {
    readonly mesh: THREE.InstancedMesh;
    private readonly matrix = new THREE.Matrix4();
    private readonly turn = new THREE.Quaternion();
    private readonly direction = new THREE.Vector3();
    private readonly from = new THREE.Vector3();
    private readonly size = new THREE.Vector3();

    constructor(count: number, heads: number, color: string) {
        const material = new THREE.MeshLambertMaterial({ color });
        this.mesh = new THREE.InstancedMesh(arrow(heads), material, Math.max(1, count));
        this.mesh.count = count;
        this.mesh.frustumCulled = false;
        this.mesh.raycast = () => undefined;
    }

    set(k: number, at: number[], value: THREE.Vector3, scale: number, width: number): void {
        this.direction.copy(value);
        const length = this.direction.length() * scale;
        // too short to be seen: no arrow
        if (!(length > HEAD * width * 0.25)) {
            this.matrix.makeScale(0, 0, 0);
        } else {
            this.turn.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.direction.normalize());
            this.from.set(at[0], at[1], at[2]);
            this.matrix.compose(this.from, this.turn, this.size.set(width, width, length));
        }
        this.mesh.setMatrixAt(k, this.matrix);
    }
}

export class Arrows {
    readonly group = new THREE.Group();
    readonly available: boolean;
    largestForce = 0;
    largestTorque = 0;
    private readonly forces: ArrowSet;
    private readonly torques: ArrowSet;
    private row: Float64Array;
    private spare: Float64Array;

    constructor(private readonly joints: LinkInfo[], motion: Motion, private readonly size: number) {
        this.available = motion.reactions !== null && joints.length > 0;
        this.forces = new ArrowSet(joints.length, 1, FORCE);
        this.torques = new ArrowSet(joints.length, 2, TORQUE);
        this.group.add(this.forces.mesh, this.torques.mesh);
        this.row = new Float64Array(6 * joints.length);
        this.spare = new Float64Array(6 * joints.length);
        this.measure(motion);
    }

    /** Finds the largest force and torque of the run; they get the longest arrows. */
    measure(motion: Motion): void {
        const { reactions } = motion;
        if (reactions === null || reactions.rowLength !== this.row.length) {
            return;
        }
        const step = Math.max(1, Math.floor(reactions.rows / 300));
        for (let row = 0; row < reactions.rows; row += step) {
            reactions.row(row, this.row);
            for (let i = 0; i < this.row.length; i += 6) {
                const [fx, fy, fz, tx, ty, tz] = this.row.subarray(i, i + 6);
                this.largestForce = Math.max(this.largestForce, Math.hypot(fx, fy, fz) || 0);
                this.largestTorque = Math.max(this.largestTorque, Math.hypot(tx, ty, tz) || 0);
            }
        }
    }

    moveTo(motion: Motion, t: number, poses: Poses, factor: number): void {
        if (motion.reactions === null || motion.reactions.rowLength !== this.row.length) {
            return;
        }
        mixRow(motion.reactions, place(motion.times, t), this.row, this.spare);
        const longest = 0.3 * this.size * factor;
        const value = new THREE.Vector3();
        this.joints.forEach((joint, k) => {
            const frame = joint.frames?.[1];
            const body = joint.bodies?.[1] ?? -1;
            const known = frame && body >= 0 && body < poses.bodies;
            const at = known ? poses.point(body, frame[0], frame[1], frame[2]) : [0, 0, 0];
            const force = known ? longest / (this.largestForce || 1) : 0;
            const torque = known ? (0.7 * longest) / (this.largestTorque || 1) : 0;
            this.forces.set(k, at, value.fromArray(this.row, 6 * k), force, 0.006 * this.size);
            this.torques.set(k, at, value.fromArray(this.row, 6 * k + 3), torque, 0.006 * this.size);
        });
        this.forces.mesh.instanceMatrix.needsUpdate = true;
        this.torques.mesh.instanceMatrix.needsUpdate = true;
    }
}
