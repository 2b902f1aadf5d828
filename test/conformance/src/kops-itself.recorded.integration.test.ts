import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ANYBODY, IMAGE, REGION } from './aws-account.ts';
import { type MotoServer, startMoto } from './moto.ts';
import { recordedFolder } from './recorded-cases.ts';
import { type Kops, openKops } from './run-kops.ts';
import { type Ran, runCli } from './warm-cli.ts';

const BUCKET = 'kops-state';

/** Clusters that are in no recording, by their flags: what kops itself makes of them is found out here. */
const USUAL = [
  '--zones us-east-1a --networking cilium-etcd',
  '--zones us-east-1a --dns private',
  '--zones us-east-1a,us-east-1b --control-plane-count 3 --topology private --bastion --networking calico',
  '--zones us-east-1a --api-ssl-certificate arn:aws:acm:us-east-1:000000000000:certificate/one --api-loadbalancer-type public',
];
const LONG = [
  '--zones us-east-1a',
  '--zones us-east-1a,us-east-1b,us-east-1c --control-plane-count 3 --node-count 5',
  '--zones us-east-1a,us-east-1b --control-plane-zones us-east-1c --topology private',
  '--zones us-east-1a --control-plane-count 5',
  '--zones us-east-1a --networking amazonvpc --topology private',
  '--zones us-east-1a --networking flannel --set spec.networking.flannel.backend=vxlan',
  '--zones us-east-1a --node-size m5d.large --control-plane-size i3.xlarge',
  '--zones us-east-1a --networking kube-router',
  '--zones us-east-1a --networking kindnet',
  '--zones us-east-1a --networking cni',
  '--zones us-east-1a,us-east-1b,us-east-1c --networking cilium-eni --topology private --control-plane-count 3',
  '--zones us-east-1a --networking cilium --set spec.networking.cilium.enableEncryption=true --set spec.networking.cilium.encryptionType=wireguard',
  '--zones us-east-1a --networking calico --set spec.networking.calico.encapsulationMode=vxlan',
  '--zones us-east-1a --dns public',
  '--zones us-east-1a --dns-zone Z123',
  '--zones us-east-1a --api-loadbalancer-type internal --topology private',
  '--zones us-east-1a --encrypt-etcd-storage=false --etcd-storage-type io1',
  '--zones us-east-1a --etcd-clusters main',
  '--zones us-east-1a --authorization AlwaysAllow',
  '--zones us-east-1a --associate-public-ip=true --topology private',
  '--zones us-east-1a --cloud-labels a=b,c=d --disable-subnet-tags',
  '--zones us-east-1a --admin-access 10.0.0.0/8,1.2.3.4/32 --ssh-access 5.6.7.8/32',
  '--zones us-east-1a --network-cidr 10.0.0.0/16',
  '--zones us-east-1a --api-public-name api.other.example.com',
  '--zones us-east-1a --control-plane-tenancy dedicated --node-tenancy dedicated',
  '--zones us-east-1a --control-plane-volume-size 100 --node-volume-size 50 --control-plane-volume-type gp2',
  '--zones us-east-1a --node-security-groups sg-1 --control-plane-security-groups sg-2',
  '--zones us-east-1a --set spec.api.loadBalancer.accessLog.bucket=logs --set spec.api.loadBalancer.accessLog.bucketPrefix=p',
  '--zones us-east-1a --set spec.api.loadBalancer.additionalSecurityGroups=sg-1',
  '--zones us-east-1a --set spec.api.loadBalancer.securityGroupOverride=sg-9',
  '--zones us-east-1a --set spec.nodePortAccess=10.0.0.0/8',
  '--zones us-east-1a --set spec.iam.permissionsBoundary=arn:aws:iam::000000000000:policy/b',
  '--zones us-east-1a --kubernetes-version 1.35.0 --networking cilium --set spec.kubeProxy.enabled=false',
];

interface Scores {
  readonly score: number;
  readonly notes: readonly string[];
}

/** A script beside the recordings, which says how far two outcomes agree. */
async function scorer<Outcome>(script: string): Promise<(expected: Outcome, actual: Outcome) => Scores> {
  const { score }: { readonly score: (expected: Outcome, actual: Outcome) => Scores } = await import(
    join(recordedFolder, script)
  );
  return score;
}

