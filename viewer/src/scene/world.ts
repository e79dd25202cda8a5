// Everything in the 3-D picture, and how it follows the session: time, selection, what is shown.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";
import type { SceneInfo } from "../data/header.ts";
import type { Session } from "../state/session.ts";
import { Arrows } from "./arrows.ts";
import { Bodies } from "./bodies.ts";
import { motionBounds, symbolSize, type Extent } from "./bounds.ts";
import { FlexibleBodies } from "./flexible.ts";
import { FrameBox } from "./frame_box.ts";
import { Grid } from "./grid.ts";
import { Places } from "./places.ts";
import { POSE, Poses } from "./poses.ts";
import { Sight } from "./sight.ts";
import { Stage } from "./stage.ts";
import { Symbols } from "./symbols.ts";
import { Trails } from "./trails.ts";
import { firstDirection } from "./view_direction.ts";

const EMPTY: SceneInfo = { bodies: [{ name: "ground" }] };

function upOf(scene: SceneInfo): THREE.Vector3 {
    const up = new THREE.Vector3(...(scene.up ?? [0, 0, 1]));
    return up.lengthSq() > 0 ? up.normalize() : new THREE.Vector3(0, 0, 1);
}

export class World {
    readonly stage: Stage;
    readonly poses: Poses;
    readonly flexible: FlexibleBodies;
    readonly arrows: Arrows;
    readonly grid: Grid;
    readonly size: number;
    private readonly scene: SceneInfo;
    private readonly places: Places;
    private readonly bodies: Bodies;
    private readonly sight = new Sight();
    private readonly trails = new Trails();
    private readonly frame = new FrameBox();
    private joints: Symbols;
    private forces: Symbols;
    private readonly unit: number;
    private symbols = 1;
    private extent: Extent;
    private readonly fitted = new THREE.Box3();
    private followed: THREE.Vector3 | null = null;
    private dirty = true;

    constructor(canvas: HTMLCanvasElement, private readonly session: Session) {
        const data = session.data.value;
        this.scene = data.header.scene ?? EMPTY;
        const up = upOf(this.scene);
        this.stage = new Stage(canvas, up);
        this.places = new Places(this.scene);
        this.poses = new Poses(this.places.count);
        this.bodies = new Bodies(data);
        this.extent = motionBounds(data, this.bodies.bounds);
        const { box } = this.extent;
        this.size = box.getSize(new THREE.Vector3()).length();
        this.unit = symbolSize(this.size, this.bodies.bounds);
        this.flexible = new FlexibleBodies(data, this.size);
        this.arrows = new Arrows(this.places.joints, data.motion, this.size);
        this.grid = new Grid(box, up);
        this.joints = this.makeSymbols("joints");
        this.forces = this.makeSymbols("forces");
        this.stage.scene.add(
            this.bodies.group, this.joints.group, this.forces.group, this.flexible.group,
            this.trails.group, this.arrows.group, this.grid.group, this.frame.line,
        );
        this.listen();
    }

    invalidate(): void {
        this.dirty = true;
    }

    /** Whether something has changed since the last picture. */
    get changed(): boolean {
        return this.dirty;
    }

    draw(): void {
        this.dirty = false;
        this.update();
        this.stage.render();
    }

    /** Looks from a direction, or from the one that suits the mechanism. */
    look(direction: THREE.Vector3 | null): void {
        const from = direction ?? firstDirection(this.extent.box, this.stage.camera.up);
        this.fitted.copy(this.extent.box);
        this.stage.fit(this.extent.cloud.points, this.size, from);
        this.followed = null;
        this.invalidate();
    }

    /** Whether a watched run has moved well out of what the picture was fitted to. */
    get outgrown(): boolean {
        const room = this.fitted.clone().expandByScalar(0.05 * this.size);
        return !room.containsBox(this.extent.box);
    }

    /** Body or flexible body (numbered after the bodies) at a point of the canvas; -1: none. */
    pick(x: number, y: number): number {
        const ray = this.stage.ray(x, y);
        const rigid = this.bodies.pick(ray);
        const soft = this.flexible.pick(ray);
        if (soft !== null && (rigid === null || soft.distance < rigid.distance)) {
            return this.scene.bodies.length + soft.flexible;
        }
        return rigid?.body ?? -1;
    }

    /** Where an entity is now: the centre of mass, or the middle of a flexible body. */
    placeOf(entity: number): THREE.Vector3 | null {
        const n = this.scene.bodies.length;
        if (entity >= 0 && entity < n) {
            return new THREE.Vector3().fromArray(this.poses.at, POSE * entity + 9);
        }
        if (entity >= n && entity - n < this.flexible.count) {
            return this.flexible.bounds(entity - n).getCenter(new THREE.Vector3());
        }
        return null;
    }

