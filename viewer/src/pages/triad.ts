// The three axes in the corner of the picture; a click on one looks along it.
import * as THREE from "three";
import type { World } from "../scene/world.ts";
import { svg } from "../ui/dom.ts";

const AXES: { name: string; direction: [number, number, number]; color: string }[] = [
    { name: "x", direction: [1, 0, 0], color: "var(--axis-x)" },
    { name: "y", direction: [0, 1, 0], color: "var(--axis-y)" },
    { name: "z", direction: [0, 0, 1], color: "var(--axis-z)" },
];

export class Triad {
    readonly element: SVGSVGElement;
    private readonly shown = new THREE.Quaternion(0, 0, 0, 0);
    private readonly arms: { line: SVGLineElement; label: SVGGElement; direction: THREE.Vector3 }[];

    constructor(private readonly world: World) {
        this.element = svg("svg", { class: "triad", viewBox: "-40 -40 80 80", role: "group", "aria-label": "axes" });
        this.arms = AXES.map(({ name, direction, color }) => {
            const line = svg("line", { stroke: color, "stroke-width": 2, x1: 0, y1: 0 });
            const label = svg("g", { class: "triad-axis", tabindex: 0, role: "button", "aria-label": `look along ${name}` },
                svg("circle", { r: 8, fill: color }),
                svg("text", { "text-anchor": "middle", y: 3.5 }, name));
            const look = () => this.look(direction);
            label.addEventListener("click", look);
            label.addEventListener("keydown", (event) => {
                if (event.key === "Enter") {
                    look();
                }
            });
            this.element.append(line, label);
            return { line, label, direction: new THREE.Vector3(...direction) };
        });
    }

    update(): void {
        if (this.shown.equals(this.world.stage.camera.quaternion)) {
            return;
        }
        this.shown.copy(this.world.stage.camera.quaternion);
        const turn = this.world.stage.camera.quaternion.clone().invert();
        const seen = this.arms.map((arm) => ({ arm, at: arm.direction.clone().applyQuaternion(turn) }));
        seen.sort((a, b) => a.at.z - b.at.z); // nearest last, on top
        for (const { arm, at } of seen) {
            const x = 27 * at.x;
            const y = -27 * at.y;
            arm.line.setAttribute("x2", x.toFixed(1));
            arm.line.setAttribute("y2", y.toFixed(1));
            arm.label.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        }
    }

    private look(direction: [number, number, number]): void {
        const from = new THREE.Vector3(...direction);
        const { camera } = this.world.stage;
        // straight from above the orbit would not know where up is
        if (Math.abs(from.dot(camera.up)) > 0.99) {
            from.addScaledVector(new THREE.Vector3(0.3, 0.7, 0.5).cross(camera.up), 0.002).normalize();
        }
        this.world.look(from);
    }
}
