// Parts: copies of one geometry that are fixed to bodies, drawn with one call.
import * as THREE from "three";
import { multiplyPose, POSE, type Poses } from "./poses.ts";

export interface Part {
    body: number;
    local: THREE.Matrix4; // in the body's centre of mass frame, scale included
    color: THREE.Color;
}

export class PartSet {
    readonly mesh: THREE.InstancedMesh;
    private readonly body: Int32Array;
    private readonly local: Float64Array;

    constructor(geometry: THREE.BufferGeometry, material: THREE.Material, readonly parts: Part[]) {
        this.mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, parts.length));
        this.mesh.count = parts.length;
        // the bounds change every frame: testing them costs more than drawing
        this.mesh.frustumCulled = false;
        this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        this.body = Int32Array.from(parts, (part) => part.body);
        this.local = new Float64Array(16 * parts.length);
        parts.forEach((part, k) => {
            this.local.set(part.local.elements, 16 * k);
            this.mesh.setColorAt(k, part.color);
        });
    }

    update(poses: Poses): void {
        const out = this.mesh.instanceMatrix.array as Float32Array;
        for (let k = 0; k < this.body.length; ++k) {
            multiplyPose(poses.at, POSE * this.body[k], this.local, 16 * k, out, 16 * k);
        }
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.boundingSphere = null; // picking computes it anew
    }

    /** Colours part k, for the picked body. */
    paint(k: number, color: THREE.Color): void {
        this.mesh.setColorAt(k, color);
        if (this.mesh.instanceColor !== null) {
            this.mesh.instanceColor.needsUpdate = true;
        }
    }
}
