import { expect, test } from 'vitest';
import { Wake } from '@kopsctl/agent/wake.ts';
import { type KubeClient, KubeError } from './client.ts';
import { Followed } from './followed.ts';
import { asRecord, asString } from './json.ts';

const object = (name: string, uid = name) => ({ metadata: { namespace: 'n', name, uid } });
const nameOf = (one: unknown): string | undefined => asString(asRecord(asRecord(one)['metadata'])['name']);

/** Answers lists in this order, page by page; between two lists the resourceVersion expires. */
function server(lists: readonly (readonly (readonly unknown[])[])[], onPage: () => void, end: AbortController) {
  const pages = lists.flatMap((list) => list.map((items, index) => ({ items, isLast: index === list.length - 1 })));
  const refuse = () => Promise.reject(new Error('not asked here'));
  const kube: KubeClient = {
    get() {
      onPage();
      const page = pages.shift();
      const metadata = { resourceVersion: '1', ...(page?.isLast === true ? {} : { continue: 'more' }) };
      return Promise.resolve({ metadata, items: page?.items ?? [] });
    },
    watch() {
      if (pages.length > 0) return Promise.reject(new KubeError('watch', 410, 'expired'));
      end.abort();
      return Promise.resolve();
    },
    text: refuse,
    timeMs: refuse,
    create: refuse,
    replace: refuse,
    apply: refuse,
    mergePatch: refuse,
    remove: refuse,
  };
  return kube;
}

test('while a collection is listed again, the objects known before stay, and deleted ones go at the end of the list', async () => {
  const end = new AbortController();
  const followed = new Followed('/api/v1/pods', nameOf);
  const seen: (readonly string[] | undefined)[] = [];
  const lists = [
    [[object('a')], [object('b')]],
    [[object('b')], [object('c')]],
  ];
  const kube = server(lists, () => seen.push(followed.items), end);
  await followed.follow(kube, new Wake(), end.signal);
  expect(seen).toEqual([undefined, undefined, ['a', 'b'], ['a', 'b']]);
  expect(followed.items).toEqual(['b', 'c']);
});

test('objects are found by the key that was asked for', async () => {
  const end = new AbortController();
  const followed = new Followed('/api/v1/services', nameOf, (one) => `n/${nameOf(one)}`);
  await followed.follow(
    server([[[object('web', '1')]], [[object('web', '2')]]], () => undefined, end),
    new Wake(),
    end.signal,
  );
  expect([...followed.byKey]).toEqual([['n/web', 'web']]);
});
