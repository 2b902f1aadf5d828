import { readFileSync, writeFileSync } from 'node:fs';
import { KINDS } from '@kopsctl/spec/kinds.ts';
import { expect, test } from 'vitest';
import { schemaLeaves } from './schema-leaves.ts';
import { walkField, type WalkedKind } from './walk-fields.ts';

const GOLDEN = new URL('testdata/fields-without-effect.txt', import.meta.url);

/**
 * The recorded list has every field that does not act in all clouds, with the words of whoever refuses it. What stands there
 * as `nothing` is a fault that is known, and `broken` one of this walk's values or of a message without a path.
 */
test('no field does nothing without a word, but for those on record', async () => {
  const lines: string[] = [];
  for (const kind of ['Cluster', 'InstanceGroup'] satisfies readonly WalkedKind[]) {
    for (const leaf of schemaLeaves(KINDS[kind].fields.spec, 'spec')) {
      const verdict = await walkField(kind, leaf);
      if (verdict !== 'acts') lines.push(`${kind} ${leaf.path} ${verdict.split('\n')[0]}`);
    }
  }
  const text = `${lines.join('\n')}\n`;
  if (process.env['UPDATE'] === '1') writeFileSync(GOLDEN, text);
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
}, 600_000);
