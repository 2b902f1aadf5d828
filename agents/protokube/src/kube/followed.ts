import type { Wake } from '@kopsctl/agent/wake.ts';
import type { KubeClient } from './client.ts';
import { followList } from './follow-list.ts';
import { asRecord, asString } from './json.ts';

/** The objects of a collection that matter, by their uid: a name may be given again. Rings at every change. */
export class Followed<T> {
  readonly #path: string;
  readonly #parse: (object: unknown) => T | undefined;
  readonly #known = new Map<string, T>();
  #isListed = false;

  constructor(path: string, parse: (object: unknown) => T | undefined) {
    this.#path = path;
    this.#parse = parse;
  }

  /** Undefined until all are known. */
  get items(): readonly T[] | undefined {
    return this.#isListed ? [...this.#known.values()] : undefined;
  }

  async follow(kube: KubeClient, wake: Wake, signal: AbortSignal): Promise<void> {
    await followList(kube, this.#path, signal, (change) => {
      if (change.type === 'begin') {
        this.#known.clear();
        this.#isListed = false;
      } else if (change.type === 'listed') this.#isListed = true;
      else if (change.type === 'gone') this.#known.delete(uidOf(change.object));
      else this.#keep(change.object);
      wake.ring();
    });
  }

  #keep(object: unknown): void {
    const parsed = this.#parse(object);
    if (parsed === undefined) this.#known.delete(uidOf(object));
    else this.#known.set(uidOf(object), parsed);
  }
}

const uidOf = (object: unknown): string => asString(asRecord(asRecord(object)['metadata'])['uid']) ?? '';
