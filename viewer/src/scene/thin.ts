// Bars that are thinner than a pixel, as lines: from far away a chain is still a chain.
import * as THREE from "three";
import type { PartSet } from "./parts.ts";
import type { Poses } from "./poses.ts";

export class ThinBars {
    readonly lines: THREE.LineSegments;
    /** Mixed into the colours of bars: a line of one pixel needs more contrast than a body. */
    readonly ink = new THREE.Color();
    private readonly mixed = new THREE.Color();
    private readonly position: THREE.BufferAttribute;
    private readonly color: THREE.BufferAttribute;

    constructor(private readonly set: PartSet) {
        const n = set.parts.length;
        this.position = new THREE.BufferAttribute(new Float32Array(6 * n), 3);
        this.color = new THREE.BufferAttribute(new Float32Array(6 * n), 3);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", this.position);
        geometry.setAttribute("color", this.color);
        this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
        this.lines.frustumCulled = false;
        this.lines.raycast = () => undefined;
    }

    get count(): number {
        return this.set.tiny.length;
    }

    update(poses: Poses): void {
        const { tiny, parts } = this.set;
        tiny.forEach((k, i) => {
            this.set.axis(k, poses, this.position.array as Float32Array, 6 * i);
            this.mixed.copy(parts[k].color).lerp(this.ink, 0.4);
            this.mixed.toArray(this.color.array, 6 * i);
            this.mixed.toArray(this.color.array, 6 * i + 3);
        });
        this.position.needsUpdate = true;
        this.color.needsUpdate = true;
        this.lines.visible = tiny.length > 0;
        this.lines.geometry.setDrawRange(0, 2 * tiny.length);
    }
}
