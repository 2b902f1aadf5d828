import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { makeLog } from '@kopsctl/agent/log.ts';
import { openNodeVerifier, openNodeVerifierFacts } from '@kopsctl/clouds/node.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { authorityName } from '@kopsctl/node-identity/addresses.ts';
import { AuthoritySession, type Evidence, RefusedByAuthority } from '@kopsctl/node-identity/authority-session.ts';
import { awaitAuthorities } from '@kopsctl/node-identity/await-authorities.ts';
import { certificateRequest } from '@kopsctl/node-identity/certificate-request.ts';
import { challengeOf, channelOf } from '@kopsctl/node-identity/challenge.ts';
import { type Enrolment, enrolmentPath, parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { type MachineKey, openMachineKey } from '@kopsctl/node-identity/machine-key.ts';
import { hostPath, printHost } from '@kopsctl/node-identity/host-record.ts';
import { permitNewKey, revoke } from '@kopsctl/node-identity/revocation.ts';
import { parseHello, PATHS, printAttestation } from '@kopsctl/node-identity/messages.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash, planPath, WORKER_PLANS } from '@kopsctl/node-plan/plan-hash.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { createKeyPair } from '@kopsctl/pki/key-pair.ts';
import { type Keyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { callMachine } from '../calls/call-machine.ts';
import type { CallEnd } from '../calls/plan-call.ts';
import { reachMachine } from '../calls/reach-machine.ts';
import { turns } from '../calls/turns.ts';
import type { WantedCertificate } from '../certificates/signing-request.ts';
import { enrol } from '../enrolment/enrol.ts';
import { storedEnrolments } from '../testdata/stored-enrolments.ts';
import { readPlan, type ReadWorkerPlan } from '../knowledge/read-plan.ts';
import { Allowance } from './allowance.ts';
import { type Deadlines, SessionServer } from './serve-session.ts';
import { Session, type SessionEnv } from './session.ts';

const CLUSTER = 'demo.example.com';
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '127.0.0.1',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  launchedMs: NOW_MS,
};

let ca: Keyset;
let context: SecureContext;
beforeAll(async () => {
  ca = await createCertificateAuthority({ commonName: 'node-authority-ca', nowMs: Date.now() });
  context = await contextFor(CLUSTER, ca);
});

async function contextFor(cluster: string, authority: Keyset): Promise<SecureContext> {
  const name = authorityName(cluster);
  const leaf = await issueLeaf({
    authority,
    commonName: name,
    dnsNames: [name],
    usages: ['server'],
    validityDays: 1,
    nowMs: Date.now(),
  });
  return createSecureContext({ cert: leaf.certificatePem, key: leaf.privateKeyPem, minVersion: 'TLSv1.3' });
}

let store: ReturnType<typeof createMemoryStore>;
let folder: string;
let key: MachineKey;
let listening: Server;
let accepted: Socket[];
let signed: WantedCertificate[];
let lines: string[];
/** What people were told of: the Node, and why its machine was refused. */
let told: string[];
let ended: AbortController;
let calls: Promise<CallEnd>[];

beforeEach(async () => {
  store = createMemoryStore();
  folder = await mkdtemp(join(tmpdir(), 'kops-authority-'));
  key = await openMachineKey(join(folder, 'machine.key'));
  signed = [];
  lines = [];
  told = [];
  calls = [];
  accepted = [];
  ended = new AbortController();
  listening = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
  await once(listening, 'listening');
});
afterEach(async () => {
  ended.abort();
  await Promise.allSettled(calls);
  for (const socket of accepted) socket.destroy();
  listening.close();
  await rm(folder, { recursive: true });
});

const port = (): number => {
  const address = listening.address() as AddressInfo;
  return address.port;
};

/** The evidence of this test's cloud: the instance and the challenge, and that the cloud says so. */
const evidenceOf = (instanceId: string, principal?: string) => async (challenge: Uint8Array) => ({
  instanceId,
  ...(principal !== undefined && { principal }),
  challenge: Buffer.from(challenge).toString('hex'),
});

const workerPlan: ReadWorkerPlan = async (hash) => (await store.read(planPath(CLUSTER, WORKER_PLANS, hash)))?.bytes;

const env = (): SessionEnv => ({
  cluster: CLUSTER,
  verifier: {
    async verify(evidence, challenge) {
      const { instanceId, principal, challenge: covered } = evidence as Record<string, string>;
      if (covered !== Buffer.from(challenge).toString('hex')) throw new EvidenceRefused('it is for another challenge');
      return { instanceId: instanceId ?? '', ...(principal !== undefined && { principal }) };
    },
  },
  enrol: (candidate, signal) => {
    const kube = { remove: async () => false, get: async () => ({ items: [] }) };
    const machines = () => [machine];
    return enrol(
      candidate,
      { enrolments: storedEnrolments(CLUSTER, store), kube, machines, nowMs: () => NOW_MS },
      signal,
    );
  },
  tellRefused: ({ nodeName }, reason) => told.push(`${nodeName}: ${reason}`),
  sign: async (wanted) => {
    signed.push(wanted);
    return `signed ${wanted.purpose}`;
  },
  rightsOf: async () => ({ secrets: [], authorities: [] }),
  knowledgeFor: async () => ({ clusterCa: 'the CA', secrets: {}, authorities: {} }),
  planOf: (asking, hash, signal) => readPlan(CLUSTER, asking, hash, workerPlan, signal),
  evidence: new Allowance(100, () => NOW_MS),
  signings: new Allowance(100, () => NOW_MS),
  reportBytes: new Allowance(1000, () => NOW_MS),
  doOthersWait: () => false,
  keepReport: async () => undefined,
  nowMs: () => NOW_MS,
});

/** The authority calls; the machine then has the connection. */
async function called(
  with_: SecureContext = context,
  changed: Partial<SessionEnv> = {},
  deadlines?: Deadlines,
): Promise<Socket> {
  const arrived = once(listening, 'connection');
  calls.push(callAt(port(), with_, changed, deadlines));
  const [socket] = (await arrived) as [Socket];
  return socket;
}

function callAt(
  at: number,
  with_: SecureContext,
  changed: Partial<SessionEnv> = {},
  deadlines?: Deadlines,
): Promise<CallEnd> {
  const server = new SessionServer(deadlines);
  const log = makeLog((line) => lines.push(line), false, 'node-authority');
  const calling = {
    reach: (signal: AbortSignal) => reachMachine('127.0.0.1', at, signal),
    context: async () => with_,
    talk: (connection: TLSSocket) =>
      server.serve(connection, new Session(machine, connection, { ...env(), ...changed }), log),
    turns: turns(),
    isDoubtful: false,
  };
  return callMachine(calling, ended.signal);
}

const trusted = () => ({ cluster: CLUSTER, authorityCa: trustedCertificates(ca) });
const session = async (changed?: Partial<SessionEnv>): Promise<AuthoritySession> =>
  AuthoritySession.begin(await called(context, changed), trusted(), ended.signal);
const attest = async (from: AuthoritySession, evidence: Evidence = evidenceOf('i-1')) =>
  from.attest(key, evidence, ended.signal);

async function requests(nodeName = 'nodes-1', dnsNames = ['nodes-1'], ipAddresses = ['127.0.0.1']) {
  const { privateKeyPem } = await createKeyPair();
  return {
    client: await certificateRequest({ nodeName, dnsNames: [], ipAddresses: [] }, privateKeyPem),
    serving: await certificateRequest({ nodeName, dnsNames, ipAddresses }, privateKeyPem),
  };
}

test('a machine proves itself by evidence once, and later by its key', async () => {
  const first = await session();
  expect(await attest(first)).toEqual({
    nodeName: 'nodes-1',
    dnsNames: ['nodes-1'],
    ipAddresses: ['127.0.0.1'],
    clusterCa: 'the CA',
    secrets: {},
    authorities: {},
  });
  expect(await first.certificates(await requests(), ended.signal)).toEqual({
    client: 'signed client',
    serving: 'signed serving',
  });
  await first.goodbye({ againSeconds: 7 }, ended.signal);
  expect(await calls[0]).toEqual({ end: 'talked', againSeconds: 7 });
  const stored = await store.read(`${CLUSTER}/nodes/nodes-1/enrolment.json`);
  expect(parseEnrolment(Buffer.from(stored?.bytes ?? []).toString())).toMatchObject({ instanceId: 'i-1' });

  const noEvidence = async (): Promise<object> => Promise.reject(new Error('nobody asks for evidence'));
  expect(await attest(await session(), noEvidence)).toMatchObject({ nodeName: 'nodes-1' });
});

test('a machine talks to no authority that another CA certified, nor to that of another cluster', async () => {
  const other = await createCertificateAuthority({ commonName: 'node-authority-ca', nowMs: Date.now() });
  for (const wrong of [await contextFor(CLUSTER, other), await contextFor('other.example.com', ca)]) {
    const socket = await called(wrong);
    await expect(AuthoritySession.begin(socket, trusted(), ended.signal)).rejects.toThrow(/certificate|altnames/i);
  }
});

test.each<[string, Partial<SessionEnv>, () => Evidence, RegExp]>([
  ['evidence of another instance', {}, () => evidenceOf('i-2'), /its evidence is about i-2/],
  ['evidence for another challenge', {}, () => async () => evidenceOf('i-1')(Buffer.alloc(32)), /another challenge/],
  [
    'the role of another group',
    { rightsOf: async () => ({ principal: 'nodes.demo', secrets: [], authorities: [] }) },
    () => evidenceOf('i-1', 'masters.demo'),
    /acts as masters\.demo/,
  ],
  ['a group that the cluster does not have', { rightsOf: async () => undefined }, () => evidenceOf('i-1'), /no group/],
])('%s is refused, and only the log says why', async (_what, changed, evidence, why) => {
  const refused = await attest(await session(changed), evidence()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RefusedByAuthority);
  expect(String(refused)).not.toMatch(why);
  expect(lines.join('\n')).toMatch(why);
  expect(told).toEqual([]);
  expect(await store.list('')).toEqual([]);
});

test('nobody gets a certificate or a plan, or leaves a report, before it is attested', async () => {
  await expect((await session()).plan(await storePlan(), ended.signal)).rejects.toThrow(RefusedByAuthority);
  await expect((await session()).certificates(await requests(), ended.signal)).rejects.toThrow(RefusedByAuthority);
  await expect((await session()).report(Buffer.from('{}'), ended.signal)).rejects.toThrow(RefusedByAuthority);
  expect(signed).toEqual([]);
});

/** Stores a plan and resolves with its hash. */
async function storePlan(changed: Partial<NodePlan> = {}): Promise<string> {
  const bytes = serializePlan({
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: CLUSTER,
    instanceGroup: 'nodes',
    role: 'Node',
    kubernetesVersion: '1.30.0',
    tasks: [],
    ...changed,
  });
  const hash = planHash(bytes);
  await store.write(planPath(CLUSTER, WORKER_PLANS, hash), bytes, { ifAbsent: true });
  return hash;
}

test('an attested machine is given the plan of its group that it names by its hash', async () => {
  const hash = await storePlan();
  const open = await session();
  await attest(open);
  const plan = await open.plan(hash, ended.signal);
  expect(planHash(plan)).toBe(hash);
});

test.each<[string, () => Promise<string>]>([
  ['a plan of another group', () => storePlan({ instanceGroup: 'gpu' })],
  ['a plan of a control plane', () => storePlan({ role: 'ControlPlane' })],
  ['a plan that is not there', async () => 'a'.repeat(64)],
  ['a file that is not a plan', async () => '../../pki/private/kubernetes-ca/keyset.yaml'],
])('it is not given %s', async (_what, hash) => {
  const open = await session();
  await attest(open);
  await expect(open.plan(await hash(), ended.signal)).rejects.toThrow(RefusedByAuthority);
});

/** Changes what the store has of the machine. */
async function changeEnrolment(changed: Partial<Enrolment>): Promise<void> {
  const path = enrolmentPath(CLUSTER, 'nodes-1');
  const stored = await store.read(path);
  const enrolment = parseEnrolment(Buffer.from(stored?.bytes ?? []).toString());
  const text = printEnrolment({ ...enrolment, ...changed });
  await store.write(path, Buffer.from(text), { ifVersion: stored?.version ?? '' });
}

test.each<[string, () => Promise<void>, string]>([
  [
    'another key of the same instance',
    async () => void (key = await openMachineKey(join(folder, 'thief.key'))),
    'it has another key than at its first attestation',
  ],
  [
    'a machine that was revoked',
    async () => changeEnrolment({ revokedAt: '2026-01-02T12:00:00Z' }),
    'it was revoked at 2026-01-02T12:00:00Z',
  ],
  [
    'a machine that was of another group',
    async () => changeEnrolment({ instanceGroup: 'gpu' }),
    'it was in the group gpu at its first attestation',
  ],
])('%s is refused, whatever evidence it brings, and people are told', async (_what, change, why) => {
  await attest(await session());
  expect(told).toEqual([]);
  await change();
  await expect(attest(await session())).rejects.toMatchObject({ name: 'RefusedByAuthority', status: 409 });
  expect(lines.join('\n')).toContain(why);
  expect(told).toEqual([`nodes-1: ${why}`]);
});

/** What `kopsctl toolbox` does with the enrolment of the machine. */
async function mark(change: typeof permitNewKey): Promise<void> {
  const path = enrolmentPath(CLUSTER, 'nodes-1');
  const stored = await store.read(path);
  const text = printEnrolment(change(parseEnrolment(Buffer.from(stored?.bytes ?? []).toString())));
  await store.write(path, Buffer.from(text), { ifVersion: stored?.version ?? '' });
}
const revokeIt = async (): Promise<void> => mark((found) => revoke(found, NOW_MS, 'stolen'));

test('a machine that is revoked gets nothing more on connections that it has, nor on new ones', async () => {
  const hash = await storePlan();
  const [first, second, third] = [await session(), await session(), await session()];
  for (const open of [first, second, third]) await attest(open);
  await revokeIt();
  await expect(first.certificates(await requests(), ended.signal)).rejects.toThrow(RefusedByAuthority);
  await expect(second.plan(hash, ended.signal)).rejects.toThrow(RefusedByAuthority);
  await expect(third.report(Buffer.from('{}'), ended.signal)).rejects.toThrow(RefusedByAuthority);
  await expect(attest(await session())).rejects.toThrow(RefusedByAuthority);
  expect(signed).toEqual([]);
});

test('a machine that is revoked while what it gets is being read does not get it', async () => {
  await attest(await session());
  const knowledgeFor: SessionEnv['knowledgeFor'] = async () => {
    await revokeIt();
    return { clusterCa: 'the CA', secrets: { 'gossip-key': 'of the ring' }, authorities: {} };
  };
  await expect(attest(await session({ knowledgeFor }))).rejects.toMatchObject({ status: 409 });
});

test('a machine that is revoked while its plan is being read does not get it', async () => {
  const hash = await storePlan();
  const planOf: SessionEnv['planOf'] = async (asking, planHash_, signal) => {
    await revokeIt();
    return readPlan(CLUSTER, asking, planHash_, workerPlan, signal);
  };
  const open = await session({ planOf });
  await attest(open);
  await expect(open.plan(hash, ended.signal)).rejects.toMatchObject({ status: 409 });
});

test('a machine that is revoked while its certificates are signed does not get them', async () => {
  const sign: SessionEnv['sign'] = async () => {
    await revokeIt().catch(() => undefined);
    return 'signed';
  };
  const open = await session({ sign });
  await attest(open);
  await expect(open.certificates(await requests(), ended.signal)).rejects.toThrow(RefusedByAuthority);
  expect(lines.join('\n')).toContain('it was revoked at');
});

test('a machine that may have another key gets one, once, and its first is none any more', async () => {
  await attest(await session());
  const old = await session();
  await attest(old);
  await mark(permitNewKey);
  key = await openMachineKey(join(folder, 'second.key'));
  await attest(await session());
  await expect(old.certificates(await requests(), ended.signal)).rejects.toThrow(RefusedByAuthority);
  key = await openMachineKey(join(folder, 'third.key'));
  await expect(attest(await session())).rejects.toThrow(RefusedByAuthority);
});

test('a machine that a person enrolled proves itself once by the key that it was given, and then by its own', async () => {
  const given = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = given.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  const { instanceId, nodeName: node, instanceGroup, address } = machine;
  const firstKey = { publicKey, goodUntilMs: Date.now() + 3_600_000 };
  const host = { node, instanceId, instanceGroup, role: 'Node', address, zone: 'a', enrolledMs: NOW_MS } as const;
  await store.write(hostPath(CLUSTER, node), Buffer.from(printHost({ ...host, firstKey, volumes: [] })), {
    ifAbsent: true,
  });
  const told = await openNodeVerifierFacts('metal', { cluster: CLUSTER, env: {}, openStore: async () => store });
  const facts = async (signal: AbortSignal): Promise<unknown> => JSON.parse(JSON.stringify(await told(signal)));
  const verifier = await openNodeVerifier('metal', { cluster: CLUSTER, facts });
  const byGivenKey: Evidence = async (challenge) => ({
    instanceId,
    signature: sign('sha256', challenge, given.privateKey).toString('base64url'),
  });
  expect(await attest(await session({ verifier }), byGivenKey)).toMatchObject({ nodeName: node });
  const noEvidence = async (): Promise<object> => Promise.reject(new Error('nobody asks for evidence'));
  expect(await attest(await session({ verifier }), noEvidence)).toMatchObject({ nodeName: node });
  key = await openMachineKey(join(folder, 'thief.key'));
  await expect(attest(await session({ verifier }), byGivenKey)).rejects.toThrow(RefusedByAuthority);
  expect(lines.join('\n')).toContain('another key than at its first attestation');
});

test.each([
  ['another name', ['nodes-2', ['nodes-2'], ['127.0.0.1']]],
  ["a control plane's name", ['control-plane-1', ['control-plane-1'], ['127.0.0.1']]],
  ['a name of the API', ['nodes-1', ['nodes-1', 'kubernetes'], ['127.0.0.1']]],
  ['a foreign address', ['nodes-1', ['nodes-1'], ['10.0.0.1']]],
] as const)('no certificate is requested for %s', async (_what, [name, dnsNames, addresses]) => {
  const open = await session();
  await attest(open);
  await expect(open.certificates(await requests(name, [...dnsNames], [...addresses]), ended.signal)).rejects.toThrow(
    RefusedByAuthority,
  );
  expect(signed.filter(({ purpose }) => purpose === 'serving')).toEqual([]);
});

test('a machine has one pair of requests on a connection, and so many signed in an hour', async () => {
  const open = await session();
  await attest(open);
  const first = await requests();
  await open.certificates(first, ended.signal);
  await expect(open.certificates(await requests(), ended.signal)).rejects.toThrow(RefusedByAuthority);
  const used = await session({ signings: new Allowance(0, () => NOW_MS) });
  await attest(used);
  await expect(used.certificates(first, ended.signal)).rejects.toThrow(RefusedByAuthority);
  expect(lines.join('\n')).toContain('too many certificates signed');
});

test('a machine that reports too much is refused', async () => {
  const open = await session();
  await attest(open);
  await open.report(Buffer.alloc(600), ended.signal);
  await expect(open.report(Buffer.alloc(600), ended.signal)).rejects.toThrow(RefusedByAuthority);
});

test('a machine that does not prove itself in time is hung up on', async () => {
  const silent = await called(context, {}, { proofMs: 50, endMs: 10_000 });
  await AuthoritySession.begin(silent, trusted(), ended.signal);
  expect(await calls[0]).toEqual({ end: 'unproven' });
  expect(lines.join('\n')).toContain('it has not proven itself within 0.05 s');
});

test('a machine whose cloud does not answer talks to the authority that calls after the first has hung up', async () => {
  const at = port();
  listening.close();
  await once(listening, 'close');
  let talks = 0;
  const waiting = awaitAuthorities(
    {
      port: at,
      address: '127.0.0.1',
      trusted: trusted(),
      onFailure: () => undefined,
      talk: async (talking, hungUp) => {
        talks += 1;
        const silent: Evidence = () =>
          new Promise((_, reject) => hungUp.addEventListener('abort', () => reject(new Error('hung up'))));
        await talking.attest(key, talks === 1 ? silent : evidenceOf('i-1'), hungUp);
        await talking.goodbye({ againSeconds: 60 }, hungUp);
      },
    },
    ended.signal,
  ).catch(() => undefined);
  const deadlines = { proofMs: 500, endMs: 10_000 };
  expect(await callAt(at, context, {}, deadlines)).toEqual({ end: 'unproven' });
  let last = await callAt(at, context, {}, deadlines);
  while (last.end === 'hung-up') last = await callAt(at, context, {}, deadlines);
  expect(last).toEqual({ end: 'talked', againSeconds: 60 });
  ended.abort();
  await waiting;
}, 20_000);

test('a machine that has proven itself and goes on and on is hung up on, and called again', async () => {
  const socket = await called(context, {}, { proofMs: 10_000, endMs: 2_000 });
  const open = await AuthoritySession.begin(socket, trusted(), ended.signal);
  await attest(open);
  expect(await calls[0]).toEqual({ end: 'talked', againSeconds: undefined });
});

test('a machine that hangs up by itself before it has said anything talks to another authority', async () => {
  (await session()).end();
  expect(await calls[0]).toEqual({ end: 'hung-up' });
});

test('a machine that is refused has not proven itself', async () => {
  await attest(await session(), evidenceOf('i-2')).catch(() => undefined);
  expect(await calls[0]).toEqual({ end: 'unproven' });
});

test('the enrolment is read before each thing that is given, and not while there is nothing to give', async () => {
  let reads = 0;
  const { promise: isSigned, resolve: signNow } = Promise.withResolvers<void>();
  const { enrol: decide, sign: signs } = env();
  const open = await session({
    enrol: (candidate, signal) => {
      reads += 1;
      return decide(candidate, signal);
    },
    sign: async (wanted, signal) => {
      await isSigned;
      return signs(wanted, signal);
    },
  });
  await attest(open);
  // Its key alone, then the evidence.
  expect(reads).toBe(2);
  const wanted = await requests();
  expect(await open.certificates(wanted, ended.signal)).toBe('not-yet');
  expect(await open.certificates(wanted, ended.signal)).toBe('not-yet');
  expect(reads).toBe(3);
  signNow();
  expect(await open.certificates(wanted, ended.signal)).toMatchObject({ client: 'signed client' });
  expect(reads).toBe(4);
});

test('a machine whose certificates are not signed yet gives way where others wait', async () => {
  const never = Promise.withResolvers<string>();
  const open = await session({ sign: async () => never.promise, doOthersWait: () => true });
  await attest(open);
  const wanted = await requests();
  let answers = 0;
  for (let answer: unknown = 'not-yet'; answer === 'not-yet'; answers += 1) {
    answer = await open.certificates(wanted, ended.signal);
    expect(['not-yet', 'at-next-call']).toContain(answer);
  }
  expect(answers).toBe(6);
});

test('a machine that asks for the same pair again, at a later call, uses up nothing', async () => {
  const signings = new Allowance(1, () => NOW_MS);
  const wanted = await requests();
  for (const open of [await session({ signings }), await session({ signings })]) {
    await attest(open);
    expect(await open.certificates(wanted, ended.signal)).toMatchObject({ client: 'signed client' });
  }
  const third = await session({ signings });
  await attest(third);
  await expect(third.certificates(await requests(), ended.signal)).rejects.toThrow(RefusedByAuthority);
});

/** What an attacker sends by hand. */
async function byHand(changed: Partial<SessionEnv> = {}) {
  const connection = connect({
    socket: await called(context, changed),
    ca: trustedCertificates(ca),
    servername: authorityName(CLUSTER),
  });
  await once(connection, 'secureConnect');
  const http = openHttp({ connection });
  const ask = async (path: string, body: string) =>
    http.ask({ method: 'POST', url: `http://authority${path}`, body, silenceMs: 10_000, maxBytes: 65_536 }, undefined);
  const signature = (nonce: Uint8Array, channel: Uint8Array): string => {
    const challenge = challengeOf({ cluster: CLUSTER, nonce, channel, machineKey: key.publicKey });
    const evidence = { instanceId: 'i-1', challenge: challenge.toString('hex') };
    return printAttestation({ machineKey: key.publicKey, signature: key.sign(challenge), evidence });
  };
  const hello = async () => parseHello((await ask(PATHS.hello, '{}')).body).nonce;
  return { connection, ask, signature, hello };
}

test('a machine that asks before it is answered is hung up on, so that nothing piles up', async () => {
  const { connection } = await byHand();
  const request = `POST ${PATHS.hello} HTTP/1.1\r\nhost: authority\r\ncontent-length: 2\r\n\r\n{}`;
  connection.write(request.repeat(50));
  await once(connection, 'close');
  expect(await calls[0]).toMatchObject({ end: 'hung-up' });
});

test('an attestation is good on its own connection, and once', async () => {
  const first = await byHand();
  const second = await byHand();
  const nonce = await first.hello();
  await second.hello();
  const attestation = first.signature(nonce, channelOf(first.connection));
  expect((await second.ask(PATHS.attest, attestation)).status).toBe(403);
  expect((await first.ask(PATHS.attest, attestation)).status).toBe(200);
  expect((await first.ask(PATHS.attest, attestation)).status).toBe(403);
});

test.each([
  [60_000, 200],
  [60_001, 403],
])('a nonce is good for a minute: %i ms after it was given, %i', async (laterMs, status) => {
  let nowMs = NOW_MS;
  const { connection, ask, signature, hello } = await byHand({ nowMs: () => nowMs });
  const attestation = signature(await hello(), channelOf(connection));
  nowMs += laterMs;
  expect((await ask(PATHS.attest, attestation)).status).toBe(status);
});

test.each(['', '{', '[]', '{"machineKey":"AAAA","signature":"AAAA"}', `{"machineKey":"${'A'.repeat(70_000)}"}`])(
  'a message that is none ends the conversation and nothing else: %.40j',
  async (text) => {
    const { ask, hello } = await byHand();
    await hello();
    const status = await ask(PATHS.attest, text).then(
      (answer) => answer.status,
      () => 0,
    );
    expect([0, 400, 403, 500]).toContain(status);
    expect(await attest(await session())).toMatchObject({ nodeName: 'nodes-1' });
  },
);