    setTheme(isDark: boolean, accent: string, background: string): void {
        this.stage.setBackground(background);
        this.bodies.setTheme(isDark);
        this.grid.setTheme(isDark);
        this.frame.setColor(accent);
        this.invalidate();
    }

    /** Poses at the shown time, whether or not they were drawn yet. */
    updatePoses(): void {
        const { motion } = this.session.data.value;
        motion.moveTo(this.session.time.value);
        this.poses.update(motion);
        this.places.update(motion, this.session.time.value, this.poses);
    }

    private makeSymbols(kind: "joints" | "forces"): Symbols {
        return new Symbols(this.places[kind], this.scene, this.places.count, this.unit * this.symbols, kind);
    }

    private listen(): void {
        const { session } = this;
        session.time.on(() => this.invalidate());
        session.display.watch(() => this.applyDisplay());
        session.data.on((data) => this.extend(data));
        session.selected.watch((body) => {
            this.bodies.highlight(body);
            this.showTrails();
            this.invalidate();
        });
        session.follow.on(() => {
            this.followed = null;
            this.showTrails();
            this.invalidate();
        });
        this.stage.controls.addEventListener("change", () => this.invalidate());
    }

    private applyDisplay(): void {
        const show = this.session.display.value;
        if (show.symbols !== this.symbols) {
            this.symbols = show.symbols;
            this.stage.scene.remove(this.joints.group, this.forces.group);
            this.joints = this.makeSymbols("joints");
            this.forces = this.makeSymbols("forces");
            this.stage.scene.add(this.joints.group, this.forces.group);
        }
        this.joints.group.visible = show.joints;
        this.forces.group.visible = show.forces;
        this.arrows.group.visible = show.reactions && this.arrows.available;
        this.trails.group.visible = show.trails;
        this.grid.group.visible = show.grid;
        this.flexible.setColumn(show.column);
        this.showTrails();
        this.invalidate();
    }

    // Few bodies: all paths; many: that of the picked or followed one.
    private showTrails(): void {
        const { session } = this;
        const chosen = [session.selected.value, session.follow.value].filter((body) => body > 0);
        const all = this.scene.bodies.map((_, body) => body).slice(1);
        const bodies = chosen.length > 0 ? [...new Set(chosen)] : all;
        this.trails.show(session.data.value.motion, session.display.value.trails ? bodies : []);
    }

    private extend(data: Dataset): void {
        this.arrows.measure(data.motion);
        this.flexible.extend(data);
        this.flexible.setColumn(this.session.display.value.column);
        this.extent = motionBounds(data, this.bodies.bounds);
        this.showTrails();
        this.invalidate();
    }

    private update(): void {
        const { session } = this;
        const t = session.time.value;
        const show = session.display.value;
        this.updatePoses();
        this.updateFollow(); // before anything asks what the camera sees
        this.sight.update(this.stage.camera, this.stage.canvas.clientHeight);
        this.bodies.update(this.poses, this.sight);
        this.stage.lines = this.bodies.lines > 20;
        if (show.joints) {
            this.joints.update(this.poses, this.sight);
        }
        if (show.forces) {
            this.forces.update(this.poses, this.sight);
        }
        if (show.reactions) {
            this.arrows.moveTo(session.data.value.motion, t, this.poses, show.arrows);
        }
        if (show.trails) {
            this.trails.moveTo(t);
        }
        this.flexible.moveTo(t);
        this.updateFrame();
    }

    private updateFrame(): void {
        const entity = this.session.selected.value;
        const n = this.scene.bodies.length;
        const least = this.unit * 2;
        if (entity > 0 && entity < n) {
            const m = new THREE.Matrix4();
            const p = this.poses.at.subarray(POSE * entity, POSE * (entity + 1));
            m.set(p[0], p[3], p[6], p[9], p[1], p[4], p[7], p[10], p[2], p[5], p[8], p[11], 0, 0, 0, 1);
            const box = this.bodies.bounds[entity];
            const shown = box.isEmpty() ? new THREE.Box3().setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3()) : box;
            this.frame.show(shown, m, least);
        } else if (entity >= n && entity - n < this.flexible.count) {
            this.frame.show(this.flexible.bounds(entity - n), new THREE.Matrix4(), least);
        } else {
            this.frame.hide();
        }
    }

    // The camera moves as the followed body does, so that orbiting still works.
    private updateFollow(): void {
        const at = this.placeOf(this.session.follow.value);
        if (this.session.follow.value <= 0 || at === null) {
            return;
        }
        const { camera, controls } = this.stage;
        const shift = at.clone().sub(this.followed ?? controls.target);
        this.followed = at;
        camera.position.add(shift);
        controls.target.add(shift);
        camera.lookAt(controls.target);
        camera.updateMatrixWorld();
    }
}
