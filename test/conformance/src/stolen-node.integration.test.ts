import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { kubeClient, KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { createWarning } from '@kopsctl/kube/warning-event.ts';
import { hasPolicies } from '@kopsctl/model/addons/admission-policy.ts';
import { rbacObjects } from '@kopsctl/model/addons/rbac.ts';
import { SigningDesk } from '@kopsctl/node-authority/certificates/signing-desk.ts';
import { parseSigningRequest, REQUESTS, SIGNERS } from '@kopsctl/node-authority/certificates/signing-request.ts';
import { RefusalEvents } from '@kopsctl/node-authority/enrolment/refusal-events.ts';
import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import { NODES_GROUP, nodeUser } from '@kopsctl/node-identity/certificate-request.ts';
import { applyObjects } from '@kopsctl/test-peers/apply-objects.ts';
import { findApiServers, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { apiRights } from './api-rights.ts';
import { certificateRequest, type CertificateWish } from './certificate-request.ts';

const GOLDEN = join(import.meta.dirname, 'testdata/stolen-node');
const THIEF = 'worker-a';

const SOON_MS = 30_000;
const soon = (): AbortSignal => AbortSignal.timeout(SOON_MS);

/** What a thief gained when it was recorded. UPDATE=1 records it: read the difference, each new line is a gain. */
async function recorded(name: string, gained: readonly string[]): Promise<readonly string[]> {
  const file = join(GOLDEN, name);
  if (process.env['UPDATE'] === '1') await writeFile(file, gained.map((line) => `${line}\n`).join(''));
  return (await readFile(file, 'utf8')).split('\n').slice(0, -1);
}

const HONEST = 'control-plane-1';

/** A Node with the labels that protokube gives it, and those of its kubelet and its cloud. */
const node = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      ...(name === HONEST ? {} : { 'node-role.kubernetes.io/node': '' }),
      'kops.k8s.io/instancegroup': 'nodes',
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/zone': 'a',
    },
  },
  spec: { podCIDR: '100.96.1.0/24', taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }] },
});

/** A pod with a Secret, a ConfigMap and a service account of its own, all of which have the pod's name. */
const podOn = (nodeName: string, name: string, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: {
    nodeName,
    serviceAccountName: name,
    // Nobody makes tokens for Kubernetes 1.20 here.
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'pause', envFrom: [{ configMapRef: { name } }] }],
    volumes: [{ name: 'secret', secret: { secretName: name } }],
  },
});

const PODS = '/api/v1/namespaces/kube-system/pods';
const MIRROR = { annotations: { 'kubernetes.io/config.mirror': 'abc' } };
/** A mirror pod that says that this Node is its owner, as kubelets do. */
const bareMirror = (nodeName: string, uid: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    ...MIRROR,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid, controller: true }],
    ...metadata,
  },
  spec: { nodeName, hostNetwork: true, containers: [{ name: 'main', image: 'pause' }], ...spec },
});
/** The mirror pod of a component of Kubernetes, labelled as in its manifest (static-pod.ts). */
const mirrorOf = (component: string, nodeName: string, uid: string, labels: object = {}) =>
  bareMirror(
    nodeName,
    uid,
    {},
    {
      name: `${component}-${nodeName}`,
      labels: { 'k8s-app': component, ...(component === 'kube-proxy' && { tier: 'node' }), ...labels },
    },
  );

/** What a kubelet with this hostname sends when it starts, whether its Node exists or not. */
const registered = (hostname: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: THIEF,
    labels: {
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': hostname,
      'kubernetes.io/os': 'linux',
    },
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
  },
  spec: { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }] },
});

const lease = (namespace: string, name: string): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace },
  spec: { holderIdentity: THIEF },
});

const tokenRequest = (boundTo?: { readonly name: string; readonly uid: string }): object => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec: {
    audiences: ['https://kubernetes.default.svc'],
    ...(boundTo !== undefined && { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', ...boundTo } }),
  },
});

const servers = await findApiServers();

