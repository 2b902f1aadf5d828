import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchOf } from './channel.ts';
import { stepFault, versionLadder } from './ladder.ts';
import { STABLE_CHANNEL } from './stable-channel.ts';

const ladder = (applied: string, target: string, running: readonly string[] = [applied]) =>
  versionLadder({ applied, running, target, patchOf: (minor) => patchOf(STABLE_CHANNEL, minor) });

test.each([
  ['the same version', '1.36.3', '1.36.3', undefined, []],
  ['another patch', '1.36.1', '1.36.3', undefined, ['1.36.3']],
  ['the next minor version', '1.35.7', '1.36.3', undefined, ['1.36.3']],
  ['two minor versions', '1.34.4', '1.36.3', undefined, ['1.35.7', '1.36.3']],
  ['five minor versions', '1.31.14', '1.36.0', undefined, ['1.32.13', '1.33.13', '1.34.10', '1.35.7', '1.36.0']],
  ['machines that stayed behind', '1.35.7', '1.36.3', ['1.35.7', '1.34.4'], ['1.35.7', '1.36.3']],
  ['machines that stayed behind, and only a patch', '1.35.1', '1.35.7', ['1.35.1', '1.34.4'], ['1.35.7']],
] as const)('The ladder of %s', (_what, applied, target, running, versions) => {
  expect(ladder(applied, target, running)).toEqual(versions);
});

test('No step of a ladder skips a minor version, wherever it begins and ends', () => {
  const minor = fc.integer({ min: 20, max: 36 });
  fc.assert(
    fc.property(minor, minor, minor, (one, other, behind) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const [applied, target] = [`1.${from}.5`, `1.${to}.6`];
      const versions = ladder(applied, target, [applied, `1.${Math.min(behind, from)}.0`]);
      expect(versions.at(-1)).toBe(target);
      for (const [index, version] of versions.entries()) {
        expect(stepFault(versions[index - 1] ?? applied, version)).toBeUndefined();
      }
    }),
  );
});

test.each([
  ['1.34.4', '1.35.0', ''],
  ['1.34.4', '1.34.1', ''],
  ['1.34.4', '1.36.0', 'skips a minor version'],
  ['1.34.4', '1.33.9', 'goes back a minor version'],
])('From %s to %s: %s', (from, to, fault) => {
  expect(/the step from \S+ to \S+ (.*?),/.exec(stepFault(from, to) ?? '')?.[1] ?? '').toBe(fault);
});
