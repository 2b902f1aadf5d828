/** The object behind each view, so that one may be read without a trace. */
const BEHIND = new WeakMap<object, object>();

export interface WatchedObject<T extends object> {
  /** Looks and behaves as the object, and must not be changed. */
  readonly view: T;
  /**
   * Whether the value at a path was read through the view: a single value, an entry of a list of them, or whether a field
   * is there. To pass an object on is not to read it.
   */
  wasRead(path: readonly (string | number)[]): boolean;
}

/** Watches which values of an object are read. */
export function watchReads<T extends object>(object: T): WatchedObject<T> {
  const read = new Map<object, Set<string>>();
  const views = new WeakMap<object, object>();

  const note = (at: object, key: string | symbol): void => {
    if (typeof key === 'symbol') return;
    const keys = read.get(at);
    if (keys === undefined) read.set(at, new Set([key]));
    else keys.add(key);
  };

  function viewOf(value: object): object {
    const known = views.get(value);
    if (known !== undefined) return known;
    const view = new Proxy(value, {
      get(target, key, receiver) {
        const found: unknown = Reflect.get(target, key, receiver);
        note(target, key);
        return typeof found === 'object' && found !== null ? viewOf(found) : found;
      },
      has(target, key) {
        note(target, key);
        return Reflect.has(target, key);
      },
    });
    views.set(value, view);
    BEHIND.set(view, value);
    return view;
  }

  return {
    view: viewOf(object) as T,
    wasRead(path) {
      let at: unknown = object;
      for (const [index, part] of path.entries()) {
        if (typeof at !== 'object' || at === null) return false;
        const value: unknown = Reflect.get(at, part);
        if (index < path.length - 1) at = value;
        else if (Array.isArray(value) && value.length > 0) return read.has(value);
        else return read.get(at)?.has(String(part)) === true;
      }
      return false;
    },
  };
}

/** The object itself, where it is a view: for whoever writes all of it down, which is not to act on it. */
export const unwatched = <T extends object>(object: T): T => (BEHIND.get(object) as T | undefined) ?? object;
