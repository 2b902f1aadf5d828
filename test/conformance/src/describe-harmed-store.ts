import { createHash } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { isLong, often } from '@kopsctl/test-suite/long.ts';
import { append, readLog } from './appended-log.ts';
import { HARMS, startHarmfulProxy, type Harm, type HarmfulProxy, type Overloaded } from './harmful-proxy.ts';

export interface HarmedServer {
  readonly endpoint: string;
  readonly overloaded: Overloaded;
  /** Opens a store in a folder of its own for each number. A server may stay silent for `silenceMs`. */
  open(endpoint: string, number: number, silenceMs: number): StateStore;
}

const WRITERS = 4;
const ENTRIES = 8;
const PIECE_BYTES = 1024 * 1024;
/** One more than S3 gets in one part (8 MiB), so that there are two. */
const PIECES = 9;
const CREATE = { ifAbsent: true } as const;
/** One request in this many is harmed. */
const SPARED = 2;
const GIVE_UP_MS = 90_000;
/** Short, so that a silent server costs little, and long enough for a real one on a busy machine. */
const SILENCE_MS = 2_000;

let stores = 0;

/** Faults of the network between a store and a real server: what the store says of a write has to be true in any case. */
export function describeHarmedStore(name: string, server: HarmedServer): void {
  describe(`State store over a network that fails: ${name}`, () => {
    let proxy: HarmfulProxy;
    let store: StateStore;
    let direct: StateStore;
    // A server loads much of itself with its first write, which takes longer than a server may stay silent.
    beforeAll(() => server.open(server.endpoint, 0, GIVE_UP_MS).write('demo/first', Buffer.from('x'), CREATE));
    beforeEach(async () => {
      stores += 1;
      proxy = await startHarmfulProxy(server.endpoint, server.overloaded);
      store = server.open(proxy.endpoint, stores, SILENCE_MS);
      direct = server.open(server.endpoint, stores, GIVE_UP_MS);
      // Before its first write a store may find out what the server can do.
      await store.write('demo/first', Buffer.from('x'), CREATE);
    });
    afterEach(() => proxy.stop());

    /** The first request with this method meets the harm. */
    const once = (method: string, harm: Harm): void => {
      let isOver = false;
      proxy.harm((asked) => {
        if (isOver || asked !== method) return 'none';
        isOver = true;
        return harm;
      });
    };
    const writing = name.startsWith('gcs') ? 'POST' : 'PUT';

    test.each(['refused', 'cut request', 'lost answer', 'cut answer', 'failed afterwards', 'silent'] as const)(
      'a write that is %s is made once, and is not a conflict with itself',
      async (harm) => {
        once(writing, harm);
        const made = await store.write('demo/config', Buffer.from('first'), CREATE);
        expect(proxy.met.get(harm)).toBe(1);
        expect(await direct.read('demo/config')).toMatchObject({ version: made.version });
        once(writing, harm);
        const replaced = await store.write('demo/config', Buffer.from('second'), { ifVersion: made.version });
        const there = await direct.read('demo/config');
        expect([there?.version, Buffer.from(there?.bytes ?? []).toString()]).toEqual([replaced.version, 'second']);
      },
    );

    test('a write that something on the way repeats is made once', async () => {
      once(writing, 'repeated');
      // The second of two equal requests meets the first one. A reader finds what was written.
      const told = await store.write('demo/config', Buffer.from('first'), CREATE).catch((error: unknown) => error);
      expect(told instanceof Error && !(told instanceof ConflictError)).toBe(false);
      expect(Buffer.from((await direct.read('demo/config'))?.bytes ?? []).toString()).toBe('first');
    });

    test.each(['lost answer', 'failed afterwards'] as const)(
      'a conflict with another writer stays one, also when the answer to the first try is %s',
      async (harm) => {
        await direct.write('demo/config', Buffer.from('theirs'), CREATE);
        once(writing, harm);
        await expect(store.write('demo/config', Buffer.from('ours'), CREATE)).rejects.toBeInstanceOf(ConflictError);
        expect(Buffer.from((await direct.read('demo/config'))?.bytes ?? []).toString()).toBe('theirs');
      },
    );

    test.each(['refused', 'lost answer', 'failed afterwards', 'repeated', 'silent'] as const)(
      'a deletion that is %s is done',
      async (harm) => {
        await direct.write('demo/config', Buffer.from('x'), CREATE);
        once('DELETE', harm);
        await store.delete('demo/config');
        expect(await direct.read('demo/config')).toBeUndefined();
      },
    );

    test.each(HARMS)('a read that is %s gives what is there, or fails', async (harm) => {
      const bytes = Buffer.alloc(300_000, 'content ');
      await direct.write('demo/config', bytes, CREATE);
      const found: number[] = [];
      const listed: (readonly string[])[] = [];
      for (let nth = 0; nth < 3; nth += 1) {
        let seen = 0;
        proxy.harm((method) => (method === 'GET' && seen++ === nth ? harm : 'none'));
        const read = await store.read('demo/config').catch(() => ({ bytes }));
        found.push(Buffer.compare(read?.bytes ?? new Uint8Array(), bytes));
        const entries = await store.list('demo').catch(() => undefined);
        listed.push(entries?.map(({ path }) => path) ?? ['demo/config', 'demo/first']);
      }
      expect(found).toEqual([0, 0, 0]);
      expect(listed).toEqual(Array.from({ length: 3 }, () => ['demo/config', 'demo/first']));
    });

    test.each(HARMS)('a stream that is %s arrives whole or not at all', async (harm) => {
      const whole = await hashOf(pieces(PIECES));
      const outcomes: { readonly isWhole: boolean; readonly isAsTold: boolean }[] = [];
      for (const nth of harmedRequests(harm)) {
        const path = `demo/stream-${nth}`;
        let seen = 0;
        proxy.harm((method) => (method === 'GET' || method === 'HEAD' || seen++ !== nth ? 'none' : harm));
        const written = await store.writeStream(path, pieces(PIECES), CREATE).catch(() => undefined);
        proxy.harm(() => 'none');
        const there = await direct.readStream(path);
        outcomes.push({
          isWhole: there === undefined || (await hashOf(there.chunks)) === whole,
          isAsTold: written === undefined || written.version === there?.version,
        });
      }
      expect(outcomes).toEqual(outcomes.map(() => ({ isWhole: true, isAsTold: true })));
    });

    test.each(Array.from({ length: often(1, 20) }, (_, seed) => seed))(
      'of what several writers append while requests fail nothing is lost and nothing is there twice (seed %d)',
      async (seed) => {
        const random = numbersFrom(seed);
        proxy.harm(() => (random() % SPARED === 0 ? (HARMS[random() % HARMS.length] ?? 'none') : 'none'));
        const giveUp = AbortSignal.timeout(GIVE_UP_MS);
        const entries = Array.from({ length: WRITERS }, (_, writer) =>
          Array.from({ length: ENTRIES }, (__, entry) => `${writer}-${entry}`),
        );
        await Promise.all(
          entries.map(async (own) => {
            for (const entry of own) await append(store, entry, giveUp);
          }),
        );
        proxy.harm(() => 'none');
        const log = await readLog(direct);
        expect(log.toSorted()).toEqual(entries.flat().toSorted());
        // Each writer goes on only once an entry is written, so its entries are in their order.
        for (const own of entries) expect(log.filter((entry) => own.includes(entry))).toEqual(own);
      },
    );
  });
}

/** Which request of an upload is harmed, one after the other: every second one, the others with the next harm; all in the long run. */
const harmedRequests = (harm: Harm): readonly number[] =>
  [0, 1, 2, 3].filter((nth) => isLong || (nth + HARMS.indexOf(harm)) % 2 === 0);

/** A small generator (Numerical Recipes), so that a seed tells what happened. */
function numbersFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(PIECE_BYTES, `${index}`);
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