describe('kopsctl and kops itself', () => {
  let kops: Kops | undefined;
  let moto: MotoServer | undefined;
  let folder: string;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    [kops, moto] = await Promise.all([openKops(), startMoto({ managedPolicies: false })]);
    folder = mkdtempSync(join(tmpdir(), 'kops-itself-'));
    if (moto === undefined) return;
    const { endpoint } = moto;
    env = {
      AWS_ENDPOINT_URL: endpoint,
      S3_ENDPOINT: endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ANYBODY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ANYBODY.secretAccessKey,
      KOPS_STATE_STORE: `s3://${BUCKET}`,
    };
    const s3 = new S3Client({ endpoint, region: REGION, credentials: ANYBODY, forcePathStyle: true });
    await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
    s3.destroy();
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  });
  afterAll(async () => {
    await Promise.all([kops?.close(), moto?.stop()]);
    await rm(folder, { recursive: true });
  });

  test.each(casesOf(USUAL, LONG).map((flags, index) => [flags, `c${index}.k8s.local`] as const))(
    'infer the same from %s, and write the same for Terraform',
    async (flags, name) => {
      if (kops === undefined || moto === undefined) return;
      const given = flags.split(' ');
      const usual = ['--kubernetes-version', '1.34.1'].filter(() => !given.includes('--kubernetes-version'));
      const sizes = ['--node-size', 't3.medium', '--control-plane-size', 'm5.large'];
      const create = [
        'create',
        'cluster',
        '--name',
        name,
        '--cloud',
        'aws',
        '--image',
        // Without a network kopsctl cannot know the device of its disk.
        IMAGE,
        ...usual,
        ...sizes,
        ...given,
      ];
      const state = ['--state', `file://${folder}/state-${name}`];
      const [wanted, made] = await Promise.all([
        ofKops(...create, '--dry-run', '-o', 'yaml'),
        ours(...create, '--dry-run', '-o', 'json', '--offline', ...state),
      ]);
      const scoreObjects = await scorer<readonly unknown[]>('score-create.mjs');
      const inferred = scoreObjects(
        parseAllDocuments(wanted).map((one) => one.toJS()),
        JSON.parse(made),
      );
      // Which types of machines there are depends on the server.
      expect(inferred.notes.filter((note) => !note.includes('InstanceGroup/bastions spec.machineType'))).toEqual([]);

      const spec = join(folder, `${name}.yaml`);
      writeFileSync(spec, wanted);
      const key = ['create', 'sshpublickey', '--name', name, '-i', join(folder, 'key.pub')];
      const terraform = ['update', 'cluster', name, '--target', 'terraform', '--out'];
      await ofKops('create', '-f', spec);
      await ofKops('create', 'sshpublickey', name, '-i', join(folder, 'key.pub'));
      await ofKops(...terraform, join(folder, `${name}.kops`));
      await ours('create', '-f', spec, ...state);
      await ours(...key, ...state);
      await ours(...terraform, join(folder, name), '--offline', ...state);
      const scoreFolders = await scorer<string>('score-terraform.mjs');
      const { notes } = scoreFolders(join(folder, `${name}.kops`), join(folder, name));
      expect(notes.filter((note) => !KNOWN.test(note))).toEqual([]);
    },
  );

  const ofKops = (...argv: readonly string[]): Promise<string> =>
    succeeds('kops', argv, kops?.run({ env }, ...argv) ?? Promise.reject(new Error('there is no kops')));
  const ours = (...argv: readonly string[]): Promise<string> => succeeds('kopsctl', argv, runCli(argv));
});

/**
 * What differs: policies, of which each writes its own; what needs an account or an image to be known; and a local value
 * in the place of a reference, which kops writes in releases up to 1.36.
 */
const KNOWN =
  /aws_iam_role_policy\.|aws_key_pair\.|aws_sqs_queue\.|^~ aws_launch_template\.\S+\n {4}want block_device_mappings.*\n {4}have block_device_mappings.*$|vpc_ipv6_cidr_block/;

async function succeeds(
  program: string,
  argv: readonly string[],
  running: PromiseLike<Pick<Ran, 'stdout' | 'stderr'> & { readonly exitCode?: number | undefined }>,
): Promise<string> {
  const { exitCode, stdout, stderr } = await running;
  expect(exitCode, `${program} ${argv.join(' ')}\n${stderr.slice(-1_000)}`).toBe(0);
  return stdout;
}
