// Parts: copies of one geometry that are fixed to bodies, drawn with one call. Only those in sight
// are handed to the graphics card.
import * as THREE from "three";
import { multiplyPose, POSE, type Poses } from "./poses.ts";
import type { Sight } from "./sight.ts";

export interface Part {
    body: number;
    local: THREE.Matrix4; // in the body's centre of mass frame, scale included
    color: THREE.Color;
}

export class PartSet {
    readonly mesh: THREE.InstancedMesh;
    /** Lines that are drawn with the parts: they share matrices and number. */
    readonly lines: THREE.InstancedBufferGeometry[] = [];
    /** Meshes that show the same parts in another way: they share matrices and number. */
    readonly copies: THREE.InstancedMesh[] = [];
    /** Parts that were too small at the last update. */
    readonly tiny: number[] = [];
    /** Half of what is drawn must have so many pixels. */
    least = 0.6;
    private readonly body: Int32Array;
    private readonly local: Float64Array;
    private readonly reach: Float64Array; // radius of a ball around each part
    private readonly size: Float64Array; // what must be seen of it: of a bar its radius
    private readonly shown: Int32Array; // part of each instance
    private readonly one = new Float32Array(16);

    constructor(geometry: THREE.BufferGeometry, material: THREE.Material, readonly parts: Part[]) {
        const n = parts.length;
        this.mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, n));
        this.mesh.count = n;
        this.mesh.frustumCulled = false; // each part is tested instead
        this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        this.body = Int32Array.from(parts, (part) => part.body);
        this.local = new Float64Array(16 * n);
        this.reach = new Float64Array(n);
        this.size = new Float64Array(n);
        this.shown = Int32Array.from({ length: n }, (_, k) => k);
        geometry.computeBoundingSphere();
        const { center, radius } = geometry.boundingSphere as THREE.Sphere;
        parts.forEach((part, k) => {
            this.local.set(part.local.elements, 16 * k);
            const scale = new THREE.Vector3().setFromMatrixScale(part.local);
            const sizes = scale.toArray().sort((a, b) => a - b);
            this.reach[k] = sizes[2] * (radius + center.length());
            this.size[k] = sizes[1];
            this.mesh.setColorAt(k, part.color);
        });
    }

    update(poses: Poses, sight: Sight): void {
        const out = this.mesh.instanceMatrix.array as Float32Array;
        let n = 0;
        let changed = false;
        this.tiny.length = 0;
        for (let k = 0; k < this.body.length; ++k) {
            const m = this.one;
            multiplyPose(poses.at, POSE * this.body[k], this.local, 16 * k, m, 0);
            if (!sight.inside(m[12], m[13], m[14], this.reach[k])) {
                continue;
            }
            if (!sight.large(m[12], m[13], m[14], this.size[k], this.least)) {
                this.tiny.push(k);
                continue;
            }
            out.set(m, 16 * n);
            changed ||= this.shown[n] !== k;
            this.shown[n++] = k;
        }
        this.show(n, changed);
    }

    /** The part that an instance of the mesh shows. */
    partOf(instance: number): Part | undefined {
        return this.parts[this.shown[instance]];
    }

    /** Global ends of part k's axis, z from -1/2 to 1/2, into six numbers. */
    axis(k: number, poses: Poses, out: Float32Array, at: number): void {
        const m = this.one;
        multiplyPose(poses.at, POSE * this.body[k], this.local, 16 * k, m, 0);
        for (let i = 0; i < 3; ++i) {
            out[at + i] = m[12 + i] - 0.5 * m[8 + i];
            out[at + 3 + i] = m[12 + i] + 0.5 * m[8 + i];
        }
    }

    /** Colours all parts anew, for the picked body. */
    paint(colorOf: (part: Part) => THREE.Color): void {
        for (let n = 0; n < this.mesh.count; ++n) {
            this.mesh.setColorAt(n, colorOf(this.parts[this.shown[n]]));
        }
        if (this.mesh.instanceColor !== null) {
            this.mesh.instanceColor.needsUpdate = true;
        }
    }

    private show(n: number, changed: boolean): void {
        const moved = changed || n > this.mesh.count;
        this.mesh.count = n;
        this.mesh.visible = n > 0;
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.boundingSphere = null; // picking computes it anew
        for (const lines of this.lines) {
            lines.instanceCount = n;
        }
        for (const copy of this.copies) {
            copy.count = n;
            copy.visible = n > 0;
        }
        if (moved) {
            this.onChange?.();
        }
    }

    /** Called when instances show other parts than before, so that colours follow. */
    onChange: (() => void) | null = null;
}