describe.skipIf(servers.length === 0).each(servers)('a thief of a worker, at Kubernetes $version', (programs) => {
  const minor = minorOf(programs.version);
  let server: RealApiServer | undefined;
  let admin: KubeClient;
  let thief: KubeClient;
  let authority: KubeClient;
  const uids = new Map<string, string>();

  beforeAll(async () => {
    server = await startApiServer(programs);
    admin = kubeClient(server.kubeconfig);
    thief = kubeClient(await server.kubeconfigOf(nodeUser(THIEF), [NODES_GROUP]));
    authority = kubeClient(await server.kubeconfigOf(AUTHORITY_USER, []));
    await applyObjects(admin, rbacObjects(programs.version), soon());
    for (const [name, owner] of [
      ['own', THIEF],
      ['of-b', 'worker-b'],
      ['of-control-plane', HONEST],
    ] as const) {
      const created = (await admin.create('/api/v1/nodes', node(owner), soon())) as { metadata: { uid: string } };
      uids.set(owner, created.metadata.uid);
      const metadata = { name };
      const here = '/api/v1/namespaces/default';
      await admin.create(`${here}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata }, soon());
      await admin.create(`${here}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, soon());
      await admin.create(`${here}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }, soon());
      const pod = (await admin.create(`${here}/pods`, podOn(owner, name), soon())) as { metadata: { uid: string } };
      uids.set(name, pod.metadata.uid);
    }
    // The node authorizer learns of pods and their Secrets by watches of its own.
    const isKnown = () => thief.get('/api/v1/namespaces/default/secrets/own', soon()).then(Boolean, () => false);
    await vi.waitUntil(isKnown, { timeout: 30_000, interval: 100 });
    // The default roles come last in a new API server.
    const question = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
    const spec = { nonResourceAttributes: { path: '/healthz', verb: 'get' } };
    const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const mayAsk = () => authority.create(reviews, { ...question, spec }, soon()).then(Boolean, () => false);
    await vi.waitUntil(mayAsk, { timeout: 30_000, interval: 100 });
    // A policy takes effect some time after it was created.
    const refused = (object: object, path = PODS): Promise<boolean> =>
      thief.create(`${path}?dryRun=All`, object, soon()).then(
        () => false,
        (error: unknown) => error instanceof KubeError && error.message.includes('ValidatingAdmissionPolicy'),
      );
    const uid = uids.get(THIEF) ?? '';
    const areInEffect = async (): Promise<boolean> =>
      (await refused(bareMirror(THIEF, uid, { hostNetwork: false }))) &&
      (await refused(bareMirror(THIEF, uid, {}, { labels: { 'k8s-app': 'kube-dns' } }))) &&
      (await refused(registered('worker-b'), '/api/v1/nodes'));
    if (hasPolicies(programs.version)) await vi.waitUntil(areInEffect, { timeout: 60_000, interval: 200 });
  });
  afterAll(() => server?.stop());

  test('may ask of the API what is recorded, and nothing else', async () => {
    const rights = await apiRights(admin, thief, AbortSignal.timeout(110_000));
    expect(rights).toEqual(await recorded(`rights-${minor}.txt`, rights));
  });

  test('and a thief of the authority, what is recorded, and nothing else', async () => {
    const rights = await apiRights(admin, authority, AbortSignal.timeout(110_000));
    expect(rights).toEqual(await recorded(`authority-${minor}.txt`, rights));
  });

  test('the authority tells of a machine that it refuses by an event of its Node, and has no events elsewhere', async () => {
    const log = makeLog(() => undefined, false, 'node-authority');
    const events = new RefusalEvents({ kube: authority, log, nowMs: () => Date.now() });
    const machine = {
      instanceId: 'i-1',
      nodeName: 'worker-b',
      address: '10.0.0.12',
      externalAddresses: [],
      role: 'Node',
      instanceGroup: 'nodes',
      running: true,
    } as const;
    await events.tell(machine, 'it has another key than at its first attestation', soon());
    const query = 'fieldSelector=involvedObject.kind%3DNode,involvedObject.name%3Dworker-b';
    expect(await admin.get(`/api/v1/namespaces/default/events?${query}`, soon())).toMatchObject({
      items: [{ type: 'Warning', reason: 'AttestationRefused', message: expect.stringContaining('another key') }],
    });
    const about = { kind: 'ConfigMap', name: 'other', namespace: 'kube-system' };
    const elsewhere = { about, reason: 'Other', message: 'other', component: 'node-authority' };
    await expect(createWarning(authority, elsewhere, Date.now(), soon())).rejects.toThrow('answered 403');
  });

  test('gains what is recorded, and nothing else', async () => {
    const here = '/api/v1/namespaces/default';
    const dry = '?dryRun=All';
    const nodeUid = uids.get(THIEF) ?? '';
    const own = { name: 'own', uid: uids.get('own') ?? '' };
    const ofB = { name: 'of-b', uid: uids.get('of-b') ?? '' };
    const nodes = '/api/v1/nodes';
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      'read the Secret of an own pod': () => thief.get(`${here}/secrets/own`, soon()),
      'read the ConfigMap of an own pod': () => thief.get(`${here}/configmaps/own`, soon()),
      'read the Secret of a pod of another worker': () => thief.get(`${here}/secrets/of-b`, soon()),
      'read the ConfigMap of a pod of another worker': () => thief.get(`${here}/configmaps/of-b`, soon()),
      'read the Secret of a pod of the control plane': () => thief.get(`${here}/secrets/of-control-plane`, soon()),
      'read all Secrets': () => thief.get('/api/v1/secrets', soon()),
      'read all pods': () => thief.get('/api/v1/pods', soon()),
      'read all Nodes': () => thief.get(nodes, soon()),
      'run a command in a pod of another worker': () =>
        thief.create(`${here}/pods/of-b/exec?command=id&stdout=true`, {}, soon()),
      'talk to the kubelet of another worker through the API': () => thief.get(`${nodes}/worker-b/proxy/pods`, soon()),
      'create a Node': () => thief.create(`${nodes}${dry}`, node('worker-c'), soon()),
      'delete the Node of another worker': () => thief.remove(`${nodes}/worker-b${dry}`, soon()),
      'delete its own Node': () => thief.remove(`${nodes}/${THIEF}${dry}`, soon()),
      'cordon another worker': () =>
        thief.mergePatch(`${nodes}/worker-b${dry}`, { spec: { unschedulable: true } }, soon()),
      'report the status of another worker': () =>
        thief.mergePatch(`${nodes}/worker-b/status${dry}`, { status: { phase: 'Running' } }, soon()),
      'report its own status': () =>
        thief.mergePatch(`${nodes}/${THIEF}/status${dry}`, { status: { phase: 'Running' } }, soon()),
      'call itself a control plane': () => label('node-role.kubernetes.io/control-plane', ''),
      'change its instance group': () => label('kops.k8s.io/instancegroup', 'control-plane'),
      'lose the label of its instance group': () => label('kops.k8s.io/instancegroup', null),
      'label itself isolated': () => label('node-restriction.kubernetes.io/isolated', 'true'),
      'label itself with what is nobody’s': () => label('example.com/mine', 'true'),
      'take the hostname of another worker': () => label('kubernetes.io/hostname', 'worker-b'),
      'lose its hostname': () => label('kubernetes.io/hostname', null),
      'repeat its hostname': () => label('kubernetes.io/hostname', THIEF),
      'move to another zone': () => label('topology.kubernetes.io/zone', 'b'),
      'move to another zone through its status': () =>
        thief.mergePatch(
          `${nodes}/${THIEF}/status${dry}`,
          { metadata: { labels: { 'topology.kubernetes.io/zone': 'b' } } },
          soon(),
        ),
      'lose its zone': () => label('topology.kubernetes.io/zone', null),
      'say the place that a storage driver found': () => label('topology.ebs.csi.aws.com/zone', 'a'),
      'register again': () => thief.create(`${nodes}${dry}`, registered(THIEF), soon()),
      'register again as another machine': () => thief.create(`${nodes}${dry}`, registered('worker-b'), soon()),
      'lose its taint': () => thief.mergePatch(`${nodes}/${THIEF}${dry}`, { spec: { taints: [] } }, soon()),
      'take another pod network': () =>
        thief.mergePatch(`${nodes}/${THIEF}${dry}`, { spec: { podCIDR: '100.96.9.0/24' } }, soon()),
      'take the providerID of a control plane': () =>
        thief.mergePatch(`${nodes}/${THIEF}${dry}`, { spec: { providerID: 'aws:///a/i-1' } }, soon()),
      'create a pod': () => thief.create(`${here}/pods${dry}`, podOn(THIEF, 'own', { name: 'p' }), soon()),
      'show its kube-proxy': () => show(mirrorOf('kube-proxy', THIEF, nodeUid)),
      'show a static pod of a person’s own, without labels': () => show(bareMirror(THIEF, nodeUid)),
      'show a pod that is an endpoint of the cluster’s DNS': () =>
        show(bareMirror(THIEF, nodeUid, {}, { labels: { 'k8s-app': 'kube-dns' } })),
      'show a kube-proxy that is an endpoint of another Service': () =>
        show(
          bareMirror(
            THIEF,
            nodeUid,
            {},
            { name: `kube-proxy-${THIEF}`, labels: { 'k8s-app': 'kube-proxy', app: 'web' } },
          ),
        ),
      'show a second kube-proxy': () =>
        show(bareMirror(THIEF, nodeUid, {}, { name: 'kube-proxy-2', labels: { 'k8s-app': 'kube-proxy' } })),
      'show an API server': () => show(mirrorOf('kube-apiserver', THIEF, nodeUid)),
      'show a static pod in another namespace': () =>
        thief.create(`${here}/pods${dry}`, bareMirror(THIEF, nodeUid), soon()),
      'show a static pod with an address of its own': () => show(bareMirror(THIEF, nodeUid, { hostNetwork: false })),
      'create a mirror pod of another worker': () => show(bareMirror('worker-b', nodeUid)),
      'create a mirror pod with the Secret of another': () =>
        show(bareMirror(THIEF, nodeUid, { volumes: [{ name: 's', secret: { secretName: 'of-b' } }] })),
      'create a mirror pod with the service account of another': () =>
        show(bareMirror(THIEF, nodeUid, { serviceAccountName: 'of-b' })),
      'delete a pod of another worker': () => thief.remove(`${here}/pods/of-b${dry}`, soon()),
      'change the labels of an own pod': () =>
        thief.mergePatch(`${here}/pods/own/status${dry}`, { metadata: { labels: { app: 'api' } } }, soon()),
      'report the status of an own pod': () =>
        thief.mergePatch(`${here}/pods/own/status${dry}`, { status: { phase: 'Running' } }, soon()),
      'report the status of a pod of another worker': () =>
        thief.mergePatch(`${here}/pods/of-b/status${dry}`, { status: { phase: 'Failed' } }, soon()),
      'get a token for the service account of an own pod': () =>
        thief.create(`${here}/serviceaccounts/own/token`, tokenRequest(own), soon()),
      'get a token that is bound to no pod': () =>
        thief.create(`${here}/serviceaccounts/own/token`, tokenRequest(), soon()),
      'get a token for the service account of a pod of another worker': () =>
        thief.create(`${here}/serviceaccounts/of-b/token`, tokenRequest(ofB), soon()),
      'get a token for that service account, for an own pod': () =>
        thief.create(`${here}/serviceaccounts/of-b/token`, tokenRequest(own), soon()),
      'hold its own lease': () => hold('kube-node-lease', THIEF),
      'hold the lease of another worker': () => hold('kube-node-lease', 'worker-b'),
      'hold the lease of the scheduler': () => hold('kube-system', 'kube-scheduler'),
      'become cluster-admin': () =>
        thief.create(
          `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings${dry}`,
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRoleBinding',
            metadata: { name: 'thief' },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: nodeUser(THIEF) }],
          },
          soon(),
        ),
    };
    const label = (name: string, value: string | null): Promise<unknown> =>
      thief.mergePatch(`${nodes}/${THIEF}${dry}`, { metadata: { labels: { [name]: value } } }, soon());
    const show = (pod: object): Promise<unknown> => thief.create(`${PODS}${dry}`, pod, soon());
    const hold = (namespace: string, name: string): Promise<unknown> =>
      thief.create(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases${dry}`, lease(namespace, name), soon());
    const lines: string[] = [];
    for (const [what, attempt] of Object.entries(attempts)) lines.push(`${what}: ${await outcome(attempt)}`);
    expect(lines).toEqual(await recorded(`gains-${minor}.txt`, lines));
  });

  test('and kubelets of control planes show their static pods', async () => {
    const kubelet = kubeClient((await server?.kubeconfigOf(nodeUser(HONEST), [NODES_GROUP])) ?? '');
    const ofKopsctl = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
    // On machines that kops made and that kopsctl has not yet replaced.
    const ofKops = ['etcd-manager-main', 'kops-channels'];
    const uid = uids.get(HONEST) ?? '';
    const pods = [...ofKopsctl, ...ofKops].map((component) => mirrorOf(component, HONEST, uid));
    const proxyOfKops = mirrorOf('kube-proxy', HONEST, uid, { 'kubernetes.io/managed-by': 'nodeup' });
    for (const pod of [...pods, proxyOfKops]) {
      const { name } = pod.metadata;
      await expect(kubelet.create(PODS, pod, soon())).resolves.toMatchObject({ metadata: { name } });
      // The API server looks for a pod in its cache too, which may not have it yet, or for a moment still has it.
      const removesAndTriesIt = async () => {
        await kubelet.remove(`${PODS}/${name}?gracePeriodSeconds=0`, soon());
        await kubelet.create(`${PODS}?dryRun=All`, pod, soon());
      };
      await vi.waitFor(removesAndTriesIt, { timeout: SOON_MS, interval: 100 });
    }
  });

  test('gets no certificate signed, whatever it asks of the signers', async () => {
    const desk = new SigningDesk(
      authority,
      makeLog(() => undefined, false, 'node-authority'),
    );
    const ended = new AbortController();
    const following = desk.follow(ended.signal).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
    const nodes = `/O=${NODES_GROUP}`;
    const wishes: Readonly<Record<string, Wish>> = {
      'itself, at another time': { subject: `${nodes}/CN=${nodeUser(THIEF)}` },
      'another worker': { subject: `${nodes}/CN=${nodeUser('worker-b')}` },
      'a control plane': { subject: `${nodes}/CN=${nodeUser('control-plane-1')}` },
      'a Node that does not exist': { subject: `${nodes}/CN=${nodeUser('worker-z')}` },
      'an administrator': { subject: `/O=system:masters/CN=${nodeUser(THIEF)}` },
      'an administrator, of the signer for clients': {
        subject: '/O=system:masters/CN=thief',
        signer: 'kubernetes.io/kube-apiserver-client',
      },
      'ten years': { subject: `${nodes}/CN=${nodeUser(THIEF)}`, seconds: 10 * 365 * 24 * 3600 },
      'its own serving certificate': { ...serving(THIEF), names: 'IP:10.0.0.11' },
      'an address of another': { ...serving(THIEF), names: 'IP:10.0.0.1' },
      'the name of the API': { ...serving(THIEF), names: 'DNS:kubernetes' },
      'the serving certificate of a control plane': { ...serving('control-plane-1'), names: 'IP:10.0.0.1' },
      'a CA': { ...serving(THIEF), names: 'DNS:worker-a', isCa: true },
      'a server that is a client too': {
        ...serving(THIEF),
        names: 'DNS:worker-a',
        usages: ['server auth', 'client auth'],
      },
    };
    const lines: string[] = [];
    for (const [what, wish] of Object.entries(wishes)) lines.push(`${what}: ${await decisionOn(what, wish)}`);
    ended.abort();
    await following;
    expect(lines).toEqual(await recorded(`certificates-${minor}.txt`, lines));
  });

  interface Wish extends CertificateWish {
    readonly signer?: string;
    readonly seconds?: number;
    readonly usages?: readonly string[];
  }

  function serving(name: string): Wish {
    return { subject: `/O=${NODES_GROUP}/CN=${nodeUser(name)}`, signer: SIGNERS.serving, usages: ['server auth'] };
  }

  /** What becomes of a request: it is not even accepted, denied, or (for signers that nobody approves for) left undecided. */
  async function decisionOn(what: string, wish: Wish): Promise<string> {
    const { signer = SIGNERS.client, usages = ['client auth'], seconds } = wish;
    const name = what.replaceAll(/[^a-z]+/g, '-');
    const request = Buffer.from(await certificateRequest(wish)).toString('base64');
    const made = await outcome(() =>
      thief.create(
        REQUESTS,
        {
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name },
          spec: {
            request,
            signerName: signer,
            usages: ['digital signature', 'key encipherment', ...usages],
            ...(seconds !== undefined && { expirationSeconds: seconds }),
          },
        },
        soon(),
      ),
    );
    if (made !== 'done') return made;
    const read = async () => parseSigningRequest(await admin.get(`${REQUESTS}/${name}`, soon()));
    // Nobody approves requests for any other signer: waiting would not end.
    if (!Object.values<string>(SIGNERS).includes(signer)) return `undecided (${(await read()).decision})`;
    await expect.poll(async () => (await read()).decision, { timeout: 30_000 }).not.toBe('none');
    const { decision, reason, certificate } = await read();
    return `${decision}, ${reason}${certificate === undefined ? '' : ', and a certificate'}`;
  }
});

/** What the API server said: `done`, or the status and why. */
async function outcome(attempt: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await attempt();
    return answer === undefined || answer === false ? 'not there' : 'done';
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const why = error.message.replace(/^.*? answered \d+: /s, '').split('\n')[0] ?? '';
    return `${error.status} ${why.replaceAll(/pod "?[0-9a-f-]{36}"?/g, 'pod UID')}`;
  }
}
