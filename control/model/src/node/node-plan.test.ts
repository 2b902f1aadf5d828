import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { renderTasks } from '@kopsctl/node-plan/render.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { nodeHandlers } from '@kopsctl/node-handlers/handlers.ts';
import { refsIn, resolveRefs } from '@kopsctl/tasks/references.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

const FACTS = {
  instanceId: 'i-1',
  nodeName: 'control-plane-1',
  address: '172.30.0.10',
  zone: 'local',
  resolvConf: '/etc/resolv.conf',
  authorityCa: 'LS0t',
};

function plans(spec: ClusterSpec = {}): readonly NodePlan[] {
  const { cluster, instanceGroups } = completedCluster({ spec });
  return instanceGroups.map((instanceGroup) =>
    buildNodePlan(
      { cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://169.254.169.254/state' },
      ASSETS,
      ['http://assets'],
    ),
  );
}

/** Every task that a task refers to. */
function neededBy(task: Task | undefined): readonly string[] {
  return task === undefined ? [] : refsIn(task.props).map(({ ref }) => ref);
}

const VARIANTS: readonly (readonly [string, ClusterSpec])[] = [
  ['containerd on local machines', {}],
  ['docker on local machines', { containerRuntime: 'docker' }],
  ['a current Kubernetes', { kubernetesVersion: '1.28.4' }],
];

describe.each(VARIANTS)('a node plan with %s', (_, spec) => {
  it('refers to nothing but its own tasks', () => {
    for (const plan of plans(spec)) {
      const ids = new Set<string>(plan.tasks.map(taskId));
      expect(plan.tasks.flatMap(neededBy).filter((ref) => !ids.has(ref))).toEqual([]);
    }
  });

  it('is understood by the handlers of its kinds', () => {
    const handlers = new Map(nodeHandlers.map((handler) => [handler.kind, handler]));
    for (const plan of plans(spec)) {
      for (const task of renderTasks(plan.tasks, FACTS)) {
        const props = resolveRefs(task.props, () => '/var/cache/kops/sha256/abc');
        expect(() => handlers.get(task.kind)?.parse(props)).not.toThrow();
        expect(handlers.has(task.kind)).toBe(true);
      }
    }
  });

  it('holds no secret', () => {
    for (const plan of plans(spec)) expect(new TextDecoder().decode(serializePlan(plan))).not.toMatch(/PRIVATE KEY/);
  });

  it('is the same, byte for byte, each time it is built', () => {
    expect(plans(spec).map(serializePlan)).toEqual(plans(spec).map(serializePlan));
  });

  it('uses only facts that nodes have', () => {
    for (const plan of plans(spec)) expect(() => renderTasks(plan.tasks, FACTS)).not.toThrow();
  });

  it('writes no path twice', () => {
    for (const plan of plans(spec)) {
      const paths = plan.tasks.map(({ props }) => props['path']).filter((path) => path !== undefined);
      expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
    }
  });
});

describe('what a person wrote', () => {
  it('means itself in a plan, whatever it looks like', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (content, label) => {
        const text = `${content}@{address}${label}`;
        const [plan] = plans({ fileAssets: [{ name: 'motd', path: '/etc/motd', content: text }] });
        const rendered = renderTasks(plan?.tasks ?? [], FACTS);
        const file = rendered.find(({ props }) => props['path'] === '/etc/motd');
        expect(file?.props['content']).toEqual({ text });
      }),
      { numRuns: often(20, 400) },
    );
  });

  it('is on machines of a role in each spelling of the role', () => {
    const fileAssets = ['node', 'Node', 'master', 'ControlPlane', 'control-plane'].map((role) => ({
      name: role,
      path: `/etc/${role}`,
      content: '',
      roles: [role],
    }));
    const written = plans({ fileAssets }).map(({ role, tasks }) => [
      role,
      fileAssets.map(({ path }) => path).filter((path) => tasks.some(({ props }) => props['path'] === path)),
    ]);
    expect(Object.fromEntries(written)).toEqual({
      ControlPlane: ['/etc/master', '/etc/ControlPlane', '/etc/control-plane'],
      Node: ['/etc/node', '/etc/Node'],
    });
  });

  it('is two files where two of one name have paths of their own', () => {
    const fileAssets = ['/etc/a', '/etc/b'].map((path) => ({ name: 'conf', path, content: '' }));
    const [plan] = plans({ fileAssets });
    const paths = plan?.tasks.map(({ props }) => props['path']);
    expect(paths).toEqual(expect.arrayContaining(['/etc/a', '/etc/b']));
  });

  it('sets kernel parameters in each form of sysctl, and leaves comments out', () => {
    const sysctlParameters = [
      '# net.core.somaxconn=1',
      '',
      'net/ipv4/conf/eth0.100/rp_filter = 0',
      'net.core.somaxconn=9',
    ];
    const [plan] = plans({ sysctlParameters });
    const task = plan?.tasks.find(({ kind }) => kind === 'Sysctls');
    expect(task?.props['values']).toMatchObject({ 'net.ipv4.conf.eth0/100.rp_filter': '0', 'net.core.somaxconn': '9' });
    const handler = nodeHandlers.find(({ kind }) => kind === 'Sysctls');
    expect(() => handler?.parse(task?.props ?? {})).not.toThrow();
  });

  it('may not take the place of a file that the node needs', () => {
    const fileAssets = [{ name: 'mine', path: '/etc/sysconfig/kubelet', content: '' }];
    expect(() => plans({ fileAssets })).toThrow('File/etc/sysconfig/kubelet is defined twice');
  });
});

