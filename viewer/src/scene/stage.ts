// Camera, light and canvas. Draws when asked; while the motion plays on a slow machine it lowers the
// resolution rather than the number of frames, and draws sharply again when the motion stops.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const SLOW = 30; // ms of a frame above which the resolution falls
const FAST = 14; // ms below which it rises again
const COARSEST = 0.5;
const ROOM = 1.17; // of the picture over what it must hold

// Smooth edges cost four times the pixels, which a processor that draws by itself does not have to
// spare. Asked of a canvas of its own: the answer decides how the real one is made.
function drawnInSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

// What is near looks larger: moves the middle to where as much is seen on its left as on its right.
function centre(seen: THREE.Vector3[], middle: THREE.Vector3, distance: number): void {
    const box = new THREE.Box2();
    const at = new THREE.Vector2();
    for (const { x, y, z } of seen) {
        const depth = Math.max(1e-3 * distance, distance - (z - middle.z));
        box.expandByPoint(at.set((x - middle.x) / depth, (y - middle.y) / depth));
    }
    box.getCenter(at);
    middle.x += at.x * distance;
    middle.y += at.y * distance;
}

export class Stage {
    readonly scene = new THREE.Scene();
    readonly camera: THREE.PerspectiveCamera;
    readonly controls: OrbitControls;
    private readonly renderer: THREE.WebGLRenderer;
    /** Whether much of the picture is lines of one pixel. */
    lines = false;
    private readonly software: boolean;
    /** px on either side that tools and legends cover: pictures are centred in what is left. */
    readonly inset = { left: 52, right: 0 };
    private ratio = 1;
    private quality = 1;
    private smooth = 0;

    /** Throws when the browser has no WebGL. */
    constructor(readonly canvas: HTMLCanvasElement, up: THREE.Vector3) {
        this.software = drawnInSoftware();
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software, stencil: true });
        this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
        this.camera.up.copy(up);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        this.addLights(up);
    }

    // Bright from above and dim from below, as under the sky; the strongest light from over the left
    // shoulder wherever one stands, a weak cool one from the right so that no side is lost.
    private addLights(up: THREE.Vector3): void {
        const sky = new THREE.HemisphereLight("#ffffff", "#77808c", 1.25);
        sky.position.copy(up);
        this.scene.add(sky, this.camera);
        const lights: [string, number, THREE.Vector3Tuple][] = [["#fffaf2", 2.2, [-0.9, 1, 0.8]], ["#e4edff", 0.5, [1, -0.1, 0.8]]];
        for (const [color, strength, from] of lights) {
            const light = new THREE.DirectionalLight(color, strength);
            light.position.set(...from);
            light.target.position.set(0, 0, 0);
            this.camera.add(light, light.target);
        }
    }

    resize(width: number, height: number): void {
        if (width === 0 || height === 0) {
            return;
        }
        this.ratio = Math.min(2, window.devicePixelRatio || 1);
        this.camera.aspect = width / height;
        const { left, right } = this.covered(width);
        this.camera.setViewOffset(width, height, (right - left) / 2, 0, width, height);
        this.renderer.setPixelRatio(this.ratio * this.quality);
        this.renderer.setSize(width, height, false);
    }

    setBackground(color: string): void {
        this.scene.background = new THREE.Color(color);
    }

    render(): void {
        this.renderer.render(this.scene, this.camera);
    }

    /** Keeps the frame rate while playing; ms is the time from frame to frame. */
    adapt(ms: number): boolean {
        this.smooth = this.smooth === 0 ? ms : 0.9 * this.smooth + 0.1 * ms;
        if (this.smooth > SLOW && this.quality > COARSEST) {
            return this.setQuality(Math.max(COARSEST, this.quality * 0.85));
        }
        if (this.smooth < FAST && this.quality < 1) {
            return this.setQuality(Math.min(1, this.quality * 1.1));
        }
        return false;
    }

    /** The best resolution for a picture at rest; true when that is another one. */
    rest(): boolean {
        // twice as fine where the card does not smooth edges itself; lines would get too fine
        return this.setQuality(this.software && !this.lines ? 2 / this.ratio : 1);
    }

    /** Not more than full resolution while something moves. */
    move(): void {
        this.setQuality(Math.min(1, this.quality));
    }

    /** Looks from a direction at points so that all of them are in the picture. */
    fit(points: THREE.Vector3[], size: number, toward: THREE.Vector3): void {
        const { camera, controls } = this;
        const right = new THREE.Vector3().crossVectors(camera.up, toward).normalize();
        const top = new THREE.Vector3().crossVectors(toward, right);
        const seen = points.map((p) => new THREE.Vector3(p.dot(right), p.dot(top), p.dot(toward)));
        const middle = new THREE.Box3().setFromPoints(seen).getCenter(new THREE.Vector3());
        let distance = this.distance(seen, middle) + 1e-9 * size;
        for (let k = 0; k < 4; ++k) {
            centre(seen, middle, distance);
            distance = this.distance(seen, middle) + 1e-9 * size;
        }
        controls.target
            .copy(right).multiplyScalar(middle.x)
            .addScaledVector(top, middle.y)
            .addScaledVector(toward, middle.z);
        this.place(controls.target.clone().addScaledVector(toward, distance), controls.target.clone(), size);
    }

    /** Looks from a place at another. */
    place(eye: THREE.Vector3, target: THREE.Vector3, size: number): void {
        const distance = Math.max(1e-9 * size, eye.distanceTo(target));
        this.camera.position.copy(eye);
        this.controls.target.copy(target);
        this.camera.near = distance / 500;
        this.camera.far = distance + 30 * size;
        this.camera.updateProjectionMatrix();
        this.controls.update();
    }

    /** Point of the page, in px of the canvas, of a place in space. */
    project(x: number, y: number, z: number): [number, number, number] {
        const at = new THREE.Vector3(x, y, z).project(this.camera);
        const { clientWidth, clientHeight } = this.canvas;
        return [((at.x + 1) / 2) * clientWidth, ((1 - at.y) / 2) * clientHeight, at.z];
    }

    ray(x: number, y: number): THREE.Raycaster {
        const { clientWidth, clientHeight } = this.canvas;
        const ray = new THREE.Raycaster();
        const at = new THREE.Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight);
        ray.setFromCamera(at, this.camera);
        return ray;
    }

    // The nearest distance from the middle at which all points are inside the picture; a twelfth of
    // room is left on all sides.
    private distance(seen: THREE.Vector3[], middle: THREE.Vector3): number {
        const vertical = Math.tan((this.camera.fov * Math.PI) / 360) / ROOM;
        const { clientWidth, clientHeight } = this.canvas;
        const { left, right } = this.covered(clientWidth);
        const free = clientWidth - left - right;
        const horizontal = vertical * (clientHeight > 0 ? free / clientHeight : this.camera.aspect);
        let distance = 0;
        for (const { x, y, z } of seen) {
            const needed = Math.max(Math.abs(x - middle.x) / horizontal, Math.abs(y - middle.y) / vertical);
            distance = Math.max(distance, z - middle.z + needed);
        }
        return distance;
    }

    // On a narrow page there is no room to give away.
    private covered(width: number): { left: number; right: number } {
        const { left, right } = this.inset;
        return width > 4 * (left + right) ? this.inset : { left: 0, right: 0 };
    }

    private setQuality(quality: number): boolean {
        if (quality === this.quality) {
            return false;
        }
        this.quality = quality;
        this.smooth = 0;
        this.resize(this.canvas.clientWidth, this.canvas.clientHeight);
        return true;
    }
}
