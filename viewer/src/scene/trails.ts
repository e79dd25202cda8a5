// Paths that the centres of mass have taken up to the shown time.
import * as THREE from "three";
import { rowBefore } from "../data/lookup.ts";
import type { Motion } from "../data/frames.ts";
import { bodyColor } from "../ui/palette.ts";

const MOST = 40; // paths at once: more are a tangle

class Trail {
    readonly line: THREE.Line;
    private readonly path: Float32Array;
    private readonly position: THREE.BufferAttribute;

    constructor(private readonly motion: Motion, private readonly body: number) {
        const rows = motion.times.length;
        // one more point than rows: the tip is where the body is now
        this.path = new Float32Array(3 * (rows + 1));
        for (let row = 0; row < rows; ++row) {
            for (let k = 0; k < 3; ++k) {
                this.path[3 * row + k] = motion.positions?.at(row, 3 * body + k) ?? 0;
            }
        }
        this.position = new THREE.BufferAttribute(this.path.slice(), 3);
        const geometry = new THREE.BufferGeometry().setAttribute("position", this.position);
        const color = bodyColor(body);
        this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color }));
        this.line.frustumCulled = false;
    }

    moveTo(t: number): void {
        const { motion, position, body } = this;
        const row = rowBefore(motion.times, t);
        position.array.set(this.path.subarray(0, 3 * (row + 1)));
        position.array.set(motion.position.subarray(3 * body, 3 * body + 3), 3 * (row + 1));
        position.needsUpdate = true;
        this.line.geometry.setDrawRange(0, row + 2);
    }

    dispose(): void {
        this.line.geometry.dispose();
    }
}

export class Trails {
    readonly group = new THREE.Group();
    private trails: Trail[] = [];

    /** Shows the paths of these bodies (ground is 0 and has none). */
    show(motion: Motion, bodies: number[]): void {
        for (const trail of this.trails) {
            trail.dispose();
        }
        this.group.clear();
        this.trails = bodies
            .filter((body) => body > 0 && body <= motion.bodies)
            .slice(0, MOST)
            .map((body) => new Trail(motion, body - 1));
        for (const trail of this.trails) {
            this.group.add(trail.line);
        }
    }

    moveTo(t: number): void {
        for (const trail of this.trails) {
            trail.moveTo(t);
        }
    }
}