describe('containerd', () => {
  it('asks what is near first, then the mirrors of the group, or else of the cluster; all are known before it starts', () => {
    const { cluster, instanceGroups } = completedCluster({
      spec: { containerd: { registryMirrors: { 'docker.io': ['https://one.test'], '*': ['https://all.test'] } } },
      nodes: { containerd: { registryMirrors: { 'docker.io': ['https://two.test'] } } },
    });
    const cloud = { ...localModelCloud, registryMirror: 'http://near.test' };
    const mirrors = instanceGroups.map((instanceGroup) => {
      const { tasks } = buildNodePlan({ cloud, cluster, instanceGroup, nodeStoreUrl: '' }, ASSETS, ['']);
      const files = tasks.filter((task) => task.name.startsWith('etc/containerd/certs.d/'));
      const unit = tasks.find(({ name, kind }) => kind === 'Service' && name === 'containerd.service');
      expect(neededBy(unit)).toEqual(expect.arrayContaining(files.map(taskId)));
      return files.map(({ name, props }) => {
        const { text } = { text: '', ...Object(props['content']) };
        return [name.split('/').at(-2), ...text.matchAll(/^\[host\."(.*)"\]$/gm).map(([, host]: string[]) => host)];
      });
    });
    const all = ['_default', 'http://near.test', 'https://all.test'];
    expect(mirrors).toEqual([
      [all, ['docker.io', 'http://near.test', 'https://one.test']],
      [all, ['docker.io', 'http://near.test', 'https://two.test']],
    ]);
  });
});

describe('the order of a boot', () => {
  const needs = (plan: NodePlan | undefined, id: string): readonly string[] => {
    const seen = new Set<string>();
    const visit = (next: string): void => {
      const task = plan?.tasks.find((candidate) => taskId(candidate) === next);
      for (const ref of neededBy(task)) {
        if (seen.has(ref)) continue;
        seen.add(ref);
        visit(ref);
      }
    };
    visit(id);
    return [...seen];
  };
  const [controlPlane, worker] = plans();

  it('starts protokube and etcd-manager without waiting for runtime, packages or images', () => {
    // Adding the user that may talk to it takes a moment, and waits for nothing itself.
    expect(needs(controlPlane, 'Service/protokube.service').filter((id) => !id.startsWith('File/'))).toEqual([
      'User/kops-node-authority',
    ]);
    expect(needs(controlPlane, 'Service/etcd-manager.service').filter((id) => !id.startsWith('File/'))).toEqual([
      'Archive/etcd-3.4.23',
      'Asset/etcd-3.4.23',
    ]);
  });

  it('starts kubelet without waiting for any image or manifest', () => {
    const before = [...needs(controlPlane, 'Service/kubelet.service'), ...needs(worker, 'Service/kubelet.service')];
    expect(before.filter((id) => id.startsWith('Image/') || id.includes('manifest'))).toEqual([
      'Directory/etc/kubernetes/manifests',
      'Directory/etc/kubernetes/manifests',
    ]);
  });

  it.each(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'])(
    'shows kubelet the manifest of %s only when its image is there',
    (component) => {
      const before = needs(controlPlane, `File/etc/kubernetes/manifests/${component}.manifest`);
      expect(before).toContain(`Image/${component}`);
      expect(before).toContain('Image/pause');
    },
  );
});

