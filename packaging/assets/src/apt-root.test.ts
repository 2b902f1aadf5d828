import { describe, expect, test } from 'vitest';

import { parsePrintedUris, upstreamVersion } from './apt-root.ts';

const HASH = '4'.repeat(64);

describe("apt's answer", () => {
  test('names the files with their hashes; an epoch is written out', () => {
    const printed = [
      'Reading package lists...',
      'Need to get 452 kB of source archives.',
      `'http://m.test/pool/b/busybox_1.35.0-4%2bdeb12u1_amd64.deb' busybox_1%3a1.35.0-4+deb12u1_amd64.deb 452120 SHA256:${HASH}`,
    ].join('\n');
    expect(parsePrintedUris(printed)).toEqual([{ file: 'busybox_1:1.35.0-4+deb12u1_amd64.deb', sha256: HASH }]);
  });

  test.each([
    ['containerd_1.6.20~ds1-1+deb12u3_amd64.deb', '1.6.20'],
    ['busybox_1:1.35.0-4+deb12u1+b1_amd64.deb', '1.35.0'],
    ['docker.io_20.10.24+dfsg1-1+deb12u1+b6_amd64.deb', '20.10.24'],
    ['etcd-server_3.4.23-4+b4_amd64.deb', '3.4.23'],
  ])('%s is version %s', (file, version) => {
    expect(upstreamVersion(file)).toBe(version);
  });
});
