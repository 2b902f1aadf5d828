import { describe, expect, test } from 'vitest';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { isDue, lifecyclesOf, parseLifecycles, withLifecycles } from './lifecycle.ts';

const vpc = (there: string | undefined): Handler<object> => ({
  kind: 'aws/Vpc',
  parse: (props) => props,
  find: async () => there,
  plan: (_name, _props, found) =>
    found === 'as wanted' ? [] : [{ action: found === undefined ? 'create' : 'update', summary: 'make it so' }],
  apply: async () => {},
  listOwned: async () => [{ name: 'old', description: 'old', handle: 'vpc-1' }],
  remove: async () => {},
});

const limited = (there: string | undefined, wish: string): Handler<object> => {
  const [handler] = withLifecycles([vpc(there)], parseLifecycles([`VPC=${wish}`]));
  if (handler === undefined) throw new Error('no handler');
  return handler;
};

describe('a kind that is not Sync', () => {
  test.each(['Ignore', 'WarnIfInsufficientAccess', 'ExistsAndValidates', 'ExistsAndWarnIfChanges'])(
    '(%s) is never deleted',
    (wish) => {
      expect(Object.keys(limited('as wanted', wish))).not.toContain('listOwned');
    },
  );

  test('(Ignore) is left as it is, also where it is not', () => {
    expect(limited('other', 'Ignore').plan('a', {}, 'other')).toEqual([]);
    expect(limited(undefined, 'Ignore').plan('a', {}, undefined)).toEqual([]);
  });

  test('(ExistsAndValidates) must be there as wanted', () => {
    expect(limited('as wanted', 'ExistsAndValidates').plan('a', {}, 'as wanted')).toEqual([]);
    expect(() => limited('other', 'ExistsAndValidates').plan('a', {}, 'other')).toThrow('make it so');
  });

  test('(ExistsAndWarnIfChanges) must be there, and differences are warnings', () => {
    const handler = limited('other', 'ExistsAndWarnIfChanges');
    expect(handler.plan('a', {}, 'other')).toEqual([]);
    expect(handler.warnings?.('a', {}, 'other')).toEqual([expect.stringContaining('make it so')]);
    expect(() => handler.plan('a', {}, undefined)).toThrow('not as wanted');
  });
});

test('a phase makes its own, needs what came before, and leaves the rest', () => {
  expect(lifecyclesOf('security', new Map()).get('aws/Vpc')).toBe('ExistsAndWarnIfChanges');
  expect(lifecyclesOf('security', new Map()).get('aws/IamRole')).toBeUndefined();
  expect([isDue('aws/Vpc', 'security'), isDue('aws/IamRole', 'security'), isDue('aws/Volume', 'security')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('an override that names no kind, or no lifecycle, says which there are', () => {
  expect(() => parseLifecycles(['Vcp=Ignore'])).toThrow('no kind Vcp');
  expect(() => parseLifecycles(['VPC=Leave'])).toThrow('no lifecycle Leave');
  expect([...parseLifecycles(['iamrole=ignore'])]).toEqual([['aws/IamRole', 'Ignore']]);
});
