// Contacts: a dot where shapes touch, as large as its share of the force says, and the force on the second body as an arrow.
import * as THREE from "three";
import type { Motion } from "../data/frames.ts";
import { place } from "../data/lookup.ts";
import { ArrowSet, large } from "./arrows.ts";

const COLOR = "#009e73";
const LONGEST = 2; // of an arrow, over that of a large force
const LENGTH = 0.1; // of the arrow of a large force, in sizes of the scene
const DOT = 0.012; // radius of the dot of a large force, in sizes of the scene

export class Contacts {
    readonly group = new THREE.Group();
    readonly available: boolean;
    largeForce = 0;
    shown = 0; // points in the picture
    private readonly points: number;
    private readonly forces: ArrowSet;
    private readonly dots: THREE.InstancedMesh;
    private readonly row: Float64Array;

    constructor(motion: Motion, private readonly size: number) {
        this.points = motion.contacts?.shape[2] ?? 0;
        this.available = this.points > 0;
        this.row = new Float64Array(6 * this.points);
        this.forces = new ArrowSet(this.points, 1, COLOR);
        // surfaces that touch hide what lies between them
        const material = new THREE.MeshLambertMaterial({ color: COLOR, depthTest: false, transparent: true, opacity: 0.85 });
        this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 14, 10), material, Math.max(1, this.points));
        this.dots.frustumCulled = false;
        this.dots.raycast = () => undefined;
        this.dots.renderOrder = 5;
        this.group.add(this.forces.group, this.dots);
        this.measure(motion);
    }

    /** Of the arrow of a large force, m, at the usual size. */
    get length(): number {
        return LENGTH * this.size;
    }

    /** Finds what is a large force in this run: nine of ten are smaller. */
    measure(motion: Motion): void {
        const { contacts } = motion;
        if (contacts === null || contacts.rowLength !== this.row.length) {
            return;
        }
        const forces: number[] = [];
        const step = Math.max(1, Math.floor(contacts.rows / 200));
        for (let row = 0; row < contacts.rows; row += step) {
            contacts.row(row, this.row);
            for (let k = 0; k < this.points; ++k) {
                forces.push(this.forceOf(k).length() || 0);
            }
        }
        this.largeForce = large(forces);
    }

    /** The contacts of the kept row at t or before: points of two rows are not the same ones. */
    moveTo(motion: Motion, t: number, factor: number): void {
        const { contacts } = motion;
        if (contacts === null || contacts.rowLength !== this.row.length) {
            return;
        }
        contacts.row(place(motion.times, t).row, this.row);
        const long = this.length * factor;
        const width = 0.006 * this.size * Math.min(1, Math.sqrt(20 / this.points));
        const matrix = new THREE.Matrix4();
        this.shown = 0;
        for (let k = 0; k < this.points; ++k) {
            const force = this.forceOf(k);
            const part = this.largeForce > 0 ? force.length() / this.largeForce : 0;
            const at = [this.row[3 * k], this.row[3 * k + 1], this.row[3 * k + 2]];
            const radius = part > 0 ? DOT * this.size * Math.min(1.5, Math.max(0.25, Math.sqrt(part))) : 0;
            this.shown += part > 0 ? 1 : 0;
            this.forces.set(k, at, force, this.largeForce > 0 ? long / this.largeForce : 0, width, LONGEST * long);
            this.dots.setMatrixAt(k, matrix.makeScale(radius, radius, radius).setPosition(at[0], at[1], at[2]));
        }
        this.forces.done();
        this.dots.instanceMatrix.needsUpdate = true;
    }

    private forceOf(k: number): THREE.Vector3 {
        return new THREE.Vector3().fromArray(this.row, 3 * (this.points + k));
    }
}
