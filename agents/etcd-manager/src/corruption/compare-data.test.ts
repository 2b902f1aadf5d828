import { array, assert, boolean, constantFrom, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import { compareData, type DataView } from './compare-data.ts';

/** `a=HASH` or `a=HASH@REVISION/COMPACTED`; a name alone did not answer. */
function voters(text: string): readonly DataView[] {
  return text.split(' ').map((one) => {
    const [, member = '', hash, revision = '9', compacted = '1'] =
      /^(\w)(?:=(\d+)(?:@(\d+)\/(\d+))?)?$/.exec(one) ?? [];
    if (hash === undefined) return { id: `id-${member}`, member };
    const data = { hash: Number(hash), revision: Number(revision), compactRevision: Number(compacted) };
    return { id: `id-${member}`, member, data };
  });
}

test.each([
  ['all hold the same', 'a=1 b=1 c=1', 'same'],
  ['the minority differs', 'a=1 b=1 c=2', 'corrupt id-c'],
  ['the minority differs, and it is the first one', 'a=2 b=1 c=1', 'corrupt id-a'],
  ['two of five differ', 'a=1 b=1 c=1 d=2 e=3', 'corrupt id-d,id-e'],
  ['one did not answer, and the others agree', 'a=1 b=1 c', 'incomplete'],
  ['a majority agrees although one did not answer', 'a=1 b=1 c=1 d=2 e', 'corrupt id-d'],
  ['two of two differ', 'a=1 b=2', 'unclear the data of a, of b differs, and no majority agrees'],
  ['each differs', 'a=1 b=2 c=3', 'unclear the data of a, of b, of c differs, and no majority agrees'],
  [
    'the one that would decide is away',
    'a=1 b=2 c',
    'unclear the data of a, of b differs, and no majority agrees; c did not answer',
  ],
  [
    'two of four is not a majority',
    'a=1 b=1 c=2 d=2',
    'unclear the data of a and b, of c and d differs, and no majority agrees',
  ],
  ['a single member', 'a=1', 'unclear there is no other member to compare the data with'],
  ['nothing is written, and one is behind for good', 'a=1@9/1 b=1@9/1 c=1@8/1', 'corrupt id-c'],
])('While nothing can be written: %s', (_, text, expected) => {
  expect(print(compareData(voters(text), true))).toBe(expected);
});

test.each([
  ['revisions differ because writes go on', 'a=1@9/1 b=1@12/1 c=1@10/1', 'same'],
  ['one has compacted further, so it cannot be compared', 'a=1 b=1 c=2@9/5', 'incomplete'],
  ['the minority differs', 'a=1 b=1 c=2', 'corrupt id-c'],
  [
    'two that answer differ, and the third does not start',
    'a b=1 c=2',
    'unclear the data of b, of c differs, and no majority agrees; a did not answer',
  ],
  ['one answers', 'a b c=2', 'incomplete'],
])('While writes go on: %s', (_, text, expected) => {
  expect(print(compareData(voters(text), false))).toBe(expected);
});

test('a member is never blamed unless a majority of all voters contradicts it', () => {
  const data = record({ hash: constantFrom(1, 2), revision: constantFrom(8, 9), compactRevision: constantFrom(1, 5) });
  const answers = array(option(data, { nil: undefined }), { minLength: 1, maxLength: 7 });
  assert(
    property(answers, boolean(), (all, isFrozen) => {
      const views = all.map((one, index) => ({ id: `${index}`, member: `${index}`, ...(one && { data: one }) }));
      const found = compareData(views, isFrozen);
      if (found.verdict !== 'corrupt') return;
      const blamed = new Set(found.ids);
      const rest = views.filter(({ id, data: one }) => !blamed.has(id) && one !== undefined);
      const largest = Math.max(...rest.map((one) => rest.filter((other) => same(one, other)).length));
      expect(largest).toBeGreaterThanOrEqual(quorumOf(views.length));
      for (const id of blamed) expect(views.find((one) => one.id === id)?.data).toBeDefined();
    }),
  );
});

function same({ data: one }: DataView, { data: other }: DataView): boolean {
  return one?.hash === other?.hash && one?.compactRevision === other?.compactRevision;
}

function print(found: ReturnType<typeof compareData>): string {
  if (found.verdict === 'corrupt') return `corrupt ${found.ids.join(',')}`;
  return found.verdict === 'unclear' ? `unclear ${found.summary}` : found.verdict;
}
