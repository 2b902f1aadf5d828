import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newIdentity } from '@kopsctl/state-store/testing/new-identity.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, type TestCluster, until } from './cluster.ts';
import { describeSeparateApiServer } from './separate-api-server.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const SEALED = /^\{"format":"kopsctl\.io\/envelope\/v1",/;
const CA_KEY = '/srv/kubernetes/kube-controller-manager/ca.key';

describe.skipIf(reason !== undefined)('a cluster whose keysets are sealed for an identity of age', () => {
  let folder: string;
  let spec: string;
  let recipient: string;
  let cluster: TestCluster;

  const template = (): Promise<string> => readFile(join(import.meta.dirname, 'keyset-encryption.yaml'), 'utf8');
  const apply = async (stateKey: string): Promise<string> => {
    await writeFile(spec, (await template()).replace('RECIPIENT', stateKey));
    const { exitCode, stdout, stderr } = await cluster.kopsctl('apply', '-f', spec, '--yes');
    if (exitCode !== 0) throw new Error(stderr);
    return stdout + stderr;
  };
  /** What the store holds in the folders that are sealed, by path. */
  const stored = async (): Promise<ReadonlyMap<string, string>> => {
    const root = join(dirname(cluster.kubeconfig), 'state', cluster.name);
    // A cluster has no folder of secrets before it has one.
    const lists = await Promise.all(
      ['pki/private', 'secrets'].map((name) =>
        readdir(join(root, name), { recursive: true, withFileTypes: true }).catch(() => []),
      ),
    );
    const files = lists.flat().flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []));
    return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
  };
  /** The paths of objects of another form. */
  const storedUnless = async (form: RegExp): Promise<readonly string[]> =>
    [...(await stored())].flatMap(([path, text]) => (form.test(text) ? [] : [path]));
  const allReady = (count: number): Promise<true> =>
    until(`${count} nodes are ready`, 180_000, async () => {
      const conditions = '{.items[*].status.conditions[?(@.type=="Ready")].status}';
      const statuses = await cluster.kubectl('get', 'nodes', '-o', `jsonpath=${conditions}`);
      return statuses === Array.from({ length: count }, () => 'True').join(' ') ? true : undefined;
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-sealed-'));
    const made = await newIdentity();
    recipient = made.recipient;
    const identity = join(folder, 'state-identity');
    await writeFile(identity, `${made.identity}\n`, { mode: 0o600 });
    process.env['KOPSCTL_STATE_IDENTITY'] = identity;
    spec = join(folder, 'cluster.yaml');
    await writeFile(spec, (await template()).replace('RECIPIENT', recipient));
    cluster = await testCluster(spec);
    await apply(recipient);
  });
  afterAll(async () => {
    await cluster?.destroy();
    await rm(folder, { recursive: true, force: true });
  });

  test('boots, and nothing of its keysets and secrets is in the clear in its store', async () => {
    await allReady(3);
    expect((await stored()).size).toBeGreaterThan(5);
    expect(await storedUnless(SEALED)).toEqual([]);
    expect([...(await stored()).values()].join('')).not.toMatch(/privateMaterial|PRIVATE KEY|"Data"/);
  });

  test('is accessible to those who have the identity, and to nobody else', async () => {
    const listed = await cluster.kopsctl('get', 'keypairs');
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toContain('kubernetes-ca');
    const exported = await cluster.kopsctl('export', 'kubeconfig');
    expect(exported.exitCode).toBe(0);

    const mine = process.env['KOPSCTL_STATE_IDENTITY'];
    const { identity } = await newIdentity();
    const theirs = join(folder, 'their-identity');
    await writeFile(theirs, `${identity}\n`, { mode: 0o600 });
    process.env['KOPSCTL_STATE_IDENTITY'] = theirs;
    try {
      const refused = await cluster.kopsctl('get', 'keypairs');
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain('none of the identities here is one of its recipients');
    } finally {
      process.env['KOPSCTL_STATE_IDENTITY'] = mine;
    }
  });

  test('its control plane boots again with nothing but what the metadata service opens for it', async () => {
    const [machine] = (await cluster.machines()).filter(({ role }) => role === 'ControlPlane');
    if (machine === undefined) throw new Error('there is no control plane');
    await cluster.on(machine.name, 'rm', CA_KEY);
    await cluster.stop(machine.name);
    await cluster.start(machine.name);
    const hasKey = async (): Promise<true | undefined> =>
      (await cluster.on(machine.name, 'test', '-s', CA_KEY)).exitCode === 0 ? true : undefined;
    expect(await until('nodeup has the key of the CA again', 120_000, hasKey)).toBe(true);
    await allReady(3);
  });

  test('a secret that is brought is sealed', async () => {
    const file = join(folder, 'docker.json');
    await writeFile(file, '{"auths":{}}');
    expect((await cluster.kopsctl('create', 'secret', 'dockerconfig', '-f', file)).exitCode).toBe(0);
    const [, text] = [...(await stored())].find(([path]) => path.endsWith('/dockerconfig')) ?? [];
    expect(text).toMatch(SEALED);
  });

  test('the key is given up by saying so, and taken up again', async () => {
    await writeFile(spec, (await template()).replace(/ {2}annotations:\n.*RECIPIENT\n/, ''));
    const forgotten = await cluster.kopsctl('apply', '-f', spec, '--yes');
    expect(forgotten.exitCode).toBe(1);
    expect(forgotten.stderr).toContain('put the annotation back, or set it to none');

    expect(await apply('none')).toMatch(/write \d+ objects below pki\/private and secrets in the clear/);
    expect(await storedUnless(/privateMaterial|"Data"/)).toEqual([]);
    expect(await apply(recipient)).toMatch(/seal \d+ objects below pki\/private and secrets with age1/);
    expect(await storedUnless(SEALED)).toEqual([]);
  });

  describe('and an API server of it on a separate machine', () => {
    describeSeparateApiServer(() => cluster);
  });
});
