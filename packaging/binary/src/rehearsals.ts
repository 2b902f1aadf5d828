import { OWN_RELEASE } from '@kopsctl/actions/cloud/agents-release.ts';
import { agentsBinary, publishedEtcds } from '@kopsctl/model/assets/published-assets.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { OTHER_PLANS, planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import { BUCKET, IMAGE, MACHINE_TYPE } from './rehearsal-cloud.ts';

/**
 * The commands that a program runs while it is built, so that V8 compiles their code; the result is stored in the
 * executable. They run in a separate folder, reach nothing but the cloud of rehearsal-cloud.ts, and must all exit with 0.
 */
export interface Rehearsal {
  /**
   * The files of the folder. In them, in the commands and in the environment `@{folder}` stands for the folder's path, and
   * `@{cloud}` for the address of that cloud.
   */
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What the bucket of that cloud has, by key. */
  readonly bucket?: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
}

const CLUSTER = 'rehearsal.example.com';
const KUBERNETES = '1.32.0';

const group = (name: string, role: string): string => `---
apiVersion: kops.k8s.io/v1alpha2
kind: InstanceGroup
metadata:
  name: ${name}
  labels:
    kops.k8s.io/cluster: ${CLUSTER}
spec:
  role: ${role}
  image: ${IMAGE}
  machineType: ${MACHINE_TYPE}
  minSize: 1
  maxSize: 1
  subnets:
  - us-east-1a
`;

const SPEC = `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata:
  name: ${CLUSTER}
spec:
  cloudProvider: aws
  kubernetesVersion: ${KUBERNETES}
  networkCIDR: 172.20.0.0/16
  networking:
    cni: {}
  topology:
    dns:
      type: None
  subnets:
  - name: us-east-1a
    zone: us-east-1a
    type: Public
    cidr: 172.20.32.0/19
${group('control-plane', 'Master')}${group('nodes', 'Node')}`;

const STATE = ['--state', 'file://@{folder}/state'];
const BUCKET_STATE = ['--state', `s3://${BUCKET}`];

/** The hashes that the table of a release may lack would be asked of the internet. */
function fileHashes(): string {
  const version = kubernetesFacts(KUBERNETES)?.etcdVersion;
  const etcdClusters = version === undefined ? [] : [{ name: 'main', version }];
  const files = [...publishedEtcds({ etcdClusters }, 'amd64'), agentsBinary(OWN_RELEASE, 'amd64')];
  return JSON.stringify(Object.fromEntries(files.flatMap(({ urls }) => urls.map((url) => [url, 'ab'.repeat(32)]))));
}

/** Creates a cluster, stores it, shows it, plans it in AWS and renders it for Terraform. */
export const CLI_REHEARSAL: Rehearsal = {
  files: { 'cluster.yaml': SPEC },
  bucket: { [`${CLUSTER}/file-hashes.json`]: fileHashes() },
  env: {
    AWS_ENDPOINT_URL: '@{cloud}',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'rehearsal',
    AWS_SECRET_ACCESS_KEY: 'rehearsal',
  },
  commands: [
    ['--version'],
    ['create', 'cluster', CLUSTER, '--cloud', 'aws', '--zones', 'us-east-1a', '--dry-run', '-o', 'yaml', ...STATE],
    ['create', '-f', 'cluster.yaml', ...STATE],
    ['get', 'all', '--name', CLUSTER, ...STATE],
    ['explain', 'cluster', 'spec.networking'],
    ['__complete', '--', ...STATE, 'edit', 'cluster', 'r'],
    ['__complete', '--', 'edit', 'cluster', '--set', 'spec.netw'],
    ['update', 'cluster', CLUSTER, '--target', 'terraform', '--offline', '--out', 'terraform', ...STATE],
    ['create', '-f', 'cluster.yaml', ...BUCKET_STATE],
    ['get', 'all', '--name', CLUSTER, ...BUCKET_STATE],
    ['update', 'cluster', CLUSTER, '--target', 'terraform', '--out', 'terraform', ...BUCKET_STATE],
    ['update', 'cluster', CLUSTER, ...BUCKET_STATE],
  ],
};

const task = (kind: string, name: string, props: JsonObject): Task => ({ kind, name, props });

/** A node plan with one task of each kind that needs no keys to be planned. */
const TASKS: readonly Task[] = [
  task('User', 'etcd', { name: 'etcd', uid: 2379, home: '/var/etcd', shell: '/sbin/nologin' }),
  task('Package', 'conntrack', { name: 'conntrack' }),
  task('KernelModule', 'overlay', { name: 'overlay' }),
  task('Sysctls', 'network', { values: { 'net.ipv4.ip_forward': '1' } }),
  task('Directory', 'etc/cni', { path: '/etc/cni', mode: '0755' }),
  task('File', 'etc/hostname', { path: '/etc/hostname', mode: '0644', content: { text: '@{nodeName}\n' } }),
  task('Symlink', 'usr/bin/kubectl', { path: '/usr/bin/kubectl', target: '/usr/local/bin/kubectl' }),
  task('Asset', 'kubelet', { urls: ['https://assets.example.com/kubelet'], sha256: 'ab'.repeat(32) }),
  task('File', 'usr/local/bin/kubelet', {
    path: '/usr/local/bin/kubelet',
    mode: '0755',
    content: { assetPath: { ref: 'Asset/kubelet', output: 'path' }, sha256: 'ab'.repeat(32) },
  }),
  task('Archive', 'cni', {
    assetPath: { ref: 'Asset/kubelet', output: 'path' },
    identity: 'ab'.repeat(32),
    into: '/opt/cni/bin',
  }),
  task('Image', 'pause', {
    runtime: 'containerd',
    urls: ['https://assets.example.com/pause.tar'],
    sha256: 'ab'.repeat(32),
    image: 'pause:3.10',
  }),
  task('File', 'kubelet.service', {
    path: '/etc/systemd/system/kubelet.service',
    mode: '0644',
    content: { text: '[Service]\nExecStart=/usr/local/bin/kubelet\n' },
  }),
  task('Service', 'kubelet.service', {
    unit: 'kubelet.service',
    enabled: true,
    running: true,
    restartOn: [{ ref: 'File/kubelet.service' }],
    restartOnPaths: ['/etc/systemd/system/kubelet.service'],
  }),
];

/** nodeup plans for a machine that has none of the wanted files. */
export const AGENTS_REHEARSAL: Rehearsal = nodeupRehearsal();

function nodeupRehearsal(): Rehearsal {
  const plan = serializePlan({
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: CLUSTER,
    instanceGroup: 'nodes',
    role: 'Node',
    kubernetesVersion: '1.32.0',
    tasks: TASKS,
  });
  const hash = planHash(plan);
  const boot = {
    cloud: 'aws',
    stateStore: 'file://@{folder}/state',
    cluster: CLUSTER,
    instanceGroup: 'nodes',
    planHash: hash,
  };
  const facts = { instanceId: 'i-12345678', nodeName: 'i-12345678', address: '10.0.0.7', zone: 'us-east-1a' };
  const where = ['--config', 'boot.json', '--facts', 'facts.json', '--root', 'root'];
  return {
    files: {
      [`state/${planPath(CLUSTER, OTHER_PLANS, hash)}`]: new TextDecoder().decode(plan),
      'boot.json': JSON.stringify(boot),
      'facts.json': JSON.stringify(facts),
      'root/etc/hostname': 'machine\n',
    },
    commands: [['nodeup', '--dry-run', ...where]],
  };
}
