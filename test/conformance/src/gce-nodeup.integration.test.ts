import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTHER_PLANS, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { metadataOf, serveGceMetadata } from './gce-machine.ts';
import { startGcs } from './gcs-server.ts';
import { whoPlan } from './who-plan.ts';

const NODEUP = join(import.meta.dirname, '../../../agents/nodeup/src/main.ts');
const CLUSTER = 'demo.example.com';
const machine = { project: 'acme', zone: 'us-east1-b', name: 'nodes-x7k2', address: '10.0.0.7', token: 'ya29.nodes' };

test('nodeup fetches its plan from gs:// and reports there with only the service account of its machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kops-gce-nodeup-'));
  const metadata = await serveGceMetadata(metadataOf(machine));
  const gcs = await startGcs(machine.token);
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    GCE_METADATA_HOST: metadata.url.replace('http://', ''),
    CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE: `${gcs.endpoint}/`,
  };
  try {
    const { bytes, hash } = whoPlan(CLUSTER, { kubernetesVersion: '1.35.1' });
    await put(gcs.endpoint, planPath(CLUSTER, OTHER_PLANS, hash), bytes);
    const boot = { cloud: 'gce', stateStore: 'gs://state', cluster: CLUSTER, instanceGroup: 'nodes', planHash: hash };
    await writeFile(join(folder, 'boot.json'), JSON.stringify(boot));
    const root = join(folder, 'root');
    await mkdir(root);
    const command = [NODEUP, '--config', join(folder, 'boot.json'), '--root', root];
    const { exitCode, stderr } = await execa(process.execPath, command, { extendEnv: false, env, reject: false });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining('warn') });
    expect(await readFile(join(root, 'etc/who'), 'utf8')).toBe('nodes-x7k2 10.0.0.7 us-east1-b us-east1-b/nodes-x7k2');
    const report = await get(gcs.endpoint, `${CLUSTER}/nodes/nodes-x7k2/boot-report.json`);
    expect(report).toMatchObject({ node: 'nodes-x7k2', result: 'done' });
  } finally {
    await metadata.stop();
    await gcs.stop();
    await rm(folder, { recursive: true });
  }
});

const headers = { authorization: `Bearer ${machine.token}` };

async function put(endpoint: string, name: string, body: Uint8Array): Promise<void> {
  const query = new URLSearchParams({ uploadType: 'resumable', name });
  const session = await fetch(`${endpoint}/upload/storage/v1/b/state/o?${query.toString()}`, {
    method: 'POST',
    headers,
  });
  const sent = await fetch(session.headers.get('location') ?? '', { method: 'PUT', headers, body: Buffer.from(body) });
  if (!sent.ok) throw new Error(await sent.text());
}

async function get(endpoint: string, name: string): Promise<unknown> {
  const answer = await fetch(`${endpoint}/storage/v1/b/state/o/${encodeURIComponent(name)}?alt=media`, { headers });
  return answer.json();
}
