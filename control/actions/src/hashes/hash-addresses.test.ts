import { expect, test } from 'vitest';
import { hashAddresses } from './hash-addresses.ts';

const etcd = {
  name: 'etcd-3.5.21',
  version: '3.5.21',
  arch: 'amd64',
  file: 'etcd-io/etcd/releases/download/v3.5.21/etcd-v3.5.21-linux-amd64.tar.gz',
  urls: ['https://github.com/etcd-io/etcd/releases/download/v3.5.21/etcd-v3.5.21-linux-amd64.tar.gz'],
  sha256Url: 'https://github.com/etcd-io/etcd/releases/download/v3.5.21/SHA256SUMS',
} as const;

test('a hash is read where the project publishes it', () => {
  expect(hashAddresses(etcd, undefined)).toEqual([etcd.sha256Url]);
});

test('where the spec names a repository, only it is asked: beside the copy, then for the list of the release', () => {
  expect(hashAddresses(etcd, 'https://files.example.com/kops/')).toEqual([
    `https://files.example.com/kops/${etcd.file}.sha256`,
    'https://files.example.com/kops/etcd-io/etcd/releases/download/v3.5.21/SHA256SUMS',
  ]);
});
