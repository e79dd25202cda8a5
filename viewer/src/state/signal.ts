// A value that others can listen to.

export type Listener<T> = (value: T) => void;

export class Signal<T> {
    private readonly listeners = new Set<Listener<T>>();

    constructor(private current: T) {}

    get value(): T {
        return this.current;
    }

    set value(next: T) {
        if (Object.is(next, this.current)) {
            return;
        }
        this.current = next;
        this.emit();
    }

    /** Calls the listener now and at every change; returns what ends this. */
    watch(listener: Listener<T>): () => void {
        listener(this.current);
        return this.on(listener);
    }

    /** Calls the listener at every change; returns what ends this. */
    on(listener: Listener<T>): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    emit(): void {
        for (const listener of this.listeners) {
            listener(this.current);
        }
    }
}
