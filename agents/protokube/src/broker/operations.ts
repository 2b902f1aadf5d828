import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { isAttestedRole } from '@kopsctl/node-identity/attested-role.ts';
import {
  BROKER_PATHS,
  parseEnrolmentWish,
  parseEnrolWish,
  parseGroupWish,
  parseMachinesWish,
  printKnowledge,
  printMachines,
  printRights,
  printStoredEnrolment,
  printVerifierFacts,
  printWritten,
} from '@kopsctl/node-identity/broker-messages.ts';
import { type Enrolment, enrolmentPath, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { MAX_MESSAGE_BYTES, MAX_PLAN_BYTES, MAX_REPORT_BYTES, parsePlanWish } from '@kopsctl/node-identity/messages.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { VerifierFacts } from '@kopsctl/node-cloud/machine-identity.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { planHash as hashOf, planPath, WORKER_PLANS } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readGroupRights } from './group-rights.ts';
import { keepReport, placeOfReport } from './keep-report.ts';
import { machineKnowledge } from './machine-knowledge.ts';
import { newerMachines } from './newer-machines.ts';
import { BrokerRefusal } from './refusal.ts';
import { writeEnrolment } from './write-enrolment.ts';

/** What the broker has and the authority lacks. */
export interface OperationsEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly machines: Latest<CloudMachine>;
  readonly verifierFacts: VerifierFacts;
}

interface Operation {
  /** The largest body that it takes. */
  readonly maxBytes: number;
  /** @throws BrokerRefusal for what it does not do, any other error if it cannot be done now */
  answer(body: Buffer, env: OperationsEnv, signal: AbortSignal): Promise<string | Uint8Array>;
}

/** An authority with nothing to do finds out within this time that the broker is still there. */
const LIST_WITHIN_MS = 25_000;
/** Less than a machine waits for the answer of an authority. */
const FIRST_LIST_WITHIN_MS = 10_000;

/** An operation whose body is a short message. @throws BrokerRefusal if it is not understood */
const onMessage = <Wish>(
  parse: (text: string) => Wish,
  answer: (wish: Wish, env: OperationsEnv, signal: AbortSignal) => Promise<string | Uint8Array>,
): Operation => ({
  maxBytes: MAX_MESSAGE_BYTES,
  answer: (body, env, signal) =>
    answer(
      understood(() => parse(body.toString('utf8'))),
      env,
      signal,
    ),
});

function understood<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new BrokerRefusal(400, `its message is not understood: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Everything that the broker does. The parser of a wish defines what it may contain; no wish names a path. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  [BROKER_PATHS.machines]: onMessage(parseMachinesWish, async ({ after }, { machines }, signal) => {
    const list = await newerMachines(machines, after, LIST_WITHIN_MS, signal);
    if (list === undefined) throw notListedYet();
    return printMachines(list);
  }),

  [BROKER_PATHS.rights]: onMessage(parseGroupWish, async ({ instanceGroup }, { cluster, store }, signal) =>
    printRights(await readGroupRights(cluster, instanceGroup, store, signal)),
  ),

  [BROKER_PATHS.knowledge]: onMessage(parseGroupWish, async ({ instanceGroup }, { cluster, store }, signal) => {
    const rights = await readGroupRights(cluster, instanceGroup, store, signal);
    if (rights === undefined) throw new BrokerRefusal(404, `the cluster has no group ${instanceGroup}`);
    return printKnowledge(await machineKnowledge(cluster, rights, store, signal));
  }),

  [BROKER_PATHS.plan]: onMessage(parsePlanWish, async ({ planHash }, { cluster, store }, signal) => {
    const stored = await store.read(planPath(cluster, WORKER_PLANS, planHash), signal);
    const isPlan =
      stored !== undefined && stored.bytes.byteLength <= MAX_PLAN_BYTES && hashOf(stored.bytes) === planHash;
    if (!isPlan) throw new BrokerRefusal(404, `no worker has the plan ${planHash}`);
    return stored.bytes;
  }),

  [BROKER_PATHS.enrolment]: onMessage(parseEnrolmentWish, async ({ node }, { cluster, store, machines }, signal) => {
    mustBeListed(node, await listed(machines, signal));
    const stored = await store.read(enrolmentPath(cluster, node), signal);
    return printStoredEnrolment(
      stored && { text: Buffer.from(stored.bytes).toString('utf8'), version: stored.version },
    );
  }),

  [BROKER_PATHS.enrol]: onMessage(parseEnrolWish, async ({ text, version }, { cluster, store, machines }, signal) => {
    const enrolment: Enrolment = understood(() => parseEnrolment(text));
    const there = await listed(machines, signal);
    mustBeListed(enrolment.node, there);
    return printWritten(await writeEnrolment({ cluster, enrolment, version, machines: there }, store, signal));
  }),

  [BROKER_PATHS.report]: {
    maxBytes: MAX_REPORT_BYTES,
    async answer(report, { cluster, store, machines }, signal) {
      const place = placeOfReport(cluster, report);
      if (place === undefined) throw new BrokerRefusal(400, 'what it sent is not a report of a machine');
      mustBeListed(place.node, await listed(machines, signal));
      await keepReport(place.path, report, store, signal);
      return '{}';
    },
  },

  [BROKER_PATHS.verifierFacts]: onMessage(
    () => undefined,
    async (_wish, { verifierFacts }, signal) => printVerifierFacts(await verifierFacts(signal)),
  ),
};

/** The machines that the cloud lists. The first list comes a moment after protokube has started. */
async function listed(machines: Latest<CloudMachine>, signal: AbortSignal): Promise<readonly CloudMachine[]> {
  const list = await newerMachines(machines, undefined, FIRST_LIST_WITHIN_MS, signal);
  if (list === undefined) throw notListedYet();
  return list.items;
}

/** Names are those in the cloud's list, so only what belongs to a machine that may join is read or written. */
function mustBeListed(node: string, machines: readonly CloudMachine[]): void {
  const isListed = machines.some(({ nodeName, role }) => nodeName === node && isAttestedRole(role));
  if (!isListed) throw new BrokerRefusal(403, `the cloud lists no machine named ${node} that is joining`);
}

const notListedYet = (): ActionableError =>
  new ActionableError({
    what: 'tell the authority which machines there are',
    why: 'the cloud has not answered yet',
    next: '`journalctl -u protokube` on this machine says what it waits for',
  });
