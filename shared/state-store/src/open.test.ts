import { expect, test } from 'vitest';
import { openStore } from './open.ts';

test.each([
  ['', /no state store was named/],
  ['/var/lib/kops', /is not a URL/],
  ['ftp://host/x', /ftp:\/\/ is not a kind of state store/],
  ['gs://', /names no bucket/],
  ['http://example.com/state', /plain http/],
  ['http://169.254.169.254.example.com/state', /plain http/],
  ['http://127.0.0.1@example.com/state', /plain http/],
  ['http://10.0.0.1/state', /plain http/],
  ['s3://', /names no bucket/],
  ['file://otherhost/x', /open the state store/],
])('%j is refused with the flag and the variable that name a store', async (url, why) => {
  await expect(openStore(url, {})).rejects.toThrow(why);
  await expect(openStore(url, {})).rejects.toMatchObject({ next: expect.stringMatching(/--state|file:\/\/\//) });
});

test.each([
  'file:///var/lib/kops',
  's3://bucket/prefix',
  'gs://bucket/prefix',
  'http://169.254.169.254/state',
  'http://127.0.0.1:8080/state',
  'http://[::1]/state',
  'http://localhost/state',
  'https://example.com/state',
  'memory://',
])('%s is opened without touching it', async (url) => {
  expect((await openStore(url, {})).url).toBe(url);
});

test.each(['do', 'hos', 'linode', 'scw'])(
  '%s:// is a bucket of the S3 server that S3_ENDPOINT names',
  async (scheme) => {
    const url = `${scheme}://bucket/prefix`;
    await expect(openStore(url, { AWS_ENDPOINT_URL: 'https://aws.example.com' })).rejects.toMatchObject({
      why: `nothing names the S3 server that has the buckets of ${scheme}://`,
      next: expect.stringMatching('S3_ENDPOINT'),
    });
    expect(await openStore(url, { S3_ENDPOINT: 's3.example.com' })).toMatchObject({ url });
    await expect(openStore(`${scheme}://`, { S3_ENDPOINT: 's3.example.com' })).rejects.toThrow('names no bucket');
  },
);

test.each([
  'swift://container',
  'azureblob://account/container',
  'k8s://context',
  'memfs://tests',
  'vault://host/path',
])('%s, which only kops opens, is refused with the kinds that work', async (url) => {
  await expect(openStore(url, { S3_ENDPOINT: 's3.example.com' })).rejects.toThrow(/known: file, s3, gs/);
});

test('of the two keys for S3_ENDPOINT, none or both are set', async () => {
  await expect(openStore('s3://bucket', { S3_ENDPOINT: 's3.example.com', S3_ACCESS_KEY_ID: 'a' })).rejects.toThrow(
    'S3_SECRET_ACCESS_KEY is not set',
  );
  expect(await openStore('s3://bucket', { S3_ENDPOINT: 's3.example.com' })).toMatchObject({ url: 's3://bucket' });
});

test.each(['public-read', 'public-read-write', 'authenticated-read', 'everybody'])(
  'the ACL %s does not open keys of clusters to strangers',
  async (acl) => {
    await expect(openStore('s3://bucket', { KOPS_STATE_S3_ACL: acl })).rejects.toThrow(`KOPS_STATE_S3_ACL is ${acl}`);
  },
);
