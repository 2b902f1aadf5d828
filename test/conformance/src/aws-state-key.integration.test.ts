import { CreateKeyCommand, DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { aws } from '@kopsctl/clouds/aws/control/aws.ts';
import { awsNode } from '@kopsctl/clouds/aws/node/node-part.ts';
import { openNodeStore } from '@kopsctl/clouds/node.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { OpenStateKey, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Metadata, serveMetadata } from './aws-machine.ts';
import { startMoto } from './moto.ts';
import { credentials, makeBucket } from './s3-server.ts';

const REGION = 'us-east-1';
const CLUSTER = 'demo.example.com';
const OBJECT = { cluster: CLUSTER, path: 'pki/private/kubernetes-ca/keyset.yaml' };
const CA = `${OBJECT.cluster}/${OBJECT.path}`;
const METADATA: Metadata = {
  'placement/region': REGION,
  'iam/security-credentials/': 'masters.demo',
  'iam/security-credentials/masters.demo': JSON.stringify({
    Code: 'Success',
    AccessKeyId: 'ASIATEST',
    SecretAccessKey: 'test',
    Token: 'token',
    Expiration: new Date(Date.now() + 6 * 60 * 60 * 1000).toISOString(),
  }),
};

const moto = await startMoto();

describe.skipIf(moto === undefined)('a key of KMS that seals the state store', () => {
  if (moto === undefined) return;
  const witness = new KMSClient({ endpoint: moto.endpoint, region: REGION, credentials });
  let metadata: Awaited<ReturnType<typeof serveMetadata>>;
  let machineEnv: Record<string, string>;
  let openKey: OpenStateKey;
  let arn: string;
  let key: StateKey;

  const newKey = async (): Promise<string> =>
    (await witness.send(new CreateKeyCommand({}))).KeyMetadata?.Arn ?? 'none was made';

  beforeAll(async () => {
    metadata = await serveMetadata(METADATA);
    machineEnv = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url, AWS_ENDPOINT_URL: moto.endpoint };
    openKey = awsNode.openStateKeys?.(machineEnv) ?? (() => Promise.reject(new Error('AWS has no keys')));
    arn = await newKey();
    key = await openKey(arn, undefined);
  });
  afterAll(async () => {
    witness.destroy();
    await metadata.stop();
    await moto.stop();
  });

  const dataKey = Buffer.alloc(32, 7);
  const EncryptionContext = { KubernetesCluster: CLUSTER, KopsObject: OBJECT.path };

  test("AWS's own client opens what a machine wraps, with the cluster and the path as its context", async () => {
    const CiphertextBlob = await key.wrap(dataKey, OBJECT, undefined);
    const { Plaintext, KeyId } = await witness.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
    expect(KeyId).toBe(arn);
    expect(Buffer.from(Plaintext ?? [])).toEqual(dataKey);
    await expect(
      witness.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { KubernetesCluster: CLUSTER } })),
    ).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  test("a machine opens what AWS's own client wraps", async () => {
    const { CiphertextBlob } = await witness.send(
      new EncryptCommand({ KeyId: arn, Plaintext: dataKey, EncryptionContext }),
    );
    expect(Buffer.from(await key.unwrap(CiphertextBlob ?? new Uint8Array(), OBJECT, undefined))).toEqual(dataKey);
  });

  test("a machine opens what a person wraps with the credentials of AWS's own tools", async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    try {
      expect(aws.traits.stateKeys?.isKey(arn)).toBe(true);
      const persons = await aws.openStateKey?.(arn, { AWS_ENDPOINT_URL_KMS: moto.endpoint });
      const wrapped = await persons?.wrap(dataKey, OBJECT, undefined);
      expect(Buffer.from(await key.unwrap(wrapped ?? new Uint8Array(), OBJECT, undefined))).toEqual(dataKey);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each([
    ['another path', { ...OBJECT, path: 'secrets/gossip-key' }],
    ['another cluster', { ...OBJECT, cluster: 'other.example.com' }],
  ])('what was wrapped for %s is refused', async (_what, object) => {
    const wrapped = await key.wrap(dataKey, object, undefined);
    await expect(key.unwrap(wrapped, OBJECT, undefined)).rejects.toThrow(/sealed for another path, cluster or key/);
  });

  test('a key that is not there is named', async () => {
    const missing = `arn:aws:kms:${REGION}:123456789012:key/00000000-0000-0000-0000-000000000000`;
    const other = await openKey(missing, undefined);
    await expect(other.wrap(dataKey, OBJECT, undefined)).rejects.toMatchObject({
      name: 'ActionableError',
      message: expect.stringMatching(`seal ${OBJECT.path} with ${missing}: NotFoundException`),
    });
  });

  test('a control plane reads a keyset that a person sealed in a bucket, and what it writes stays sealed', async ({
    onTestFinished,
  }) => {
    const url = `s3://${await makeBucket(moto, 'sealed-state', true)}`;
    const bucket = createS3Store(url, { endpoint: moto.endpoint, credentials });
    const persons = openSealed(bucket, { openKey, sealingOf: async () => ({ with: arn }) });
    await persons.write(CA, Buffer.from('kind: Keyset'), { ifAbsent: true });
    const path = `${CLUSTER}/secrets/gossip-key`;
    const { version } = await persons.write(path, Buffer.from('first'), { ifAbsent: true });

    const { signal } = new AbortController();
    // The client of S3 looks for credentials in the environment of its process, before it asks the metadata service.
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    onTestFinished(() => void vi.unstubAllEnvs());
    const machines = await openNodeStore({ cloud: 'aws', stateStore: url }, machineEnv, signal);
    expect(Buffer.from((await machines.read(CA))?.bytes ?? []).toString()).toBe('kind: Keyset');
    await machines.write(path, Buffer.from('second'), { ifVersion: version });

    expect(Buffer.from((await persons.read(path))?.bytes ?? []).toString()).toBe('second');
    for (const sealed of [CA, path]) {
      const text = Buffer.from((await bucket.read(sealed))?.bytes ?? []).toString();
      expect(JSON.parse(text)).toMatchObject({ format: 'kopsctl.io/envelope/v1', key: arn });
    }
    expect(metadata.asked).toContain('GET /latest/meta-data/iam/security-credentials/masters.demo');
  });
});
