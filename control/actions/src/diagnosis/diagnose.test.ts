import type { Machine } from '@kopsctl/model/cloud.ts';
import { expect, test } from 'vitest';
import { diagnose, diagnoseGroup } from './diagnose.ts';
import type { KeptReport } from '../follow/read-machine-report.ts';
import type { NodeEvidence } from './evidence.ts';
import { groupNotAsked, isUnknown, unknownToStore } from './unknown-node.ts';

const AT = Date.parse('2026-05-01T12:00:00Z');

const MACHINE: Machine = {
  name: 'nodes-1',
  nodeName: 'nodes-1',
  role: 'Node',
  instanceGroup: 'nodes',
  address: '10.0.0.2',
  state: 'running',
};

/** A worker that is as it should be. */
const WELL: NodeEvidence = {
  node: 'nodes-1',
  atMs: AT,
  machine: MACHINE,
  report: { startedAt: '2026-05-01T11:50:00Z', finishedAt: '2026-05-01T11:50:30Z', result: 'done', tasks: [] },
  enrolment: { enrolledAt: '2026-05-01T11:51:00Z' },
  objects: { node: nodeWith([{ type: 'Ready', status: 'True' }]), events: [], pods: [] },
  journal: [],
  console: [],
};

function nodeWith(
  conditions: readonly { readonly type: string; readonly status: string; readonly message?: string }[],
) {
  return { name: 'nodes-1', machineId: undefined, conditions };
}

const WELL_NODE = nodeWith([{ type: 'Ready', status: 'True' }]);
const stateWith = (units: Readonly<Record<string, string>>): string =>
  JSON.stringify({ discovery: { by: 'cloud', names: 1 }, volumes: {}, isLeader: false, units, failures: {} });

const notReady = (message: string) => ({
  node: nodeWith([{ type: 'Ready', status: 'False', message }]),
  events: [],
  pods: [],
});

const failedBoot = (task: string, error: string): NodeEvidence['report'] => ({
  startedAt: '2026-05-01T11:50:00Z',
  result: 'failed',
  tasks: [{ task, durationMs: 10, result: 'failed', error }],
});

const EXPIRED = { notAfter: '2026-04-30T12:00:00Z', renewalFailure: 'the authority refused' };
const IN_A_DAY = { notAfter: '2026-05-02T12:00:00Z' };
const IN_SIX_HOURS = { notAfter: '2026-05-01T18:00:00Z' };
const IN_A_YEAR = { notAfter: '2027-05-01T12:00:00Z' };
const keptWith = (
  certificates: Readonly<Record<string, { readonly notAfter: string; readonly renewalFailure?: string }>>,
): KeptReport => ({
  writtenAt: '2026-05-01T11:59:00Z',
  state: { units: {}, certificates, clock: { isSynchronized: false }, failures: {} },
  errors: [],
});

const noNode = { node: undefined, events: [], pods: [] };

test('a bastion, on which nodeup does not run and which has no Node, is well while it runs', () => {
  const machine = { ...MACHINE, role: 'Bastion' };
  const bastion: NodeEvidence = {
    ...WELL,
    machine,
    report: undefined,
    enrolment: undefined,
    objects: { node: undefined, events: [], pods: [] },
  };
  expect(diagnose(bastion)).toEqual([]);
  expect(diagnose({ ...bastion, objects: { failure: 'no answer' } })).toEqual([]);
  expect(diagnose({ ...bastion, machine: { ...machine, state: 'stopped' } })).toMatchObject([
    { what: 'the machine is stopped' },
  ]);
});

test('a certificate of three days that is not due yet is not named', () => {
  const state = JSON.stringify({ certificates: { 'kubelet-client': IN_A_DAY }, failures: {} });
  const objects = { ...WELL.objects, node: { ...WELL_NODE, state } } as NodeEvidence['objects'];
  expect(diagnose({ ...WELL, objects })).toEqual(diagnose(WELL));
});

test('nothing is found on a node that is well', () => {
  expect(diagnose(WELL)).toEqual([]);
});

