import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Binding, type Membership, membershipsIn, withMember, withoutMember } from './iam-policy.ts';

const role = fc.constantFrom('roles/a', 'roles/b');
const member = fc.constantFrom('user:a@x', 'user:b@x', 'serviceAccount:c@x');
const condition = fc.option(fc.constantFrom({ title: 't', expression: 'e' }, { title: 't', expression: 'f' }), {
  nil: undefined,
});
const membership = fc
  .record({ role, member, condition })
  .map(({ condition: limit, ...rest }): Membership => ({ ...rest, ...(limit && { condition: limit }) }));
const bindings = fc.array(membership, { maxLength: 8 }).map((all) => all.reduce<readonly Binding[]>(withMember, []));

const texts = (all: readonly Binding[]) =>
  membershipsIn({ bindings: all, etag: '' }, () => true)
    .map((one) => JSON.stringify(one))
    .toSorted();

test('a member more changes nobody else, and once is enough', () => {
  fc.assert(
    fc.property(bindings, membership, (before, added) => {
      const after = withMember(before, added);
      expect(texts(after)).toEqual([...new Set([...texts(before), JSON.stringify(added)])].toSorted());
      expect(texts(withMember(after, added))).toEqual(texts(after));
    }),
  );
});

test('a member less changes nobody else, and leaves no binding without members', () => {
  fc.assert(
    fc.property(bindings, membership, (before, removed) => {
      const after = withoutMember(before, removed);
      expect(texts(after)).toEqual(texts(before).filter((text) => text !== JSON.stringify(removed)));
      expect(after.filter(({ members }) => members.length === 0)).toEqual([]);
    }),
  );
});
