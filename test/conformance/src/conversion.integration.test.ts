import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { convert } from '@kopsctl/spec/versions/convert.ts';
import { normalForm } from '@kopsctl/spec/versions/normal-form.ts';
import { valuesOf } from '@kopsctl/spec/versions/values.ts';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

/** Recorded specs of kops, which are no part of this repository: beside it, or where KOPS_CONFORMANCE says. */
const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const data = process.env['KOPS_CONFORMANCE'] ?? join(repository, '../shared/conformance');
const present = existsSync(join(data, 'conversion'));
if (!present)
  console.warn(`skipped: the recorded conversions of kops are not at ${data}; set KOPS_CONFORMANCE to where they are`);

const folders = globSync(`${data}/conversion/*`);
/** From each file of a cluster to each other, and to itself. */
const cases = folders.flatMap((folder) =>
  ['legacy-v1alpha2', 'v1alpha2', 'v1alpha3'].flatMap((from) =>
    (['v1alpha2', 'v1alpha3'] as const)
      .filter((to) => existsSync(join(folder, `${from}.yaml`)) && existsSync(join(folder, `${to}.yaml`)))
      .map((to): [string, string, ApiVersion] => [folder.slice(data.length + 1), from, to]),
  ),
);

describe.skipIf(!present)('conversion', () => {
  it.each(cases)('of %s, %s to %s, is that of kops', (folder, from, to) => {
    const source = `${folder}/${from}.yaml`;
    const { objects, errors } = parseObjects(readFileSync(join(data, source), 'utf8'), source);
    expect(errors).toEqual([]);
    const converted = objects.map(({ kind, value }) => {
      const normal = normalForm(kind, valuesOf(value));
      return to === 'v1alpha2' ? normal : convert(kind, normal, 'v1alpha2').value;
    });
    expect(converted.map((one): unknown => parse(printObject(one)))).toEqual(documentsOf(`${folder}/${to}.yaml`));
  });

  it.each(
    globSync(`${data}/{update_cluster/*/in-v1alpha2.yaml,node/*/**/cluster.yaml}`).map((file) =>
      file.slice(data.length + 1),
    ),
  )('%s is said in v1alpha3 too, and comes back with every value', (path) => {
    for (const { kind, value } of parseObjects(readFileSync(join(data, path), 'utf8'), path).objects) {
      const normal = normalForm(kind, valuesOf(value));
      const there = convert(kind, normal, 'v1alpha2');
      expect(there.faults).toEqual([]);
      const back = parseObjects(printObject(there.value), path);
      expect(back.errors).toEqual([]);
      const missing = leavesOf(normal).filter((leaf) => !leavesOf(back.objects[0]?.value).includes(leaf));
      const lost = there.lost.map((misfit) => misfit.path);
      expect(missing.filter((leaf) => !lost.some((at) => leaf.startsWith(at)))).toEqual([]);
    }
  });
});

/** `path = value`, each. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => leavesOf(item, `${path}[${index}]`));
  // Nothing is nothing, however it is written.
  if (value === false || value === '' || value === 0) return [];
  if (typeof value !== 'object' || value === null) return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, child]) => leavesOf(child, path === '' ? name : `${path}.${name}`));
}

function documentsOf(path: string): readonly unknown[] {
  return parseAllDocuments(readFileSync(join(data, path), 'utf8')).map((document): unknown => document.toJS());
}