test.each<[kind: string, change: Partial<NodeEvidence>, says: RegExp]>([
  ['no machine', { machine: undefined, objects: noNode }, /the cloud has no machine nodes-1/],
  ['a stopped machine', { machine: { ...WELL.machine, state: 'stopped' } as NodeEvidence['machine'] }, /is stopped/],
  [
    'an unreachable store, seen on the console',
    {
      report: undefined,
      enrolment: undefined,
      objects: noNode,
      console: ['nodeup: cannot read s3://bucket/x: connect ECONNREFUSED 10.0.0.9:9000'],
    },
    /has not reported .*cannot reach something/,
  ],
  [
    'a full disk',
    { report: failedBoot('Asset/kubelet', 'write: No space left on device'), objects: noNode },
    /Asset\/kubelet: a disk .* is full/,
  ],
  [
    'a wrong hash',
    { report: failedBoot('Asset/kubelet', 'its sha256 is aa, expected bb'), objects: noNode },
    /not what the plan .* pins/,
  ],
  [
    'a file that was never published',
    { report: failedBoot('Asset/x', 'GET https://e.com/x: 404'), objects: noNode },
    /not where it is looked for/,
  ],
  [
    'a wrong image',
    { report: failedBoot('Image/pause', 'failed to pull image "pause:9": not found'), objects: noNode },
    /image cannot be pulled/,
  ],
  [
    'DNS that does not answer',
    {
      objects: {
        node: WELL_NODE,
        events: [],
        pods: [
          {
            name: 'a',
            reasons: [
              'ErrImagePull: failed to pull image: dial tcp: lookup e.com on 10.0.0.2:53: read udp 10.0.0.3: i/o timeout',
            ],
          },
        ],
      },
    },
    /the pod a is not ready: the DNS servers of the machine do not answer/,
  ],
  [
    'a bad pod network',
    {
      objects: notReady(
        'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized',
      ),
    },
    /pod network of the machine is not set up/,
  ],
  [
    'a runtime that does not answer',
    {
      objects: notReady('container runtime is down'),
      journal: [
        'May 01 12:00:00 nodes-1 kubelet[9]: E0501 12:00:00.000000 9 kubelet.go:3247] "Container runtime sanity check failed" err="rpc error: code = Unavailable desc = dial unix /run/containerd/containerd.sock: connect: no such file or directory"',
      ],
    },
    /says that it is not ready: the container runtime of the machine does not run/,
  ],
  [
    'an expired certificate',
    {
      objects: noNode,
      journal: ['May 1 nodes-1 kubelet[9]: x509: certificate has expired or is not yet valid: current time 2027'],
    },
    /has not registered .*certificate has expired/,
  ],
  [
    'a certificate that the API server does not take',
    { objects: noNode, journal: ['May 1 nodes-1 kubelet[9]: E0501 "Unable to register node" err="Unauthorized"'] },
    /has not registered .*the API server does not accept its certificate/,
  ],
  [
    'a mirror that wants credentials',
    { report: failedBoot('Asset/x', 'GET https://e.com/x: 401 Unauthorized'), objects: noNode },
    /Asset\/x: the machine lacks a right that it needs/,
  ],
  ['a worker that was never attested', { enrolment: undefined, objects: noNode }, /has not proven itself/],
  [
    'a machine that is refused its name',
    { objects: { ...noNode, events: [{ reason: 'AttestationRefused', message: 'it has another key' }] } },
    /node authority refuses/,
  ],
  [
    'a machine that was revoked',
    { enrolment: { enrolledAt: '', revokedAt: '2026-05-01T11:55:00Z', reason: 'stolen' } },
    /shut out of the cluster/,
  ],
  [
    'a kubelet that no longer reports',
    {
      objects: {
        ...noNode,
        node: nodeWith([{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }]),
      },
    },
    /no longer reports/,
  ],
  [
    'an operating system that stopped, seen on the console',
    {
      objects: {
        ...noNode,
        node: nodeWith([{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }]),
      },
      console: ['[  12.3] Kernel panic - not syncing: VFS: Unable to mount root fs'],
    },
    /no longer reports.*: the operating system of the machine has stopped/,
  ],
  [
    'a kubelet that somebody stopped',
    {
      objects: { ...noNode, node: { ...WELL_NODE, state: stateWith({ 'kubelet.service': 'it was stopped' }) } },
      journal: ['May 1 nodes-1 coredns[9]: connection refused'],
    },
    /^kubelet\.service does not run on the machine, it was stopped$/,
  ],
  [
    'a kubelet with a flag that it does not know',
    {
      objects: {
        ...noNode,
        node: { ...WELL_NODE, state: stateWith({ 'kubelet.service': 'it ends again and again (exit-code)' }) },
      },
      journal: [
        'May 1 nodes-1 kubelet[9]: E0501 "command failed" err="failed to parse kubelet flag: unknown flag: --x"',
      ],
    },
    /^kubelet\.service does not run .*does not understand its flags/,
  ],
  [
    'a certificate of kubelet that has expired, told by what the machine kept in the store',
    {
      objects: {
        ...noNode,
        node: nodeWith([{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }]),
      },
      kept: keptWith({ 'kube-proxy': IN_A_YEAR, 'kubelet-client': EXPIRED }),
    },
    /^the certificate kubelet-client of the machine has expired, at 2026-04-30T12:00:00Z$/,
  ],
  [
    'a certificate of the API server that has expired, though the API does not answer',
    {
      machine: { ...WELL.machine, role: 'ControlPlane' } as NodeEvidence['machine'],
      objects: { failure: 'certificate has expired' },
      kept: keptWith({ 'kubelet-client': IN_A_YEAR, 'kube-apiserver': EXPIRED }),
    },
    /^the certificate kube-apiserver of the machine has expired/,
  ],
  [
    'a certificate that expires soon and was not renewed',
    {
      objects: {
        ...noNode,
        node: {
          ...WELL_NODE,
          state: JSON.stringify({ certificates: { 'kubelet-client': IN_SIX_HOURS }, failures: {} }),
        },
      },
    },
    /^the certificate kubelet-client of the machine expires soon and was not renewed/,
  ],
  [
    'a clock that is hours behind',
    { objects: noNode, clockAheadMs: -7 * 60 * 60_000 },
    /^the clock of the machine is 7 hours behind$/,
  ],
  [
    'a clock that is ahead on a Ready node',
    { clockAheadMs: 2 * 60_000 },
    /^the clock of the machine is 2 minutes ahead$/,
  ],
  ['an API that does not answer', { objects: { failure: 'connect ETIMEDOUT 10.0.0.1:443' } }, /API does not answer/],
])('%s is named', (_, change, says) => {
  const [first] = diagnose({ ...WELL, ...change });
  expect(first?.what).toMatch(says);
  expect(first?.next).toMatch(/./);
});

