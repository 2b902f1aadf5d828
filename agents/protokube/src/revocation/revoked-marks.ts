import type { Log } from '@kopsctl/agent/log.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { nodeOfEnrolmentPath, nodesFolder, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RevokedNode } from './plan-revocation.ts';

/** Enough to hide the latency of a store: the first look of a leader reads all enrolments. */
const AT_ONCE = 16;

/** The revoked nodes, as the state store has them. A look costs a listing, and a read for each enrolment that changed. */
export class RevokedMarks {
  readonly #cluster: string;
  readonly #store: StateStore;
  readonly #log: Log;
  /** By path: the version that was read, and the node if that says it is revoked. */
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(cluster: string, store: StateStore, log: Log) {
    this.#cluster = cluster;
    this.#store = store;
    this.#log = log;
  }

  async read(signal: AbortSignal): Promise<readonly RevokedNode[]> {
    const entries = await this.#store.list(nodesFolder(this.#cluster), signal);
    const enrolments = entries.filter(({ path }) => nodeOfEnrolmentPath(this.#cluster, path) !== undefined);
    const known = new Map<string, Known>();
    for (let from = 0; from < enrolments.length; from += AT_ONCE) {
      const some = enrolments.slice(from, from + AT_ONCE).map(async ({ path, version }) => {
        const before = this.#known.get(path);
        const now = before?.version === version ? before : await this.#readOne(path, signal);
        if (now !== undefined) known.set(path, now);
      });
      await Promise.all(some);
    }
    this.#known = known;
    return [...known.values()].flatMap(({ revoked }) => revoked ?? []);
  }

  async #readOne(path: string, signal: AbortSignal): Promise<Known | undefined> {
    const stored = await this.#store.read(path, signal);
    if (stored === undefined) return undefined;
    const { version } = stored;
    try {
      const { node, revokedAt } = parseEnrolment(Buffer.from(stored.bytes).toString('utf8'));
      return { version, revoked: revokedAt === undefined ? undefined : { node, revokedAt } };
    } catch (error) {
      // Authorities give nothing to a machine whose enrolment they cannot read. The others are looked after.
      this.#log.error('enrolment is not readable', { path, error: messageOf(error) });
      return { version, revoked: undefined };
    }
  }
}

interface Known {
  readonly version: string;
  readonly revoked: RevokedNode | undefined;
}
