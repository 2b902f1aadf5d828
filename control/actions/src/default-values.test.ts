import { readFileSync, writeFileSync } from 'node:fs';
import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { fieldDefaults } from '@kopsctl/spec/describe/testing/inferred-defaults.ts';
import { isKind, KINDS } from '@kopsctl/spec/kinds.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { expect, test } from 'vitest';
import { defaultValues } from './default-values.ts';

test('the defaults that are kept are those that completion gives: UPDATE=1 and `npm run format` keep those of today', () => {
  const file = new URL('default-values.json', import.meta.url);
  const computed = Object.fromEntries(
    Object.keys(KINDS)
      .filter(isKind)
      .map((kind) => [kind, Object.fromEntries(fieldDefaults(kind, CLOUDS))] as const)
      .filter(([, defaults]) => Object.keys(defaults).length > 0),
  );
  if (process.env['UPDATE'] === '1') writeFileSync(file, `${sortedJson(computed, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(computed);
  expect(defaultValues('Cluster').get('spec.clusterDNSDomain')).toBe('cluster.local');
  expect(defaultValues('Keyset').size).toBe(0);
});
