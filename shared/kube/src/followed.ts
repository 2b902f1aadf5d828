import type { Wake } from '@kopsctl/agent/wake.ts';
import type { KubeClient } from './client.ts';
import { followList } from './follow-list.ts';
import { asRecord, asString } from './json.ts';

/**
 * The objects of a collection that `parse` keeps. Rings at every change. While the collection is listed again, the
 * objects known before stay: the map is complete at any time after the first list.
 */
export class Followed<T> {
  readonly #path: string;
  readonly #parse: (object: unknown) => T | undefined;
  readonly #keyOf: (object: unknown) => string;
  readonly #known = new Map<string, T>();
  /** The keys that the list in progress has returned. */
  #listing: Set<string> | undefined;
  #isListed = false;

  /** @param keyOf the uid unless given: a name may be used again by another object */
  constructor(path: string, parse: (object: unknown) => T | undefined, keyOf: (object: unknown) => string = uidOf) {
    this.#path = path;
    this.#parse = parse;
    this.#keyOf = keyOf;
  }

  /** True once the collection has been listed completely. */
  get isListed(): boolean {
    return this.#isListed;
  }

  get byKey(): ReadonlyMap<string, T> {
    return this.#known;
  }

  /** Undefined until the collection has been listed completely. */
  get items(): readonly T[] | undefined {
    return this.#isListed ? [...this.#known.values()] : undefined;
  }

  async follow(kube: KubeClient, wake: Wake, signal: AbortSignal): Promise<void> {
    await followList(kube, this.#path, signal, (change) => {
      if (change.type === 'begin') this.#listing = new Set();
      else if (change.type === 'listed') this.#endList();
      else if (change.type === 'gone') this.#known.delete(this.#keyOf(change.object));
      else this.#keep(change.object);
      if (this.#listing === undefined) wake.ring();
    });
  }

  #endList(): void {
    for (const key of this.#known.keys()) if (this.#listing?.has(key) === false) this.#known.delete(key);
    this.#listing = undefined;
    this.#isListed = true;
  }

  #keep(object: unknown): void {
    const key = this.#keyOf(object);
    this.#listing?.add(key);
    const parsed = this.#parse(object);
    if (parsed === undefined) this.#known.delete(key);
    else this.#known.set(key, parsed);
  }
}

const metadataOf = (object: unknown) => asRecord(asRecord(object)['metadata']);

const uidOf = (object: unknown): string => asString(metadataOf(object)['uid']) ?? '';