/** As kubelet, containerd, etcd and the API server of 1.36 print it in machines with these faults. */
const K = 'May 01 12:00:00 nodes-1 kubelet[9]: E0501 12:00:00.000000       9 ';
const SILENT = { failure: 'connect ECONNREFUSED 127.0.0.1:40145' };
const CONTROL_PLANE = { ...WELL.machine, role: 'ControlPlane' } as NodeEvidence['machine'];
const ASKS_ITSELF = `${K}controller.go:201] "Failed to ensure lease exists, will retry" err="Get \\"https://127.0.0.1/apis/coordination.k8s.io/v1/leases/nodes-1?timeout=1s\\": dial tcp 127.0.0.1:443: connect: connection refused"`;
const ENDS_AGAIN = `${K}pod_workers.go:1338] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"kube-apiserver\\" with CrashLoopBackOff: \\"back-off 40s\\""`;

test.each<[kind: string, journal: readonly string[], says: RegExp]>([
  ['nothing that is known', [ASKS_ITSELF], /is not known$/],
  ['an API server that ends', [ENDS_AGAIN, ASKS_ITSELF], /its kube-apiserver ends again and again$/],
  [
    'a flag that the API server does not know',
    [ASKS_ITSELF, 'May 01 12:00:00 nodes-1 kube-apiserver[4]: Error: unknown flag: --no-such-flag', ENDS_AGAIN],
    /does not understand its flags/,
  ],
  [
    'an image of the API server that is not there',
    [
      `${K}pod_workers.go:1338] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"kube-apiserver\\" with ErrImagePull: \\"not found\\""`,
      ASKS_ITSELF,
    ],
    /an image cannot be pulled/,
  ],
  [
    'an API server that was stopped',
    [
      'May 01 12:00:00 nodes-1 kube-apiserver[1]: E0501 secure_serving.go:243] Failed to shutdown server: context deadline exceeded',
    ],
    /is not known$/,
  ],
  [
    'a request about its pod that is refused',
    [
      `${K}status_manager.go:1164] "Failed to get status for pod" err="pods \\"kube-apiserver-nodes-1\\" is forbidden: User \\"system:node:nodes-1\\" cannot get resource"`,
    ],
    /is not known$/,
  ],
  [
    'an etcd that does not answer the API server',
    [
      'May 01 12:00:00 nodes-1 kube-apiserver[0]: [-]etcd failed: error getting data from etcd: context deadline exceeded',
      ASKS_ITSELF,
    ],
    /its kube-apiserver gets no answer from etcd$/,
  ],
  [
    'an etcd that ends',
    ['May 01 12:00:00 nodes-1 etcd[7]: {"level":"panic","msg":"something new"}', ENDS_AGAIN, ASKS_ITSELF],
    /its etcd ends again and again$/,
  ],
  [
    'an etcd whose database is damaged',
    [
      'May 01 12:00:00 nodes-1 etcd[7]: {"level":"panic","msg":"failed to open database","path":"/mnt/etcd-main/data/db","error":"invalid database"}',
      ENDS_AGAIN,
      ASKS_ITSELF,
    ],
    /the data of an etcd on the machine is damaged/,
  ],
  [
    'an API server that ends, and not an etcd that ended before',
    [
      'May 01 11:57:00 nodes-1 etcd[7]: {"level":"fatal","error":"write /mnt/etcd-main/data/db: no space left on device"}',
      ENDS_AGAIN,
    ],
    /its kube-apiserver ends again and again$/,
  ],
  [
    'a full volume of etcd',
    [
      'May 01 12:00:00 nodes-1 etcd[7]: {"level":"fatal","msg":"failed to commit tx","error":"write /mnt/etcd-main/data/db: no space left on device"}',
      'May 01 12:00:01 nodes-1 etcd[8]: {"level":"warn","msg":"Running http and grpc server on single port."}',
      'May 01 12:00:02 nodes-1 kube-apiserver[4]: F0501 Error creating leases: error creating storage factory: context deadline exceeded',
      ASKS_ITSELF,
    ],
    /a disk of the machine is full/,
  ],
])('where the API does not answer, %s is told from what only follows', (_, journal, says) => {
  const [first, ...others] = diagnose({ ...WELL, machine: CONTROL_PLANE, objects: SILENT, journal });
  expect(first?.what).toMatch(says);
  expect(first?.because[0]).toBe(SILENT.failure);
  expect(first?.because).not.toContain(ASKS_ITSELF);
  expect(others).toEqual([]);
});

