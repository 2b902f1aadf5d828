import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planHash } from '@kopsctl/node-plan/plan-hash.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { refsIn } from '@kopsctl/tasks/references.ts';
import { taskId, type Json, type Task } from '@kopsctl/tasks/task.ts';
import { localCluster } from '@kopsctl/clouds/local/control/model/local-cluster.ts';
import { ASSETS } from './testdata/asset-index.ts';
import { completedCluster } from './testdata/clusters.ts';

function model(...args: Parameters<typeof completedCluster>): readonly Task[] {
  const completed = completedCluster(...args);
  return localCluster({
    ...completed,
    assets: ASSETS,
    storeUrl: 'file:///var/lib/state',
    assetsDir: '/var/cache/assets',
    sshPublicKeys: [],
    agents: { version: '0.1.0', baseUrl: 'https://releases.example.com' },
    sha256Of: unasked,
  });
}

/** Local machines download nothing from upstream projects. */
const unasked = (): never => {
  throw new Error('asked for a hash');
};

/** Plans have golden files of their own. Their bytes would make these unreadable. */
function shortened(tasks: readonly Task[]): readonly Json[] {
  return tasks.map(({ kind, name, props }) => {
    const { content, userData, ...rest } = props;
    const isPlan = name.startsWith('node-plan-');
    return {
      kind,
      name,
      props: {
        ...rest,
        ...(isPlan
          ? {
              path: JSON.stringify(props['path'])
                .replaceAll('"', '')
                .replace(/[0-9a-f]{64}/, '(hash)'),
            }
          : {}),
        ...(content === undefined ? {} : { content: isPlan ? '(the node plan)' : content }),
        ...(userData === undefined ? {} : { userData: '(the bootstrap script)' }),
      },
    };
  });
}

/** The content of a golden file. UPDATE=1 writes it first. */
function golden(name: string, text: string): string {
  const path = new URL(`testdata/golden/${name}`, import.meta.url);
  if (process.env['UPDATE'] === '1') writeFileSync(path, text);
  return readFileSync(path, 'utf8');
}

function textOf(tasks: readonly Task[], name: string, prop: string): string {
  const value = tasks.find((task) => task.name === name)?.props[prop];
  return typeof value === 'string' ? value : '';
}

describe('the model of a local cluster', () => {
  it.each([
    ['quickstart', {}],
    ['ha', { controlPlanes: 3 }],
  ] as const)('is what the golden %s shows', (name, options) => {
    const text = printObject(shortened(model(options)));
    expect(text).toBe(golden(`${name}-tasks.yaml`, text));
  });

  it.each(['control-plane', 'nodes'])('plans the nodes of %s as the golden shows', (group) => {
    const text = printObject(JSON.parse(textOf(model(), `node-plan-${group}`, 'content')));
    expect(text).toBe(golden(`quickstart-${group}.yaml`, text));
  });

  it('is identical each time it is built', () => {
    expect(JSON.stringify(model())).toBe(JSON.stringify(model()));
  });

  it('refers only to its own tasks', () => {
    const tasks = model({ controlPlanes: 3 });
    const ids = new Set<string>(tasks.map(taskId));
    expect(tasks.flatMap(({ props }) => refsIn(props)).filter(({ ref }) => !ids.has(ref))).toEqual([]);
    expect(ids.size).toBe(tasks.length);
  });

  it('pins the hash of the plan in the user-data of its machines', () => {
    const tasks = model();
    const hash = planHash(new TextEncoder().encode(textOf(tasks, 'node-plan-nodes', 'content')));
    expect(textOf(tasks, 'node-plan-nodes', 'path')).toBe(`worker-plans/${hash}.json`);
    expect(textOf(tasks, 'nodes-1', 'userData')).toContain(hash);
  });

  it('changes the user-data only of the group that an edit concerns', () => {
    const [before, after] = [model(), model({ nodes: { nodeLabels: { disk: 'fast' } } })];
    expect(textOf(after, 'nodes-1', 'userData')).not.toBe(textOf(before, 'nodes-1', 'userData'));
    expect(textOf(after, 'control-plane-1', 'userData')).toBe(textOf(before, 'control-plane-1', 'userData'));
  });

  it('downloads from the mirror first if the spec names one', () => {
    const tasks = model({ spec: { assets: { fileRepository: 'https://mirror.test/kops/' } } });
    expect(textOf(tasks, 'node-plan-nodes', 'content')).toContain(
      '["https://mirror.test/kops/v1.20.2/bin/linux/amd64/kubelet","file:///opt/kops/assets/v1.20.2/bin/linux/amd64/kubelet","http://169.254.169.254/assets/v1.20.2/bin/linux/amd64/kubelet"]',
    );
  });
});

it('the stored completed spec can be read again', () => {
  const { errors } = parseObjects(textOf(model(), 'cluster-completed', 'content'), 'cluster.spec');
  expect(errors).toEqual([]);
});
