import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import pLimit from 'p-limit';
import { isNotYet, keepRunning } from '@kopsctl/agent/keep-running.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { follow, Latest } from '@kopsctl/node-cloud/latest.ts';
import type { EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { NodeAuthorityConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Broker } from './broker/broker.ts';
import { callMachine } from './calls/call-machine.ts';
import { callMachines } from './calls/call-machines.ts';
import { reachMachine } from './calls/reach-machine.ts';
import { type Turns, turns } from './calls/turns.ts';
import { SigningDesk } from './certificates/signing-desk.ts';
import { enrol } from './enrolment/enrol.ts';
import { RefusalEvents } from './enrolment/refusal-events.ts';
import { readPlan } from './knowledge/read-plan.ts';
import { sharedAnswers } from './knowledge/shared-answers.ts';
import { keepReport } from './reports/keep-report.ts';
import { Allowance } from './session/allowance.ts';
import { SessionServer } from './session/serve-session.ts';
import { Session, type SessionEnv } from './session/session.ts';

export interface AgentEnv {
  readonly broker: Broker;
  readonly verifier: EvidenceVerifier;
  readonly kube: KubeClient;
  readonly log: Log;
}

/** A machine needs evidence once. Each piece of it costs a question to the cloud. */
const EVIDENCE_PER_HOUR = 60;
/** A machine needs one pair in two days; one that loses answers asks again. */
const SIGNINGS_PER_HOUR = 20;
/** A boot of five minutes that reports once a second. */
const REPORT_BYTES_PER_HOUR = 64 * 1024 * 1024;

/** Machines of a group boot together. Code that changes what they get to know waits longer than this until all know it. */
const KNOWLEDGE_IS_GOOD_MS = 5_000;
/** A plan has 8 MiB at most, and takes five times that of memory until it has been sent. Most plans take a hundredth. */
const PLANS_AT_ONCE = 2;

/** While a cluster starts, its API server and the permissions of this authority appear a moment later. */
const UNTIL_API_SERVES: Pace = { retries: 1000, minTimeout: 100, factor: 1.2, maxTimeout: 1000 };

/** Calls the machines of the cluster and signs for the ones that prove who they are, until the signal aborts. */
export async function runAgent(config: NodeAuthorityConfig, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const machines = new Latest<CloudMachine>();
  const desk = new SigningDesk(env.kube, env.log.about('requests'));
  const context = ownContext(config.certificate, config.key);
  const start = (name: string, run: (inner: AbortSignal) => Promise<void>): Promise<void> =>
    keepRunning(run, signal, env.log.about(name));
  await Promise.all([
    start('machines', (inner) => follow(machines, (after, waiting) => env.broker.machines(after, waiting), inner)),
    start('requests', (inner) => desk.follow(inner)),
    start('calls', (inner) => answerMachines(config, { ...env, machines, desk, context }, inner)),
  ]);
}

interface AnsweringEnv extends AgentEnv {
  readonly machines: Latest<CloudMachine>;
  readonly desk: SigningDesk;
  /** This authority's certificate and key, as they are now. */
  readonly context: () => Promise<SecureContext>;
}

async function answerMachines(
  { cluster, machinePort }: NodeAuthorityConfig,
  env: AnsweringEnv,
  signal: AbortSignal,
): Promise<void> {
  const server = new SessionServer();
  const bounds = turns();
  const sessionEnv = environmentOf(cluster, env, bounds, signal);
  await callMachines(
    env.machines,
    (machine, isDoubtful, inner) =>
      callMachine(
        {
          reach: (reaching) => reachMachine(machine.address, machinePort, reaching),
          context: env.context,
          talk: (connection) =>
            server.serve(connection, new Session(machine, connection, sessionEnv), env.log.about(machine.nodeName)),
          turns: bounds,
          isDoubtful,
        },
        inner,
      ),
    signal,
  );
}

function environmentOf(cluster: string, env: AnsweringEnv, { talking }: Turns, agentSignal: AbortSignal): SessionEnv {
  const { broker, kube, verifier, desk, log } = env;
  const nowMs = (): number => Date.now();
  const events = new RefusalEvents({ kube, log: log.about('events'), nowMs });
  const readingPlans = pLimit(PLANS_AT_ONCE);
  const enrolmentEnv = { enrolments: broker.enrolments, kube, machines: () => env.machines.items ?? [], nowMs };
  return {
    cluster,
    verifier,
    nowMs,
    enrol: (candidate, signal) => enrol(candidate, enrolmentEnv, signal),
    // A refused machine's own connection ends at once.
    tellRefused: (machine, reason) => void events.tell(machine, reason, agentSignal),
    sign: (wanted, signal) =>
      tryAgain(() => desk.sign(wanted, signal), { pace: UNTIL_API_SERVES, isPassing: isApiNotReady }, signal),
    rightsOf: sharedAnswers((group) => broker.rightsOf(group, agentSignal), KNOWLEDGE_IS_GOOD_MS, nowMs),
    knowledgeFor: sharedAnswers((group) => broker.knowledgeFor(group, agentSignal), KNOWLEDGE_IS_GOOD_MS, nowMs),
    evidence: new Allowance(EVIDENCE_PER_HOUR, nowMs),
    signings: new Allowance(SIGNINGS_PER_HOUR, nowMs),
    reportBytes: new Allowance(REPORT_BYTES_PER_HOUR, nowMs),
    planOf: (machine, planHash, signal) =>
      readingPlans(() => readPlan(cluster, machine, planHash, broker.workerPlan, signal)),
    doOthersWait: () => talking.pendingCount > 0,
    keepReport: ({ nodeName }, report, signal) => keepReport(nodeName, report, broker.keepReport, signal),
  };
}

/** 403: the addon with the permissions is not applied yet. */
const isApiNotReady = (error: unknown): boolean =>
  error instanceof KubeError ? error.status === 403 || error.status >= 500 : isNotYet(error);

/** Reads the certificate whenever it is asked, because nodeup renews it in place. */
function ownContext(certificate: string, key: string): () => Promise<SecureContext> {
  let cached: { readonly pem: string; readonly context: SecureContext } | undefined;
  return async () => {
    const cert = await readFile(certificate, 'utf8');
    if (cached?.pem !== cert) {
      const context = createSecureContext({ cert, key: await readFile(key, 'utf8'), minVersion: 'TLSv1.3' });
      cached = { pem: cert, context };
    }
    return cached.context;
  };
}