test.each(["Hostname/IP does not match certificate's altnames", 'self-signed certificate in certificate chain'])(
  'an API that answers with another certificate (%s) is not called one that does not answer',
  (failure) => {
    for (const machine of [WELL.machine, CONTROL_PLANE]) {
      const [first, ...others] = diagnose({ ...WELL, machine, objects: { failure } });
      expect(first?.what).toMatch(/^the Kubernetes API answers with a certificate that this computer does not accept/);
      expect(others).toEqual([]);
    }
  },
);

test('a Node that was deleted under its kubelet is told from one that never was', () => {
  const missed = `${K}nodelease.go:50] "Failed to get node when trying to set owner ref to the node lease" err="nodes \\"nodes-1\\" not found" node="nodes-1"`;
  const forbidden =
    'May 01 12:00:00 nodes-1 protokube[5]: protokube routes: failed, will retry error="the API server answered 403: nodes is forbidden"';
  const [deleted] = diagnose({ ...WELL, objects: noNode, journal: [missed, forbidden] });
  expect([deleted?.what, deleted?.next]).toEqual([
    'the Node was deleted while its kubelet ran: kubelet registers it only when it is started',
    expect.stringContaining('systemctl restart kubelet'),
  ]);
  const unregistered = `${K}kubelet_node_status.go:108] "Unable to register node with API server" err="tls: failed to verify certificate: x509: certificate signed by unknown authority"`;
  const [never] = diagnose({ ...WELL, objects: noNode, journal: [missed, unregistered, forbidden] });
  expect(never?.what).toMatch(/has not registered its Node: the machine does not trust/);
});

const NODEUP = 'May 01 12:00:00 nodes-1 nodeup[93]: nodeup: ';
const OTHER_CONTENT = `${NODEUP}task failed, will retry task=Asset/kubelet attempt=3 error="cannot download the asset 9f97: file:///opt/kops/assets/kubelet returned other content (sha256 62e5)" inMs=5595`;

