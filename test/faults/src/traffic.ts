import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Etcd3, Watcher } from 'etcd3';
import { openClients, openRoamingClient, type Endpoints } from './clients.ts';
import type { History, Operation, Watched } from './history.ts';

interface Answered {
  readonly succeeded: boolean;
  readonly header: { readonly revision: string; readonly cluster_id: string };
}

const ANSWER_MS = 2_000;
/** Long enough for a broken connection to be made again. */
const LAST_MS = 30_000;
/** Short enough that faults hit some requests, and long enough for two processors. */
const PAUSE_MS = 100;

/**
 * Clients that write, read and watch through an independent library, and record what they see. The writer and the reader of
 * each key use one member after the other, so that every member is tested.
 */
export class Traffic {
  readonly #operations: Operation[] = [];
  readonly #watched: Watched[] = [];
  /** From every answer: a second cluster that was there only for a while has answered somebody. */
  readonly #clusterIds = new Set<string>();
  readonly #clients: readonly Etcd3[];
  readonly #watching: readonly Etcd3[];
  /** A prefix of its own, so that keys of earlier traffic do not matter. */
  readonly #prefix = `faults/${randomUUID()}`;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #watchers: Watcher[] = [];

  private constructor(clients: readonly Etcd3[], watching: readonly Etcd3[]) {
    this.#clients = clients;
    this.#watching = watching;
  }

  /** Starts the clients. Each key's events are watched from its first write on. */
  static async start(endpoints: Endpoints): Promise<Traffic> {
    const watching = await Promise.all(endpoints.urls.map(() => openRoamingClient(endpoints)));
    const traffic = new Traffic(await openClients(endpoints), watching);
    await traffic.#begin();
    return traffic;
  }

  /** Starts the clients, and waits until they have written. */
  static async flowing(endpoints: Endpoints, withinMs: number): Promise<Traffic> {
    const traffic = await Traffic.start(endpoints);
    await traffic.acknowledges(20, withinMs);
    return traffic;
  }