it('runs the hooks of the spec as units, in a container of the runtime or as they are written', () => {
  const hooks = [
    { name: 'tune', roles: ['Node'], before: ['kubelet.service'], manifest: 'Type=oneshot\nExecStart=/bin/true' },
    { name: 'masters', roles: ['Master'], manifest: 'ExecStart=/bin/false' },
    { name: 'ceph', execContainer: { image: 'busybox', command: ['sh', '-c', 'echo "$HOME" 100%'] } },
    { name: 'gone.timer', disabled: true },
  ];
  const [, worker] = plans({ hooks });
  const unit = (name: string) => worker?.tasks.find(({ props }) => props['path'] === `/etc/systemd/system/${name}`);
  expect(unit('masters.service')).toBeUndefined();
  expect(unit('tune.service')?.props['content']).toEqual({
    text: [
      '[Unit]\nDescription=Kops Hook tune\nBefore=kubelet.service\n',
      '[Service]\nType=oneshot\nExecStart=/bin/true\n',
      '[Install]\nWantedBy=multi-user.target\n',
    ].join('\n'),
  });
  expect(JSON.stringify(unit('ceph.service')?.props['content'])).toContain(
    String.raw`docker.io/library/busybox:latest ceph sh -c \"echo \\\"$$HOME\\\" 100%%\"`,
  );
  expect(worker?.tasks.find(({ name }) => name === 'gone.timer')?.props).toEqual({
    unit: 'gone.timer',
    enabled: false,
    running: false,
  });
});

it('a worker reads nothing of the state store', () => {
  const [, worker] = plans();
  const contents = (worker?.tasks ?? [])
    .map(({ props }) => props['content'] ?? null)
    .filter((content) => isRecord(content));
  const reads = contents.filter(({ secret, keyset }) => secret !== undefined || keyset !== undefined);
  expect(reads).toEqual([]);
  expect(worker?.tasks.filter(({ kind }) => kind === 'Certificate')).toEqual([]);
});

it('refuses Docker where Kubernetes cannot drive it', () => {
  expect(() => plans({ kubernetesVersion: '1.28.4', containerRuntime: 'docker' })).toThrow('dockershim was removed');
});

it('says which versions of an asset there are when the wanted one is missing', () => {
  expect(() => plans({ kubernetesVersion: '1.21.9' })).toThrow('the asset index lists only 1.28.4, 1.20.2');
});

describe('serving certificates', () => {
  const [controlPlane, worker] = plans();
  const certificates = (plan: NodePlan | undefined) => plan?.tasks.filter(({ kind }) => kind === 'Certificate') ?? [];
  const serving = certificates(controlPlane).filter(({ props }) => JSON.stringify(props['usages']) === '["server"]');

  it.each([
    ['kube-controller-manager-server', '/srv/kubernetes/kube-controller-manager/server.crt', 'kubernetes-ca'],
    ['kube-scheduler-server', '/srv/kubernetes/kube-scheduler/server.crt', 'kubernetes-ca'],
    ['kubelet-server', '/srv/kubernetes/kubelet-server.crt', 'kubelet-serving-ca'],
  ])('%s is where the component looks for it, and of its CA', (name, path, signer) => {
    const certificate = serving.find((task) => task.name === name);
    expect(certificate?.props).toMatchObject({ certificatePath: path, signer });
    const readers = controlPlane?.tasks.filter(
      ({ kind, props }) => kind === 'File' && JSON.stringify(props).includes(path),
    );
    expect(readers).toHaveLength(1);
  });

  it('the CA of kubelets signs nothing else, and only callers of kubelets trust it', () => {
    const signs = certificates(controlPlane).filter(({ props }) => props['signer'] === 'kubelet-serving-ca');
    expect(signs.map(({ name }) => name)).toEqual(['kubelet-server']);
    const text = JSON.stringify(controlPlane?.tasks);
    const flags = [...text.matchAll(/--([a-z-]+)=[^"\\]*kubelet-serving-ca\.(crt|key)/g)].map(([, flag = '']) => flag);
    expect(flags.toSorted()).toEqual([
      'cluster-signing-kubelet-serving-cert-file',
      'cluster-signing-kubelet-serving-key-file',
      'kubelet-certificate-authority',
    ]);
  });

  it('workers have none', () => {
    expect(certificates(worker)).toEqual([]);
  });
});
