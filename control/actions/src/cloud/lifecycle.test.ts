import { describe, expect, test } from 'vitest';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { aws } from '@kopsctl/clouds/aws/control/aws.ts';
import { isDue, isForTool, kindsOf, lifecyclesOf, parseLifecycles, withLifecycles } from './lifecycle.ts';

const KINDS = kindsOf({ lifecycles: aws.driver?.lifecycles ?? [] });

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
  const [handler] = withLifecycles([vpc(there)], parseLifecycles([`VPC=${wish}`], KINDS));
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
    expect(() => handler.plan('a', {}, undefined)).toThrow('differs from the spec');
  });
});

test('a phase makes its own, needs what came before, and leaves the rest', () => {
  expect(lifecyclesOf(KINDS, 'security', new Map()).get('aws/Vpc')).toBe('ExistsAndWarnIfChanges');
  expect(lifecyclesOf(KINDS, 'security', new Map()).get('aws/IamRole')).toBeUndefined();
  expect([
    isDue(KINDS, 'aws/Vpc', 'security'),
    isDue(KINDS, 'aws/IamRole', 'security'),
    isDue(KINDS, 'aws/Volume', 'security'),
  ]).toEqual([true, true, false]);
});

test('another tool makes what is Sync or may not be readable, of the phase alone, and an override comes first', () => {
  const made = (phase: 'security' | undefined, ...overrides: readonly string[]) => {
    const lifecycles = lifecyclesOf(KINDS, phase, parseLifecycles(overrides, KINDS));
    return ['aws/Vpc', 'aws/IamRole', 'aws/Volume'].filter((kind) => isForTool(KINDS, kind, phase, lifecycles));
  };
  expect(made(undefined)).toEqual(['aws/Vpc', 'aws/IamRole', 'aws/Volume']);
  expect(made('security')).toEqual(['aws/IamRole']);
  expect(made('security', 'VPC=Sync')).toEqual(['aws/Vpc', 'aws/IamRole']);
  expect(made(undefined, 'VPC=Ignore', 'IAMRole=WarnIfInsufficientAccess')).toEqual(['aws/IamRole', 'aws/Volume']);
});

test('an override that names no kind, or no lifecycle, says which there are', () => {
  expect(() => parseLifecycles(['Vcp=Ignore'], KINDS)).toThrow('no kind Vcp');
  expect(() => parseLifecycles(['VPC=Leave'], KINDS)).toThrow('no lifecycle Leave');
  expect([...parseLifecycles(['iamrole=ignore'], KINDS)]).toEqual([['aws/IamRole', 'Ignore']]);
  expect([...parseLifecycles(['ManagedFile=Ignore'], KINDS).keys()].toSorted()).toEqual([
    'ManagedFile',
    'aws/PublicFile',
  ]);
});
