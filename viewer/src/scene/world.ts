// Everything in the 3-D picture, and how it follows the session: time, selection, what is shown.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";
import type { SceneInfo } from "../data/header.ts";
import type { Session } from "../state/session.ts";
import { Arrows } from "./arrows.ts";
import { Contacts } from "./contacts.ts";
import { Bodies } from "./bodies.ts";
import { addExtent, addSymbols, motionBounds, symbolSize, type Extent } from "./bounds.ts";
import { FlexibleBodies } from "./flexible.ts";
import { FrameBox } from "./frame_box.ts";
import { Ghost } from "./ghost.ts";
import { Grid } from "./grid.ts";
import type { LinkInfo } from "../data/header.ts";
import { Places } from "./places.ts";
import { POSE, Poses } from "./poses.ts";
import { FloorShadow } from "./shadow.ts";
import { Sight } from "./sight.ts";
import { Stage } from "./stage.ts";
import { FOOT, symbolOf } from "./symbol_shapes.ts";
import { Symbols } from "./symbols.ts";
import { Trails } from "./trails.ts";
import { travel, type Travel } from "./travel.ts";
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
    readonly contacts: Contacts;
    readonly grid: Grid;
    readonly size: number;
    private readonly scene: SceneInfo;
    private readonly places: Places;
    private readonly bodies: Bodies;
    private readonly sight = new Sight();
    private readonly trails = new Trails();
    private readonly frame = new FrameBox();
    private readonly shadow: FloorShadow;
    readonly ghost: Ghost | null;
    private joints: Symbols;
    private forces: Symbols;
    private readonly unit: number;
    private symbols = 1;
    private extent: Extent;
    private readonly fitted = new THREE.Box3();
    private readonly travel: Travel | null;
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
        this.travel = session.second === null ? travel(data, this.bodies.bounds) : null;
        session.follow.value = this.travel?.body ?? session.follow.value;
        const { box } = this.extent;
        const alone = box.getSize(new THREE.Vector3()).length();
        this.ghost = session.second === null ? null : new Ghost(session.second, alone);
        if (this.ghost !== null) {
            addExtent(this.extent, this.ghost.extent);
            this.stage.scene.add(this.ghost.group);
        }
        this.size = box.getSize(new THREE.Vector3()).length();
        this.unit = symbolSize(this.size, this.bodies.bounds);
        addSymbols(data, this.extent, FOOT * this.unit);
        this.flexible = new FlexibleBodies(data, this.size);
        this.arrows = new Arrows(this.places.joints, data.motion, this.size);
        this.contacts = new Contacts(data.motion, this.size);
        this.grid = new Grid(box, up);
        this.shadow = this.makeShadow(up);
        this.joints = this.makeSymbols("joints");
        this.forces = this.makeSymbols("forces");
        this.stage.scene.add(
            this.shadow.group, this.bodies.group, this.joints.group, this.forces.group, this.flexible.group,
            this.trails.group, this.arrows.group, this.contacts.group, this.grid.group, this.frame.line,
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

    /** The view that a report opens with: near a mechanism that travels, else all of its motion. */
    lookAtStart(): void {
        if (this.travel === null || this.session.follow.value !== this.travel.body) {
            this.look(null);
            return;
        }
        const { box, cloud } = this.travel.start;
        this.fitted.copy(this.extent.box);
        this.stage.fit(cloud.points, this.size, firstDirection(box, this.stage.camera.up));
        this.followed = this.travel.at.clone(); // the middle of the picture stays where it is on the mechanism
        this.invalidate();
    }

    /** Looks from a place at another, as a saved view says. */
    lookFrom(eye: number[], target: number[]): void {
        this.stage.place(new THREE.Vector3(...eye), new THREE.Vector3(...target), this.size);
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

    /** Where an entity is now: the centre of mass, or the middle of a flexible body, joint or force. */
    placeOf(entity: number): THREE.Vector3 | null {
        const n = this.scene.bodies.length;
        if (entity >= 0 && entity < n) {
            return new THREE.Vector3().fromArray(this.poses.at, POSE * entity + 9);
        }
        if (entity >= n && entity - n < this.flexible.count) {
            return this.flexible.bounds(entity - n).getCenter(new THREE.Vector3());
        }
        const link = this.linkOf(entity);
        const box = link === null ? null : this.linkBox(link);
        return box === null || box.isEmpty() ? null : box.getCenter(new THREE.Vector3());
    }

    /** The joint or force of an entity, numbered after bodies and flexible bodies. */
    private linkOf(entity: number): LinkInfo | null {
        const k = entity - this.scene.bodies.length - (this.scene.flexible?.length ?? 0);
        const { joints, forces } = this.places;
        return k < 0 ? null : joints[k] ?? forces[k - joints.length] ?? null;
    }

    // Around both ends of what stretches between them; else where it acts on the second body.
    private linkBox(link: LinkInfo): THREE.Box3 {
        const ends = (link.bodies ?? []).flatMap((body, side) => {
            const at = link.frames?.[side];
            return at && body >= 0 && body < this.poses.bodies ? [new THREE.Vector3(...this.poses.point(body, at[0], at[1], at[2]))] : [];
        });
        const shown = symbolOf(link.type, true).between === undefined ? ends.slice(-1) : ends;
        return new THREE.Box3().setFromPoints(shown);
    }

    setTheme(isDark: boolean, accent: string, background: string): void {
        this.stage.setBackground(background);
        this.bodies.setTheme(isDark);
        this.grid.setTheme(isDark);
        this.shadow.setTheme(isDark);
        this.ghost?.setTheme(isDark);
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

    // A crowd has none: it would take twice the work, and nobody could tell whose shadow is whose.
    private makeShadow(up: THREE.Vector3): FloorShadow {
        const shadow = new FloorShadow(up, this.grid.level);
        if (!this.bodies.many) {
            this.bodies.sets.forEach((set) => shadow.addParts(set));
            this.flexible.meshes.forEach((mesh) => shadow.addMesh(mesh));
        }
        return shadow;
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
        this.contacts.group.visible = show.contacts && this.contacts.available;
        this.trails.group.visible = show.trails;
        this.grid.group.visible = show.grid;
        this.shadow.group.visible = show.grid;
        if (this.ghost !== null) {
            this.ghost.group.visible = show.ghost;
        }
        this.flexible.factor = show.deformation;
        this.flexible.setColumn(show.column);
        this.showTrails();
        this.invalidate();
    }

    // Few bodies: all paths; many: that of the picked or followed one.
    private showTrails(): void {
        const { session } = this;
        const chosen = [session.selected.value, session.follow.value].filter((body) => body > 0 && body < this.scene.bodies.length);
        const all = this.scene.bodies.map((_, body) => body).slice(1);
        const bodies = chosen.length > 0 ? [...new Set(chosen)] : all;
        this.trails.show(session.data.value.motion, session.display.value.trails ? bodies : []);
    }

    private extend(data: Dataset): void {
        this.arrows.measure(data.motion);
        this.contacts.measure(data.motion);
        this.flexible.extend(data);
        this.flexible.setColumn(this.session.display.value.column);
        this.extent = motionBounds(data, this.bodies.bounds);
        addSymbols(data, this.extent, FOOT * this.unit);
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
        if (show.contacts) {
            this.contacts.moveTo(session.data.value.motion, t, show.arrows);
        }
        if (show.trails) {
            this.trails.moveTo(t);
        }
        this.flexible.moveTo(t);
        if (show.ghost) {
            this.ghost?.moveTo(t, this.sight);
        }
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
            const link = this.linkOf(entity);
            const box = link === null ? new THREE.Box3() : this.linkBox(link);
            if (box.isEmpty()) {
                this.frame.hide();
            } else {
                this.frame.show(box.expandByScalar(1.6 * this.unit * this.symbols), new THREE.Matrix4(), least);
            }
        }
    }

    // The camera moves as the followed body does, so that orbiting still works.
    private updateFollow(): void {
        const at = this.placeOf(this.session.follow.value);
        if (this.session.follow.value <= 0 || at === null || this.fitted.isEmpty()) {
            return; // nothing to follow, or no picture yet
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