  async #begin(): Promise<void> {
    const { header } = await this.#client(0).get(this.#prefix).exec();
    const revision = Number(header.revision) + 1;
    for (const [index, client] of this.#watching.entries()) {
      const key = `${this.#prefix}/${index}`;
      const events: { key: string; value: number; revision: number }[] = [];
      this.#watched.push({ watcher: `watcher ${index}`, events });
      const watcher = client.watch().prefix(`${this.#prefix}/`).startRevision(String(revision)).watcher();
      watcher.on('put', (kv) => {
        events.push({ key: kv.key.toString(), value: Number(kv.value.toString()), revision: Number(kv.mod_revision) });
      });
      resumeWhereItWas(watcher, () => events.at(-1)?.revision ?? revision - 1);
      // A watcher that is cut off reconnects by itself.
      watcher.on('error', () => undefined);
      this.#watchers.push(watcher);
      this.#running.push(this.#write(key, index), this.#read(key, index));
    }
  }

  /**
   * Each write is conditional on the revision that the writer knows. A write whose answer was lost may still happen seconds
   * later. Without the condition it would overwrite a newer value, and the key would legitimately go back.
   */
  async #write(key: string, offset: number): Promise<void> {
    let revision: string | undefined = '0';
    let value = 1;
    for (let turn = offset; !this.#ended.signal.aborted; turn++) {
      await sleep(PAUSE_MS);
      const client = this.#client(turn);
      revision ??= await this.#revisionOf(key, client);
      if (revision === undefined) continue;
      const startMs = performance.now();
      const answer: Answered | undefined = await client
        .if(key, 'Mod', '==', revision)
        .then(client.put(key).value(value))
        .options({ deadline: Date.now() + ANSWER_MS })
        .commit()
        .catch(() => undefined);
      const ack = answer?.succeeded === true ? { ackMs: performance.now() } : {};
      const refusal = answer?.succeeded === false ? ({ isRefused: true } as const) : {};
      this.#operations.push({ type: 'write', key, value, startMs, ...ack, ...refusal });
      if (answer !== undefined) this.#clusterIds.add(answer.header.cluster_id);
      revision = answer?.succeeded === true ? answer.header.revision : undefined;
      value += 1;
    }
  }

  async #revisionOf(key: string, client: Etcd3): Promise<string | undefined> {
    const get = client.get(key).options({ deadline: Date.now() + ANSWER_MS });
    const answer = await get.exec().catch(() => undefined);
    if (answer !== undefined) this.#clusterIds.add(answer.header.cluster_id);
    return answer && (answer.kvs[0]?.mod_revision ?? '0');
  }

  async #read(key: string, offset: number): Promise<void> {
    for (let turn = offset + 1; !this.#ended.signal.aborted; turn++) {
      const startMs = performance.now();
      const get = this.#client(turn)
        .get(key)
        .options({ deadline: Date.now() + ANSWER_MS });
      const text = await get.string().catch(() => undefined);
      if (text !== undefined) {
        this.#operations.push({ type: 'read', key, value: Number(text ?? 0), startMs, endMs: performance.now() });
      }
      await sleep(PAUSE_MS);
    }
  }

  #client(turn: number): Etcd3 {
    const client = this.#clients[turn % this.#clients.length];
    if (client === undefined) throw new Error('there are no clients');
    return client;
  }

  /** How many writes have been acknowledged so far. */
  get acknowledged(): number {
    return this.#operations.filter((one) => one.type === 'write' && one.ackMs !== undefined).length;
  }

  /** Waits until that many more writes are acknowledged. */
  async acknowledges(more: number, withinMs: number): Promise<void> {
    const goal = this.acknowledged + more;
    const deadline = performance.now() + withinMs;
    while (this.acknowledged < goal) {
      if (performance.now() > deadline)
        throw new Error(
          `only ${more - (goal - this.acknowledged)} of ${more} writes were acknowledged within ${withinMs} ms`,
        );
      await sleep(20);
    }
  }

  /** Stops the clients, reads every key once more, waits for the watchers, and resolves with everything that was seen. */
  async end(clusterIds: readonly string[]): Promise<History> {
    this.#ended.abort();
    await Promise.all(this.#running);
    const last = new Map<string, number>();
    for (const index of this.#clients.keys()) {
      const key = `${this.#prefix}/${index}`;
      const read = await this.#lastRead(key);
      last.set(key, read.value);
      this.#operations.push(read);
    }
    const deadlineMs = performance.now() + LAST_MS;
    while (!this.#watchersHaveSeen(last) && performance.now() < deadlineMs) await sleep(100);
    await Promise.all(this.#watchers.map((watcher) => watcher.cancel().catch(() => undefined)));
    for (const client of [...this.#clients, ...this.#watching]) client.close();
    return {
      operations: this.#operations,
      watched: this.#watched,
      clusterIds: [...this.#clusterIds, ...clusterIds],
    };
  }

  /** Asks one member after the other, because some may be gone for good. */
  async #lastRead(key: string): Promise<Extract<Operation, { type: 'read' }>> {
    const deadlineMs = performance.now() + LAST_MS;
    for (let turn = 0; ; turn++) {
      const startMs = performance.now();
      const get = this.#client(turn).get(key);
      try {
        const text = await get.options({ deadline: Date.now() + ANSWER_MS }).string();
        return { type: 'read', key, value: Number(text ?? 0), startMs, endMs: performance.now() };
      } catch (error) {
        if (performance.now() > deadlineMs) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  #watchersHaveSeen(last: ReadonlyMap<string, number>): boolean {
    return this.#watched.every(({ events }) =>
      [...last].every(([key, value]) => events.some((event) => event.key === key && event.value >= value)),
    );
  }
}

/**
 * Works around a bug of etcd3 1.1.2, which resumes a watch from the revision in etcd's answer to "watch", although the
 * events up to that revision have not arrived yet. If the connection breaks at that moment, they never arrive.
 */
function resumeWhereItWas(watcher: Watcher, lastSeen: () => number): void {
  const { request } = watcher;
  const resume = (): void => {
    request.start_revision = String(lastSeen() + 1);
  };
  watcher.on('connected', resume);
  watcher.on('data', resume);
}
