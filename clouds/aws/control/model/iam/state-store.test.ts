import { expect, test } from 'vitest';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { awsContext } from '../aws-context.ts';
import { controlPlaneStore, workerStore } from './state-store.ts';

const ELSEWHERE = {
  keyStore: 's3://keys/shared/pki',
  etcdClusters: [{ name: 'main', backups: { backupStore: 's3://backups/demo/main' } }, { name: 'events' }],
} satisfies ClusterSpec;

const inSpec = (spec: ClusterSpec) => {
  const facts = awsFacts(spec);
  return awsContext({ ...facts, nodeStoreUrl: facts.spec.configBase?.replace(/\/[^/]*$/, '') ?? '' }, GROUPS);
};

test('control planes may use keysets and backups where the spec puts them', () => {
  const { statements = [] } = controlPlaneStore(inSpec(ELSEWHERE));
  const [reads, writes, lists] = statements.map((one) => JSON.stringify(one));
  expect(reads).toContain('arn:aws:s3:::keys/shared/pki/*');
  expect(reads).toContain('arn:aws:s3:::backups/demo/main/*');
  expect(writes).toContain('arn:aws:s3:::backups/demo/main/*');
  expect(writes).toMatch(/backups\/etcd\/events\/\*/);
  expect(writes).not.toMatch(/backups\/etcd\/main/);
  expect(writes).not.toContain('s3:::keys');
  for (const bucket of ['keys', 'backups']) expect(lists).toContain(`"arn:aws:s3:::${bucket}"`);
});

test('workers may use none of them', () => {
  expect(JSON.stringify(workerStore(inSpec(ELSEWHERE)))).not.toMatch(/:::(keys|backups)/);
});
