// Camera, light and canvas. Draws when asked; while the motion plays on a slow machine it lowers the
// resolution rather than the number of frames, and draws sharply again when the motion stops.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const SLOW = 30; // ms of a frame above which the resolution falls
const FAST = 14; // ms below which it rises again
const COARSEST = 0.5;

// Smooth edges cost four times the pixels, which a processor that draws by itself does not have to
// spare. Asked of a canvas of its own: the answer decides how the real one is made.
function drawnInSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

export class Stage {
    readonly scene = new THREE.Scene();
    readonly camera: THREE.PerspectiveCamera;
    readonly controls: OrbitControls;
    private readonly renderer: THREE.WebGLRenderer;
    private readonly light = new THREE.DirectionalLight("#ffffff", 2.1);
    private readonly software: boolean;
    private ratio = 1;
    private quality = 1;
    private smooth = 0;

    /** Throws when the browser has no WebGL. */
    constructor(readonly canvas: HTMLCanvasElement, up: THREE.Vector3) {
        this.software = drawnInSoftware();
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software });
        this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
        this.camera.up.copy(up);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        this.scene.add(new THREE.HemisphereLight("#ffffff", "#7d8790", 1.5));
        this.scene.add(this.camera);
        // light from over the left shoulder, wherever one stands
        this.light.position.set(-0.6, 0.9, 0.8);
        this.camera.add(this.light);
        this.camera.add(this.light.target);
        this.light.target.position.set(0, 0, -1);
    }

    resize(width: number, height: number): void {
        if (width === 0 || height === 0) {
            return;
        }
        this.ratio = Math.min(2, window.devicePixelRatio || 1);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
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
        // twice as fine where the card does not smooth edges itself
        return this.setQuality(this.software ? 2 / this.ratio : 1);
    }

    /** Not more than full resolution while something moves. */
    move(): void {
        this.setQuality(Math.min(1, this.quality));
    }

    fit(box: THREE.Box3, direction: THREE.Vector3 | null): void {
        const sphere = box.getBoundingSphere(new THREE.Sphere());
        const radius = Math.max(sphere.radius, 1e-9);
        const { camera, controls } = this;
        const toward =
            direction ?? camera.position.clone().sub(controls.target).normalize();
        const vertical = (camera.fov * Math.PI) / 360;
        const horizontal = Math.atan(Math.tan(vertical) * camera.aspect);
        const distance = this.distance(box, toward, vertical, horizontal) ?? radius / Math.sin(vertical);
        controls.target.copy(sphere.center);
        camera.position.copy(sphere.center).addScaledVector(toward, distance);
        camera.near = distance / 500;
        camera.far = distance + 60 * radius;
        camera.updateProjectionMatrix();
        controls.update();
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

    // The nearest distance at which all corners of the box are inside the picture.
    private distance(
        box: THREE.Box3,
        toward: THREE.Vector3,
        vertical: number,
        horizontal: number,
    ): number | null {
        const center = box.getCenter(new THREE.Vector3());
        const right = new THREE.Vector3().crossVectors(this.camera.up, toward);
        if (right.lengthSq() < 1e-9) {
            return null;
        }
        right.normalize();
        const top = new THREE.Vector3().crossVectors(toward, right);
        let distance = 0;
        for (let k = 0; k < 8; ++k) {
            const corner = new THREE.Vector3(
                k & 1 ? box.max.x : box.min.x,
                k & 2 ? box.max.y : box.min.y,
                k & 4 ? box.max.z : box.min.z,
            ).sub(center);
            const depth = corner.dot(toward);
            const needed = Math.max(
                Math.abs(corner.dot(right)) / Math.tan(horizontal),
                Math.abs(corner.dot(top)) / Math.tan(vertical),
            );
            distance = Math.max(distance, depth + needed);
        }
        return 1.12 * distance;
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
