import type { Log } from '@kopsctl/agent/log.ts';
import {
  BROKER_PATHS,
  type MachineKnowledge,
  MAX_MACHINES_BYTES,
  parseKnowledge,
  parseMachines,
  parseRights,
  parseStoredEnrolment,
  parseVerifierFacts,
  parseWritten,
  printWish,
} from '@kopsctl/node-identity/broker-messages.ts';
import { printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { MAX_PLAN_BYTES, printPlanWish } from '@kopsctl/node-identity/messages.ts';
import type { CloudMachine, Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import type { GroupRights } from '@kopsctl/node-plan/authority-groups.ts';
import type { Enrolments } from '../enrolment/enrol.ts';
import type { ReadWorkerPlan } from '../knowledge/read-plan.ts';
import { askProtokube } from './ask-protokube.ts';

/** All that an authority knows of its cloud and of the state store, neither of which it can reach. */
export interface Broker {
  readonly enrolments: Enrolments;
  readonly workerPlan: ReadWorkerPlan;
  /** Resolves at once without `after`; otherwise when there is a newer list, or after a while. */
  readonly machines: (after: string | undefined, signal: AbortSignal) => Promise<Observed<CloudMachine>>;
  /** Undefined for a group that the cluster does not have. */
  readonly rightsOf: (instanceGroup: string, signal: AbortSignal) => Promise<GroupRights | undefined>;
  readonly knowledgeFor: (instanceGroup: string, signal: AbortSignal) => Promise<MachineKnowledge>;
  readonly keepReport: (report: Buffer, signal: AbortSignal) => Promise<void>;
  readonly verifierFacts: (signal: AbortSignal) => Promise<unknown>;
}

/** protokube on the same machine, over its socket. While it is away, questions wait for it a while. */
export function openBroker(socketPath: string, log: Log): Broker {
  const { find, ask } = askProtokube(socketPath, log);
  return {
    enrolments: {
      read: async (node, signal) =>
        parseStoredEnrolment(await ask(BROKER_PATHS.enrolment, printWish({ node }), signal)),
      write: async (enrolment, version, signal) => {
        const wish = printWish({ text: printEnrolment(enrolment), ...(version !== undefined && { version }) });
        return parseWritten(await ask(BROKER_PATHS.enrol, wish, signal));
      },
    },
    workerPlan: async (planHash, signal) => {
      const text = await find(BROKER_PATHS.plan, printPlanWish({ planHash }), signal, MAX_PLAN_BYTES);
      return text === undefined ? undefined : Buffer.from(text, 'utf8');
    },
    machines: async (after, signal) => {
      const wish = printWish(after === undefined ? {} : { after });
      return parseMachines(await ask(BROKER_PATHS.machines, wish, signal, MAX_MACHINES_BYTES));
    },
    rightsOf: async (instanceGroup, signal) =>
      parseRights(await ask(BROKER_PATHS.rights, printWish({ instanceGroup }), signal)),
    knowledgeFor: async (instanceGroup, signal) =>
      parseKnowledge(await ask(BROKER_PATHS.knowledge, printWish({ instanceGroup }), signal)),
    keepReport: async (report, signal) => {
      await ask(BROKER_PATHS.report, report, signal);
    },
    verifierFacts: async (signal) => parseVerifierFacts(await ask(BROKER_PATHS.verifierFacts, '{}', signal)),
  };
}
