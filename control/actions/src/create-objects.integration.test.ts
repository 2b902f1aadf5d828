import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createObjects } from './create-objects.ts';
import { deleteObjects } from './delete-objects.ts';
import type { ActionContext } from './phases/action.ts';
import { replaceObjects } from './replace-objects.ts';

const NAME = 'demo.example.com';
const cluster = (fields: string): string => `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata: {name: ${NAME}}
spec:
  ${fields}
`;
const LOCAL = 'cloudProvider: local';
const group = (fields: string): string => `---
apiVersion: kops.k8s.io/v1alpha2
kind: InstanceGroup
metadata: {name: control-plane, labels: {kops.k8s.io/cluster: ${NAME}}}
spec: {role: ControlPlane, ${fields}}
`;
const MEMBERS = 'etcdMembers: [{name: a, instanceGroup: control-plane}]';
const ETCD = `etcdClusters: [{name: main, ${MEMBERS}}, {name: events, ${MEMBERS}}]`;
const ONE = 'minSize: 1, maxSize: 1';

let folder: string;
let context: ActionContext;
let notes: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-create-'));
  await mkdir(join(folder, 'state'));
  const state = `file://${folder}/state`;
  notes = [];
  const onEvent: ActionContext['onEvent'] = (event) => void (event.type === 'note' && notes.push(event.line));
  context = { state, env: {}, signal: new AbortController().signal, onEvent };
});
afterEach(() => rm(folder, { recursive: true }));

async function written(text: string): Promise<string> {
  const file = join(folder, 'spec.yaml');
  await writeFile(file, text);
  return file;
}
const stored = async (): Promise<readonly string[]> =>
  (await readdir(join(folder, 'state'))).filter((name) => name !== '.kopsctl-store');

test.each([
  ['of a cloud that nothing drives', cluster('cloudProvider: hetzner') + group(ONE), 'cloud provider hetzner yet'],
  ['of such a cloud, without its groups', cluster('cloudProvider: hetzner'), 'cloud provider hetzner yet'],
  ['of a Kubernetes that is too new', cluster(`${LOCAL}\n  kubernetesVersion: 1.99.0`), 'KOPS_RUN_TOO_NEW_VERSION'],
  [
    'whose control planes never serve',
    cluster(`${LOCAL}\n  ${ETCD}`) + group('minSize: 3, maxSize: 3'),
    'needs a member of etcd cluster',
  ],
])('A new cluster %s is refused, and nothing of it is stored', async (_what, text, why) => {
  const file = await written(text);
  await expect(createObjects(context, [file])).rejects.toThrow(why);
  await expect(replaceObjects(context, { files: [file], force: true, dryRun: false })).rejects.toThrow(why);
  expect(await stored()).toEqual([]);
});

test('A new cluster whose groups follow in another file is stored, and so are they', async () => {
  await createObjects(context, [await written(cluster(LOCAL))]);
  expect((await createObjects(context, [await written(group(ONE))])).next).toEqual([['apply', '--name', NAME]]);
  expect(await stored()).toEqual([NAME]);
});

test('A spec of another cloud that kops stored can still be replaced', async () => {
  await mkdir(join(folder, 'state', NAME));
  await writeFile(join(folder, 'state', NAME, 'config'), cluster('cloudProvider: hetzner'));
  const file = await written(cluster('cloudProvider: hetzner\n  kubernetesVersion: 1.36.2'));
  const [replaced] = await replaceObjects(context, { files: [file], force: false, dryRun: false });
  expect(replaced).toMatchObject({ title: `cluster/${NAME}`, outcome: 'replace' });
});

test('Fields without an effect are told with their places once the cluster has groups, and only those of the files', async () => {
  const idle = (name: string) => `Left out: ${join(folder, 'spec.yaml')}:${name}`;
  await createObjects(context, [await written(cluster(`${LOCAL}\n  sshKeyName: mine`))]);
  expect(notes).toEqual([]);
  await createObjects(context, [await written(group(ONE))]);
  expect(notes).toEqual([]);
  const file = await written(cluster(`${LOCAL}\n  sshKeyName: mine`));
  await replaceObjects(context, { files: [file], force: false, dryRun: true });
  expect(notes).toEqual([expect.stringContaining(idle('6:3: spec.sshKeyName'))]);
});

test.each([true, false])(
  'Where a cluster of a file cannot be looked for in its cloud, that is the result (--yes %s), and it stays',
  async (yes) => {
    const file = await written(cluster(LOCAL));
    await createObjects(context, [file]);
    // The folder of local clusters is a file, so listing fails, and is tried again until the person interrupts.
    await writeFile(join(folder, 'local'), '');
    const interruption = new AbortController();
    const onEvent: ActionContext['onEvent'] = ({ type }) => {
      if (type === 'phase-started') setTimeout(() => interruption.abort(), 500);
    };
    const unreachable = { ...context, env: { KOPSCTL_LOCAL_DIR: join(folder, 'local') }, signal: interruption.signal };
    const deleted = await deleteObjects({ ...unreachable, onEvent }, { files: [file], yes, onFound: () => {} });
    expect(deleted).toMatchObject({ kind: 'unknown', cluster: NAME });
    expect(await stored()).toEqual([NAME]);
  },
);
