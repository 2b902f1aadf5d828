import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTHER_PLANS, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import { type Metadata, serveMetadata } from './aws-machine.ts';
import { startMoto } from './moto.ts';
import { credentials, makeBucket } from './s3-server.ts';
import { whoPlan } from './who-plan.ts';

const NODEUP = join(import.meta.dirname, '../../../agents/nodeup/src/main.ts');
const CLUSTER = 'demo.example.com';
const METADATA: Metadata = {
  'instance-id': 'i-0123456789abcdef0',
  'local-ipv4': '10.0.0.7',
  'local-hostname': 'ip-10-0-0-7.ec2.internal',
  'placement/availability-zone': 'us-east-1a',
  'placement/region': 'us-east-1',
  'iam/security-credentials/': 'nodes.demo',
  'iam/security-credentials/nodes.demo': JSON.stringify({
    Code: 'Success',
    AccessKeyId: 'ASIATEST',
    SecretAccessKey: 'test',
    Token: 'token',
    Expiration: new Date(Date.now() + 6 * 60 * 60 * 1000).toISOString(),
  }),
};

const moto = await startMoto();

describe.skipIf(moto === undefined)('nodeup on a machine in AWS', () => {
  if (moto === undefined) return;
  afterAll(() => moto.stop());

  test.each([
    ['1.35.1', 'i-0123456789abcdef0', {}],
    // Before 1.23 the plan says so.
    ['1.22.17', 'ip-10-0-0-7.ec2.internal', { namesFromAddresses: true }],
  ] as const)(
    'joins Kubernetes %s as the node %s and reports it, with only the role of its machine',
    async (kubernetesVersion, node, naming) => {
      const folder = await mkdtemp(join(tmpdir(), 'kops-aws-nodeup-'));
      const metadata = await serveMetadata(METADATA);
      try {
        const stateStore = `s3://${await makeBucket(moto, `state-${kubernetesVersion}`, false)}`;
        const store = createS3Store(stateStore, { endpoint: moto.endpoint, credentials });
        const { bytes, hash } = whoPlan(CLUSTER, { kubernetesVersion, ...naming });
        await store.write(planPath(CLUSTER, OTHER_PLANS, hash), bytes, { ifAbsent: true });
        const boot = { cloud: 'aws', stateStore, cluster: CLUSTER, instanceGroup: 'nodes', planHash: hash };
        await writeFile(join(folder, 'boot.json'), JSON.stringify(boot));
        const root = join(folder, 'root');
        await mkdir(root);
        const { exitCode, stderr } = await execa(
          process.execPath,
          [NODEUP, '--config', join(folder, 'boot.json'), '--root', root],
          {
            extendEnv: false,
            env: {
              PATH: '/usr/bin:/bin',
              HOME: folder,
              AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url,
              AWS_ENDPOINT_URL: moto.endpoint,
            },
            reject: false,
          },
        );
        expect(stderr).not.toContain('warn');
        expect(exitCode).toBe(0);
        const who = `${node} 10.0.0.7 us-east-1a i-0123456789abcdef0`;
        expect(await readFile(join(root, 'etc/who'), 'utf8')).toBe(who);
        const report = await store.read(`${CLUSTER}/nodes/${node}/boot-report.json`);
        expect(JSON.parse(new TextDecoder().decode(report?.bytes))).toMatchObject({ node, result: 'done' });
        expect(metadata.asked).toContain('GET /latest/meta-data/placement/region');
        expect(metadata.asked).toContain('GET /latest/meta-data/iam/security-credentials/nodes.demo');
      } finally {
        await metadata.stop();
        await rm(folder, { recursive: true });
      }
    },
  );
});
