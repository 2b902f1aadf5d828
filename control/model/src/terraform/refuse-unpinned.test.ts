import { expect, test } from 'vitest';
import type { PublishedAsset } from '../assets/published-asset.ts';
import { refuseUnpinned } from './refuse-unpinned.ts';

const asset = (url: string): PublishedAsset => ({
  name: 'etcd',
  version: '3.5.0',
  arch: 'amd64',
  file: 'etcd',
  urls: [url],
  sha256Url: `${url}.sha256`,
});

test('Terraform requires the list to be empty', () => {
  const files = refuseUnpinned([asset('https://b.test/${x}'), asset('https://a.test'), asset('https://a.test')]);
  const text = files.get('files-without-hash.tf');
  expect(text).toContain('files_without_hash = [\n    "https://a.test",\n    "https://b.test/$${x}",\n  ]');
  expect(text).toContain('condition     = length(local.files_without_hash) == 0');
});

test('nothing is written if every hash is known', () => {
  expect(refuseUnpinned([])).toEqual(new Map());
});
