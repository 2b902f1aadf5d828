import { expect, test } from 'vitest';
import { bucketLocation } from './bucket-location.ts';

const NAME = /^[a-z0-9][a-z0-9.-]*$/;

test.each([
  ['s3://state', 'state', ''],
  ['s3://state/', 'state', ''],
  ['s3://my.state-1/team//clusters/', 'my.state-1', 'team/clusters/'],
])('%s is a bucket and the beginning of keys in it', (url, bucket, keyPrefix) => {
  expect(bucketLocation(url, ['s3://'], NAME)).toEqual({ bucket, keyPrefix });
});

test.each(['s3://', 's3:///clusters', 's3://State', 'gs://state', 'state'])('%s names no bucket', (url) => {
  expect(() => bucketLocation(url, ['s3://'], NAME)).toThrow(`cannot open the state store ${url}: it names no bucket`);
});
