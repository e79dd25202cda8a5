// The mechanism of a second run: translucent, in one colour, where it is at the shown time. A run
// that has ended stays in its last position.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";
import { Bodies } from "./bodies.ts";
import { motionBounds, type Extent } from "./bounds.ts";
import { FlexibleBodies } from "./flexible.ts";
import { Poses } from "./poses.ts";
import type { Sight } from "./sight.ts";

export const GHOST = "#d9772b";

export class Ghost {
    readonly group = new THREE.Group();
    readonly extent: Extent;
    private readonly poses: Poses;
    private readonly bodies: Bodies;
    private readonly flexible: FlexibleBodies;

    constructor(private readonly data: Dataset, size: number) {
        this.bodies = new Bodies(data, GHOST);
        this.flexible = new FlexibleBodies(data, size, GHOST);
        this.poses = new Poses(data.header.scene?.bodies.length ?? 1);
        this.extent = motionBounds(data, this.bodies.bounds);
        this.flexible.setColumn(-1);
        this.group.add(this.bodies.group, this.flexible.group);
    }

    setTheme(isDark: boolean): void {
        this.bodies.setTheme(isDark);
    }

    /** Where a body of that run is now. */
    position(body: number): number[] {
        return [...this.poses.point(body, 0, 0, 0)];
    }

    moveTo(t: number, sight: Sight): void {
        const { motion } = this.data;
        if (motion.times.length > 0) {
            motion.moveTo(t);
            this.poses.update(motion);
        }
        this.bodies.update(this.poses, sight);
        this.flexible.moveTo(t);
    }
}