test('a machine that boots again and cannot get a file is not taken for one that hangs', () => {
  const objects = {
    ...noNode,
    node: nodeWith([{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }]),
  };
  const [stuck] = diagnose({ ...WELL, objects, journal: [OTHER_CONTENT] });
  expect(stuck?.what).toMatch(/booted again, and nodeup cannot carry out Asset\/kubelet: a download is not what/);
  for (const end of ['task done task=Asset/kubelet', 'run finished changed=2 failed=0']) {
    const [hangs] = diagnose({ ...WELL, objects, journal: [OTHER_CONTENT, `${NODEUP}${end}`] });
    expect(hangs?.what).toMatch(/no longer reports/);
  }
});

const NOON_LEASE = {
  node: 'nodes-1',
  renewedMs: AT - 25_000,
  writtenMs: AT - 25_000,
  durationMs: 40_000,
  ageMs: 25_000,
};

test('a kubelet that is silent is found although its Node says Ready', () => {
  const objects = { node: WELL_NODE, events: [], pods: [], lease: NOON_LEASE };
  const refused = `${K}controller.go:251] "Failed to update lease" err="Internal error occurred: failed calling webhook \\"block.example.com\\": connection refused"`;
  const [plain] = diagnose({ ...WELL, objects });
  expect([plain?.what, plain?.next]).toEqual([
    'the kubelet of the machine has been silent for 25 s, although its Node says Ready',
    expect.stringContaining('kube-controller-manager'),
  ]);
  const [blocked] = diagnose({ ...WELL, objects, journal: [refused] });
  expect(blocked?.what).toMatch(/an admission webhook refuses/);
  const before = refused.replace('12:00:00', '11:57:00');
  expect(diagnose({ ...WELL, objects, journal: [before] })[0]?.what).toBe(plain?.what);
  // One renewal may be late.
  const reports = { ...objects, lease: { ...NOON_LEASE, ageMs: 19_000 } };
  expect(diagnose({ ...WELL, objects: reports })).toEqual([]);
  // The clock of the machine is two minutes behind, and so are the times of its renewals: the API server has one of its own.
  const behind = { ...objects, lease: { ...NOON_LEASE, renewedMs: AT - 125_000, ageMs: 5_000 } };
  expect(diagnose({ ...WELL, objects: behind, clockAheadMs: -2 * 60_000 }).map(({ what }) => what)).toEqual([
    'the clock of the machine is 2 minutes behind',
  ]);
});

test('of a Ready Node is told what keeps pods away, and what a control plane lacks', () => {
  const objects = {
    node: WELL_NODE,
    events: [],
    pods: [],
    isCordoned: true,
    taints: ['node.cloudprovider.kubernetes.io/uninitialized', 'node.kubernetes.io/unschedulable'],
    podNames: ['kube-apiserver-nodes-1', 'kube-scheduler-nodes-1'],
  } as const;
  const said = (machine: NodeEvidence['machine']) => diagnose({ ...WELL, machine, objects }).map(({ what }) => what);
  const away = [
    'no cloud controller manager has filled in the Node yet, so pods do not come to it',
    'the Node is cordoned, so new pods do not come to it',
  ];
  expect(said(WELL.machine)).toEqual(away);
  expect(said(CONTROL_PLANE)).toEqual(['the control plane has no kube-controller-manager pod', ...away]);
});

test('a unit whose only line is its last says it once', () => {
  const line =
    "May 01 12:00:00 nodes-1 containerd[8]: containerd: failed to unmarshal TOML: toml: expected '=' after key";
  const state = stateWith({ 'containerd.service': 'it ends again and again (exit-code)' });
  const objects = { node: { ...WELL_NODE, state }, events: [], pods: [] };
  const [finding] = diagnose({ ...WELL, objects, journal: [line] });
  expect([finding?.what, finding?.because]).toEqual([
    expect.stringContaining('does not understand its flags or its configuration'),
    [line],
  ]);
});

test('a container that was killed for its memory is not only called one that ends again and again', () => {
  const pods = [{ name: 'coredns-1', reasons: ['CrashLoopBackOff: back-off 5m0s: OOMKilled'] }];
  const [killed] = diagnose({ ...WELL, objects: { node: WELL_NODE, events: [], pods } });
  expect(killed?.what).toBe('the pod coredns-1 is not ready: the machine has too little memory');
});

