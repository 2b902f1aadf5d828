import { expect, test } from 'vitest';
import { refuseOwnServer } from './refuse-own-server.ts';

const ELSEWHERE = { isHere: false };

test.each(['S3_ENDPOINT', 'KOPS_S3_ENDPOINT'])('machines elsewhere do not find the server of %s', (name) => {
  expect(() => refuseOwnServer('s3://bucket', ELSEWHERE, { [name]: 'https://minio.example.com' })).toThrow(
    `it is at the server that ${name} names (https://minio.example.com)`,
  );
});

test('nor do they find one whose provider has a scheme of its own', () => {
  expect(() => refuseOwnServer('do://bucket', ELSEWHERE, { S3_ENDPOINT: 'nyc3.digitaloceanspaces.com' })).toThrow(
    'nyc3.digitaloceanspaces.com',
  );
  expect(() => refuseOwnServer('scw://bucket', ELSEWHERE, {})).toThrow('a server of S3 that only you know');
});

test('other stores, Amazon itself, and machines on this computer are not its concern', () => {
  const env = { S3_ENDPOINT: 'https://minio.example.com' };
  expect(() => refuseOwnServer('s3://bucket', { isHere: true }, env)).not.toThrow();
  expect(() => refuseOwnServer('gs://bucket', ELSEWHERE, env)).not.toThrow();
  expect(() => refuseOwnServer('s3://bucket', ELSEWHERE, { S3_ENDPOINT: '' })).not.toThrow();
});

test.each([
  'https://s3.eu-central-1.amazonaws.com',
  's3.amazonaws.com',
  's3-eu-west-1.amazonaws.com:443',
  'https://s3.dualstack.eu-west-1.amazonaws.com',
  'https://s3-fips.us-gov-west-1.amazonaws.com',
  'https://bucket.vpce-0a1b2c3d-4e5f.s3.us-east-1.vpce.amazonaws.com',
  'https://s3.cn-north-1.amazonaws.com.cn/',
])('machines find a store of Amazon that is named by its address: %s', (endpoint) => {
  expect(() => refuseOwnServer('s3://bucket', ELSEWHERE, { S3_ENDPOINT: endpoint })).not.toThrow();
});

test('a name that only looks like one of Amazon is another server', () => {
  for (const endpoint of [
    'https://amazonaws.com.example.com',
    'https://minioamazonaws.com',
    'https://example.com/s3.amazonaws.com',
    'http://ec2-3-120-1-2.eu-central-1.compute.amazonaws.com:9000',
    'http://ec2-3-120-1-2.eu-central-1.compute.amazonaws.com',
    'https://mine.elb.eu-central-1.amazonaws.com',
    'https://s3.eu-central-1.amazonaws.com:9000',
  ]) {
    expect(() => refuseOwnServer('s3://bucket', ELSEWHERE, { S3_ENDPOINT: endpoint })).toThrow(endpoint);
  }
});
