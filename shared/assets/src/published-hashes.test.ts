import { expect, test } from 'vitest';
import { publishedHashes } from './published-hashes.ts';

test('each line of the table is the hash of one file', () => {
  const hashes = publishedHashes();
  expect(hashes.get('https://dl.k8s.io/release/v1.32.0/bin/linux/amd64/kubelet')).toBe(
    '5ad4965598773d56a37a8e8429c3dc3d86b4c5c26d8417ab333ae345c053dae2',
  );
  expect(hashes.get('https://github.com/opencontainers/runc/releases/download/v1.3.3/runc.arm64')).toMatch(
    /^[0-9a-f]{64}$/,
  );
  for (const [url, sha256] of hashes) {
    expect(url).toMatch(/^https:\/\/[^{}]+$/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('the version stands wherever the address leaves it open', () => {
  const table =
    'https://m.test/v{version}/a-{version}-{arch}.tgz\n1.0.0 amd64 aa\n1.1.0 arm64 bb\nhttps://n.test/{arch}\n1 amd64 cc\n';
  expect([...publishedHashes(table)]).toEqual([
    ['https://m.test/v1.0.0/a-1.0.0-amd64.tgz', 'aa'],
    ['https://m.test/v1.1.0/a-1.1.0-arm64.tgz', 'bb'],
    ['https://n.test/amd64', 'cc'],
  ]);
});
