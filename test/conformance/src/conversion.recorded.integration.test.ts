import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { convert } from '@kopsctl/spec/versions/convert.ts';
import { normalForm } from '@kopsctl/spec/versions/normal-form.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { recordedFolder } from './recorded-cases.ts';

const folders = globSync(`${recordedFolder}/conversion/*`);
/** From each file of a cluster to each file, including itself. */
const cases = folders.flatMap((folder) =>
  ['legacy-v1alpha2', 'v1alpha2', 'v1alpha3'].flatMap((from) =>
    (['v1alpha2', 'v1alpha3'] as const)
      .filter((to) => existsSync(join(folder, `${from}.yaml`)) && existsSync(join(folder, `${to}.yaml`)))
      .map((to): [string, string, ApiVersion] => [folder.slice(recordedFolder.length + 1), from, to]),
  ),
);

describe('conversion', () => {
  it.each(cases)('of %s from %s to %s equals that of kops', (folder, from, to) => {
    const source = `${folder}/${from}.yaml`;
    const { objects, errors } = parseObjects(readFileSync(join(recordedFolder, source), 'utf8'), source);
    expect(errors).toEqual([]);
    const converted = objects.map(({ kind, value }) => {
      const normal = normalForm(kind, asRecord(value));
      return to === 'v1alpha2' ? normal : convert(kind, normal, 'v1alpha2').value;
    });
    expect(converted.map((one): unknown => parse(printObject(one)))).toEqual(documentsOf(`${folder}/${to}.yaml`));
  });

  it.each(
    globSync(`${recordedFolder}/{update_cluster/*/in-v1alpha2.yaml,node/*/**/cluster.yaml}`).map((file) =>
      file.slice(recordedFolder.length + 1),
    ),
  )('%s is said in v1alpha3 too, and comes back with every value', (path) => {
    for (const { kind, value } of parseObjects(readFileSync(join(recordedFolder, path), 'utf8'), path).objects) {
      const normal = normalForm(kind, asRecord(value));
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

/** One line `path = value` for each value. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => leavesOf(item, `${path}[${index}]`));
  // All notations of an empty value are equal.
  if (value === false || value === '' || value === 0) return [];
  if (typeof value !== 'object' || value === null) return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, child]) => leavesOf(child, path === '' ? name : `${path}.${name}`));
}

function documentsOf(path: string): readonly unknown[] {
  return parseAllDocuments(readFileSync(join(recordedFolder, path), 'utf8')).map((document): unknown =>
    document.toJS(),
  );
}