test('why a certificate was not renewed is told', () => {
  const [first] = diagnose({ ...WELL, objects: noNode, kept: keptWith({ 'kubelet-client': EXPIRED }) });
  expect(first?.because).toEqual(['it could not be renewed: the authority refused']);
});

test('a certificate that was renewed on a Ready node has not expired, whatever was kept before', () => {
  const node = { ...WELL_NODE, state: JSON.stringify({ certificates: { 'kubelet-client': IN_A_YEAR }, failures: {} }) };
  const kept = keptWith({ 'kubelet-client': EXPIRED });
  expect(diagnose({ ...WELL, objects: { node, events: [], pods: [] }, kept })).toEqual([]);
});

test('a clock that is off by seconds, or by a minute on a node that has another fault, explains nothing', () => {
  expect(diagnose({ ...WELL, clockAheadMs: 20_000 })).toEqual([]);
  const [first] = diagnose({ ...WELL, objects: noNode, enrolment: undefined, clockAheadMs: 2 * 60_000 });
  expect(first?.what).toMatch(/has not proven itself/);
});

test('of a machine that is gone is told what it kept', () => {
  const kept = { ...keptWith({}), errors: ['May 1 nodes-1 kubelet[9]: disk failed'] };
  const [first] = diagnose({ ...WELL, machine: undefined, objects: noNode, kept });
  expect(first?.because).toContain('May 1 nodes-1 kubelet[9]: disk failed');
});

test('a boot that goes on is waited for, and called stuck once it has errors or takes too long', () => {
  const report = (error: string | undefined, startedAt: string): NodeEvidence['report'] => ({
    startedAt,
    result: 'running',
    tasks: [{ task: 'Image/pause', durationMs: 10, result: 'running', ...(error !== undefined && { error }) }],
  });
  const what = (one: NodeEvidence['report']) => diagnose({ ...WELL, objects: noNode, report: one })[0]?.what;
  expect(what(report(undefined, '2026-05-01T11:59:00Z'))).toBe('the machine is booting');
  expect(what(report('connect ECONNREFUSED', '2026-05-01T11:59:00Z'))).toMatch(/stuck at Image\/pause/);
  expect(what(report(undefined, '2026-05-01T11:40:00Z'))).toMatch(/stuck at Image\/pause/);
});

test('on a Ready node, what does not work beside it is told', () => {
  const state = JSON.stringify({
    discovery: { by: 'gossip', names: 1 },
    volumes: {},
    isLeader: false,
    failures: { hosts: 'no leader' },
  });
  const pods = [{ name: 'coredns-1', reasons: ['ImagePullBackOff: no such image'] }];
  const node = { ...nodeWith([{ type: 'Ready', status: 'True' }]), state };
  expect(diagnose({ ...WELL, objects: { node, events: [], pods } }).map(({ what }) => what)).toEqual([
    'protokube: hosts does not work',
    'the pod coredns-1 is not ready: an image cannot be pulled',
  ]);
});

const NO_CREDENTIALS = { failure: 'Could not load credentials from any providers' };

test('a computer without credentials of the cloud is told so first, and nothing is concluded from what it could not ask', () => {
  const unasked = { ...WELL, machine: NO_CREDENTIALS, objects: NO_CREDENTIALS };
  const asked = {
    what: 'this computer could ask neither the cloud nor the Kubernetes API',
    because: [NO_CREDENTIALS.failure],
    next: expect.stringContaining('check the credentials of the cloud on this computer'),
  };
  expect(diagnose(unasked)).toEqual([asked]);
  expect(diagnose({ ...unasked, report: undefined })).toEqual([asked]);
  const failed = diagnose({ ...unasked, report: failedBoot('Asset/kubelet', 'write: No space left on device') });
  expect(failed.map(({ what }) => what)).toEqual([asked.what, expect.stringContaining('Asset/kubelet')]);
});

