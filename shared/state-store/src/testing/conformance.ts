import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StateStore } from '../store.ts';
import { ConflictError } from '../store.ts';

export interface StoreUnderTest {
  /** An empty store. */
  readonly store: StateStore;
  /** The same store as another process would open it; for races. */
  readonly another: StateStore;
  close(): Promise<void>;
}

const text = (value: string) => new TextEncoder().encode(value);
const CREATE = { ifAbsent: true } as const;

/** Registers the one suite that every backend passes. */
export function describeStateStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`State store: ${name}`, () => {
    let opened: StoreUnderTest;
    let store: StateStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    test('what is not there is undefined, and deleting it is fine', async () => {
      expect(await store.read('demo/config')).toBeUndefined();
      await store.delete('demo/config');
      await store.delete('demo/config', { ifVersion: 'any' });
      expect(await store.list('')).toEqual([]);
    });

    test('reads back what was written, with the version that the write gave', async () => {
      const { version } = await store.write('demo/config', text('spec'), CREATE);
      const stored = await store.read('demo/config');
      expect(stored?.version).toBe(version);
      expect(Buffer.from(stored?.bytes ?? []).toString()).toBe('spec');
      expect((await opened.another.read('demo/config'))?.version).toBe(version);
    });

    test('creates only where nothing is', async () => {
      await store.write('demo/config', text('first'), CREATE);
      await expect(store.write('demo/config', text('second'), CREATE)).rejects.toBeInstanceOf(ConflictError);
      expect(Buffer.from((await store.read('demo/config'))?.bytes ?? []).toString()).toBe('first');
    });

    test('replaces only the version that was named', async () => {
      const first = await store.write('demo/config', text('first'), CREATE);
      const second = await store.write('demo/config', text('second'), { ifVersion: first.version });
      const stale = store.write('demo/config', text('third'), { ifVersion: first.version });
      await expect(stale).rejects.toBeInstanceOf(ConflictError);
      expect((await store.read('demo/config'))?.version).toBe(second.version);
      const absent = store.write('demo/other', text('x'), { ifVersion: first.version });
      await expect(absent).rejects.toBeInstanceOf(ConflictError);
      expect(await store.read('demo/other')).toBeUndefined();
    });

    test('deletes only the version that was named, when one is', async () => {
      const first = await store.write('demo/config', text('first'), CREATE);
      const second = await store.write('demo/config', text('second'), { ifVersion: first.version });
      await expect(store.delete('demo/config', { ifVersion: first.version })).rejects.toBeInstanceOf(ConflictError);
      await store.delete('demo/config', { ifVersion: second.version });
      expect(await store.read('demo/config')).toBeUndefined();
      await store.write('demo/config', text('again'), CREATE);
      await store.delete('demo/config');
      expect(await store.list('')).toEqual([]);
    });

    test('of many that create at once exactly one wins, and its bytes stay', async () => {
      for (let round = 0; round < 5; round += 1) {
        const path = `demo/race-${round}`;
        const wins = await race(opened, (racer, who) => racer.write(path, text(who), CREATE));
        expect(wins).toHaveLength(1);
        expect(Buffer.from((await store.read(path))?.bytes ?? []).toString()).toBe(wins[0]);
      }
    });

    test('of many that replace one version at once exactly one wins, and its bytes stay', async () => {
      let { version } = await store.write('demo/race', text('start'), CREATE);
      for (let round = 0; round < 5; round += 1) {
        const wins = await race(opened, (racer, who) =>
          racer.write('demo/race', text(`${round} ${who}`), { ifVersion: version }),
        );
        expect(wins).toHaveLength(1);
        const stored = await store.read('demo/race');
        expect(Buffer.from(stored?.bytes ?? []).toString()).toBe(`${round} ${wins[0]}`);
        version = stored?.version ?? '';
      }
    });

    test('lists what is below a folder, sorted by bytes, with size and version', async () => {
      const paths = ['b', 'a/c', 'a/b/d', 'ab/x', 'a.b', 'A', 'a/ü', 'a/-'];
      for (const path of paths) await store.write(path, text(path), CREATE);
      const all = await store.list('');
      expect(all.map((entry) => entry.path)).toEqual(['A', 'a.b', 'a/-', 'a/b/d', 'a/c', 'a/ü', 'ab/x', 'b']);
      expect((await store.list('a')).map((entry) => entry.path)).toEqual(['a/-', 'a/b/d', 'a/c', 'a/ü']);
      expect((await store.list('a/')).map((entry) => entry.path)).toEqual(['a/-', 'a/b/d', 'a/c', 'a/ü']);
      expect((await store.list('a/b')).map((entry) => entry.path)).toEqual(['a/b/d']);
      expect(await store.list('a/b/d')).toEqual([]);
      expect(await store.list('none')).toEqual([]);
      const entry = all.find((found) => found.path === 'a/ü');
      expect(entry?.size).toBe(Buffer.byteLength('a/ü'));
      expect(entry?.version).toBe((await store.read('a/ü'))?.version);
      expect(entry?.modifiedMs).toBeGreaterThan(0);
    });

    test('holds empty objects and large ones', async () => {
      const large = Uint8Array.from({ length: 5 * 1024 * 1024 }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
      await store.write('demo/empty', new Uint8Array(), CREATE);
      await store.write('demo/large', large, CREATE);
      expect((await store.read('demo/empty'))?.bytes.byteLength).toBe(0);
      expect(Buffer.compare((await store.read('demo/large'))?.bytes ?? new Uint8Array(), large)).toBe(0);
      expect((await store.list('demo')).map((entry) => entry.size)).toEqual([0, large.byteLength]);
    });

    test('streams in what does not belong into memory, and out again', async () => {
      // More than two parts of a multipart upload.
      const { version } = await store.writeStream('demo/stream', pieces(20), CREATE);
      const stored = await opened.another.readStream('demo/stream');
      expect(stored?.version).toBe(version);
      expect(stored?.size).toBe(20 * PIECE_BYTES);
      expect(await hashOf(stored?.chunks ?? [])).toBe(await hashOf(pieces(20)));
      expect((await store.list('')).map((entry) => [entry.path, entry.size, entry.version])).toEqual([
        ['demo/stream', 20 * PIECE_BYTES, version],
      ]);
      expect((await store.read('demo/stream'))?.version).toBe(version);
      expect(await store.readStream('demo/none')).toBeUndefined();
    });

    test('streams also what is small or empty', async () => {
      await store.writeStream('demo/empty', pieces(0), CREATE);
      expect((await store.readStream('demo/empty'))?.size).toBe(0);
      const small = await store.writeStream('demo/small', Readable.from([text('a'), text('bc')]), CREATE);
      const stored = await store.readStream('demo/small');
      expect(stored?.version).toBe(small.version);
      expect(await hashOf(stored?.chunks ?? [])).toBe(await hashOf([text('abc')]));
      await store.write('demo/small', text('next'), { ifVersion: small.version });
    });

    test.each([1, 12])('a stream of %d MiB is held to its condition', async (count) => {
      const first = await store.writeStream('demo/stream', pieces(count), CREATE);
      await expect(store.writeStream('demo/stream', pieces(count), CREATE)).rejects.toBeInstanceOf(ConflictError);
      const second = await store.writeStream('demo/stream', pieces(count, 1), { ifVersion: first.version });
      const stale = store.writeStream('demo/stream', pieces(count), { ifVersion: first.version });
      await expect(stale).rejects.toBeInstanceOf(ConflictError);
      expect((await store.list('')).map((entry) => entry.version)).toEqual([second.version]);
      const absent = store.writeStream('demo/other', pieces(count), { ifVersion: first.version });
      await expect(absent).rejects.toBeInstanceOf(ConflictError);
    });

    test.each([1, 12])('of a stream that breaks after %d MiB nothing is left', async (count) => {
      const broken = store.writeStream('demo/stream', breaking(count), CREATE);
      await expect(broken).rejects.toThrow(/the source is gone/);
      expect(await store.list('')).toEqual([]);
      const stop = new AbortController();
      const cancelled = store.writeStream(
        'demo/stream',
        pieces(count, 0, () => stop.abort()),
        CREATE,
        stop.signal,
      );
      await expect(cancelled).rejects.toThrow(/abort/i);
      expect(await store.list('')).toEqual([]);
      await store.writeStream('demo/stream', pieces(count), CREATE);
    });

    test.each([
      'a b',
      'a+b',
      '100%',
      '%2e%2e',
      'q?x=1',
      'x#y',
      "it's",
      '"q"',
      'ünï',
      '日本',
      '...',
      '.hidden',
      'a&b=c;d',
      '~@:,!$*()[]',
    ])('an object may be called %j', async (name) => {
      const path = `demo/${name}/${name}`;
      await store.write(path, text(name), CREATE);
      expect(Buffer.from((await store.read(path))?.bytes ?? []).toString()).toBe(name);
      expect((await store.list(`demo/${name}`)).map((entry) => entry.path)).toEqual([path]);
      await store.delete(path);
      expect(await store.list('')).toEqual([]);
    });

    test.each([
      '',
      '/',
      '/etc/passwd',
      '..',
      '../x',
      'a/../../x',
      'a/./b',
      'a//b',
      'a/',
      'a\0b',
      'a\nb',
      '.kopsctl-store/lock',
    ])('the path %j is refused', async (path) => {
      await expect(store.read(path)).rejects.toThrow(/cannot use the path/);
      await expect(store.write(path, text('x'), CREATE)).rejects.toThrow(/cannot use the path/);
      await expect(store.delete(path)).rejects.toThrow(/cannot use the path/);
    });

    test('a prefix cannot leave the store', async () => {
      for (const prefix of ['..', '../', '/', '/etc', 'a/../..'])
        await expect(store.list(prefix)).rejects.toThrow(/cannot use the path/);
    });

    test('an operation that was cancelled before it began does nothing', async () => {
      const cancelled = AbortSignal.abort();
      await expect(store.write('demo/config', text('x'), CREATE, cancelled)).rejects.toThrow(/abort/i);
      await expect(store.read('demo/config', cancelled)).rejects.toThrow(/abort/i);
      expect(await store.list('')).toEqual([]);
    });
  });
}

const PIECE_BYTES = 1024 * 1024;

/** Pieces of one MiB, different for each seed. `last` is called before the last one. */
async function* pieces(count: number, seed = 0, last: () => void = () => undefined): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    if (index === count - 1) last();
    yield Buffer.alloc(PIECE_BYTES, `${seed} ${index}`);
  }
}

async function* breaking(count: number): AsyncGenerator<Uint8Array> {
  yield* pieces(count);
  throw new Error('the source is gone');
}

async function hashOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** Eight at once, over both handles; returns those that were not refused. Anything but a conflict fails the test. */
async function race(
  opened: StoreUnderTest,
  run: (store: StateStore, who: string) => Promise<unknown>,
): Promise<string[]> {
  const racers = Array.from({ length: 8 }, async (_, index) => {
    const who = `racer-${index}`;
    try {
      await run(index % 2 === 0 ? opened.store : opened.another, who);
      return [who];
    } catch (thrown) {
      if (thrown instanceof ConflictError) return [];
      throw thrown;
    }
  });
  return (await Promise.all(racers)).flat();
}
