import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ANYBODY, REGION } from './aws-account.ts';
import type { MotoServer } from './moto.ts';
import { replayRecording } from './replay-recording.ts';
import { type Ran, runCli } from './warm-cli.ts';

const BUCKET = 'kops-state';

/** A cluster that kops made, in a cloud and a state store that stand in for AWS. */
export interface KopsMade {
  readonly store: StateStore;
  kopsctl(...argv: readonly string[]): Promise<Ran>;
  /** The environment in which programs of others find the same cloud and store. */
  readonly env: Readonly<Record<string, string>>;
  /** Every object of the store, by path. */
  objects(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

export async function openKopsMade(moto: MotoServer, cluster: string): Promise<KopsMade> {
  await replayRecording(moto, cluster);
  const { endpoint } = moto;
  const store = createS3Store(`s3://${BUCKET}`, { endpoint, credentials: ANYBODY, region: REGION });
  await makeUpHashes(store, cluster);
  const folder = await mkdtemp(join(tmpdir(), 'kops-made-'));
  const env = {
    AWS_ENDPOINT_URL: endpoint,
    S3_ENDPOINT: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: ANYBODY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ANYBODY.secretAccessKey,
    KOPS_STATE_STORE: `s3://${BUCKET}`,
    KUBECONFIG: join(folder, 'kubeconfig'),
  };
  return {
    store,
    env,
    async kopsctl(...argv) {
      // kopsctl finds the store where it finds the rest of AWS: machines could not be told of a server for the store alone.
      const { S3_ENDPOINT: _, ...own } = env;
      return runCli(argv, own);
    },
    async objects() {
      const listed = await store.list('');
      const read = listed.map(async ({ path }) => {
        const bytes = (await store.read(path))?.bytes ?? new Uint8Array();
        return [path, Buffer.from(bytes).toString('base64')] as const;
      });
      return new Map(await Promise.all(read));
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** Hashes follow from the release and from certificates that are made each time. */
export const masked = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{64}\.json/g, '<hash>.json')
    .replaceAll(/sha256:[0-9a-f]{12}/g, 'sha256:<hash>')
    .replaceAll(/kopsctl [0-9a-f]{20,}…/g, 'kopsctl <hash>')
    .replaceAll(/^Left out: .*\n/gm, '');

/** The text of a golden file. `UPDATE=1` writes it first: read the difference before you commit it. */
export async function golden(name: string, text: string): Promise<string> {
  const path = new URL(`testdata/adopt/${name}`, import.meta.url);
  if (process.env['UPDATE'] === '1') await writeFile(path, text);
  return readFile(path, 'utf8');
}