test('what could not be asked is named, and a node that says that it is Ready needs nobody else', () => {
  const offline = { failure: 'connect ENETUNREACH' };
  const [cloud] = diagnose({ ...WELL, machine: offline, objects: notReady('PLEG is not healthy') });
  expect([cloud?.what, cloud?.next]).toEqual([
    'this computer could not ask the cloud',
    'check the network connection of this computer and its credentials of the cloud',
  ]);
  const [api, ...others] = diagnose({ ...WELL, objects: { failure: 'ExpiredToken: it has expired' } });
  expect([api?.what, others]).toEqual(['this computer could not ask the Kubernetes API', []]);
  expect(diagnose({ ...WELL, machine: offline })).toEqual([]);
});

test('a name that only a cloud could know is unknown where the cloud cannot be asked', () => {
  const nothing = {
    ...WELL,
    machine: NO_CREDENTIALS,
    objects: NO_CREDENTIALS,
    report: undefined,
    enrolment: undefined,
  };
  expect(isUnknown(nothing)).toBe(true);
  expect(isUnknown({ ...nothing, enrolment: WELL.enrolment })).toBe(false);
  const { message, next } = unknownToStore('node-1', NO_CREDENTIALS, ['nodes-1']);
  expect(message).toContain('could not ask the cloud: Could not load credentials');
  expect(next).toMatch(/^did you mean nodes-1\? Otherwise, check the credentials/);
});

test('where the cloud itself says what to do, so does the error', () => {
  const notMade = { failure: 'this computer has no local cluster with that name', next: 'create them' };
  expect(unknownToStore('node-1', notMade, []).next).toBe('create them');
  expect(groupNotAsked('nodes', notMade).next).toBe('create them');
});

test.each([
  [{ found: 2, wanted: 2 }, undefined],
  [{ found: 0, wanted: undefined }, 'the cloud has no group for the instance group nodes'],
  [{ found: 1, wanted: 2 }, 'the cloud has 1 of 2 machines of the instance group nodes'],
  [
    {
      found: 1,
      wanted: 2,
      shortfall: 'You have requested more vCPU capacity than your current vCPU limit of 32 allows.',
    },
    'the cloud has 1 of 2 machines of the instance group nodes: the cloud lacks capacity for the machine, or a quota is exhausted',
  ],
  [
    { found: 1, wanted: 2, shortfall: "QUOTA_EXCEEDED: Quota 'CPUS' exceeded. Limit: 24.0 in region us-east1." },
    'the cloud has 1 of 2 machines of the instance group nodes: the cloud lacks capacity for the machine, or a quota is exhausted',
  ],
  [
    { found: 1, wanted: 2, shortfall: 'The image id [ami-1] does not exist. Launching EC2 instance failed.' },
    'the cloud has 1 of 2 machines of the instance group nodes: the image that machines are made from is not there',
  ],
])('of an instance group that has %j is said: %s', (size, what) => {
  expect(diagnoseGroup('nodes', size)[0]?.what).toBe(what);
});

test.each([
  [
    'Your requested instance type (m7g.medium) is not supported in your requested Availability Zone (us-east-1e). Launching EC2 instance failed.',
    'the machine type is not offered there',
  ],
  [
    "Invalid value for field 'resource.machineType': Machine type with name 'n9' does not exist in zone 'us-east1-b'.",
    'the machine type is not offered there',
  ],
  [
    "The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI.",
    'the image is made for another processor architecture than the machine type has',
  ],
  [
    "There are not enough free addresses in subnet 'subnet-1' to satisfy the requested number of instances.",
    'a subnet has no free addresses left',
  ],
  ['Could not launch Spot Instances. SpotMaxPriceTooLow - Your Spot request price', 'spot machines cost more'],
  ['Could not launch Spot Instances. UnfulfillableCapacity - Unable to fulfill capacity', 'the cloud lacks capacity'],
  ["The security group 'sg-1' does not exist. Launching EC2 instance failed.", 'is no longer in the cloud'],
  ['Client.InternalError: Client error on launch', 'the key that the volumes of the machine are encrypted with'],
  ['Constraint constraints/compute.vmExternalIpAccess violated for project 1', 'a policy of the organization'],
  ["PERMISSIONS_ERROR: Required 'compute.instances.create' permission", 'lacks a right that it needs'],
])('of a group that its cloud says this about: %s', (shortfall, says) => {
  const [finding] = diagnoseGroup('nodes', { found: 0, wanted: 1, shortfall });
  expect(finding?.what).toContain(says);
  expect(finding?.because).toEqual([shortfall]);
});
