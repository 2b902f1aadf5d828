import { expect, test } from 'vitest';
import { repositoryStore } from './repository-store.ts';

test.each([
  ['https://s3.eu-west-1.amazonaws.com/bucket/files/', { url: 's3://bucket/files', region: 'eu-west-1' }],
  ['https://bucket.s3.us-gov-west-1.amazonaws.com', { url: 's3://bucket', region: 'us-gov-west-1' }],
  ['https://my.bucket.s3-us-west-2.amazonaws.com/a', { url: 's3://my.bucket/a', region: 'us-west-2' }],
  ['https://s3.dualstack.eu-west-1.amazonaws.com/bucket', { url: 's3://bucket', region: 'eu-west-1' }],
  ['https://s3.cn-north-1.amazonaws.com.cn/bucket', { url: 's3://bucket', region: 'cn-north-1' }],
  ['https://s3.amazonaws.com/bucket', { url: 's3://bucket' }],
  ['https://storage.googleapis.com/bucket/files', { url: 'gs://bucket/files' }],
  ['gs://bucket', { url: 'gs://bucket' }],
  ['file:///srv/files', { url: 'file:///srv/files' }],
])('%s is written as a store', (repository, store) => {
  expect(repositoryStore(repository)).toEqual(store);
});

test.each([
  'https://files.example.com/kops',
  'http://s3.eu-west-1.amazonaws.com/bucket',
  'https://s3.eu-west-1.amazonaws.com',
  'https://storage.googleapis.com/',
  'https://s3.eu-west-1.amazonaws.com.example.com/bucket',
  'bucket',
])('%s is refused with what to do', (repository) => {
  expect(() => repositoryStore(repository)).toThrow(/files can only be copied to a bucket/);
});
