import { kubeClient } from '@kopsctl/kube/client.ts';
import { observeCluster } from '@kopsctl/actions/rolling/observe-cluster.ts';
import { openRollJournal } from '@kopsctl/actions/rolling/journal.ts';
import { rollEvents } from '@kopsctl/actions/rolling/roll-events.ts';
import { runRoll } from '@kopsctl/actions/rolling/run-roll.ts';
import { startRoll } from '@kopsctl/actions/rolling/start-roll.ts';
import { planOutdated } from '@kopsctl/actions/outdated/plan-outdated.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { toyFleet } from '@kopsctl/test-clouds/toy-cloud/control/fleet-toy.ts';
import { rounds, type Replacement } from './rounds.ts';
import { CLUSTER, machineTasks, openToy, storeUrlOf, wantedMachines } from './toy-machines.ts';

/** What the process that rolls prints when it is done. */
export interface RollFigures {
  readonly state: string;
  readonly replaced: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly budget: number;
  /** Resident at the 100th machine, at the last, and at most, in MiB. */
  readonly residentMiB: { readonly atHundred: number; readonly atLast: number; readonly peak: number };
}

const [folder = '', kubeconfig = '', count = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const nowMs = (): number => Date.now();
const store = await openStore(storeUrlOf(folder), {});
const kube = kubeClient(kubeconfig);
const tasks = machineTasks(wantedMachines(Number(count)));
const fleet = toyFleet({ toy: openToy(folder), cluster: CLUSTER }, async () => tasks);
const groups = await fleet.groups(signal);
const chosen = planOutdated({ groups, running: new Map(), wanted: new Map(), marked: new Set(), force: false });
const journal = await openRollJournal(store, CLUSTER, signal);
const manner = { makes: true, cloudOnly: false, abandons: false };
const about = { former: journal.entry, chosen, groups, ...manner, id: 'thousand', nowMs: nowMs() };
const budget = Math.ceil(Number(count) / 4);
const rules = { maxUnavailable: budget, maxSurge: 0, drainAndTerminate: true };
const settings = {
  rules: new Map(groups.map(({ name }) => [name, rules])),
  budget,
  cloudOnly: false,
  interactive: false,
  makes: true,
  postDrainDelayMs: 0,
  validateCount: 2,
  validationTimeoutMs: 15 * 60_000,
  failOnDrainError: true,
  failOnValidateError: true,
  intervalsMs: { Bastion: 0, ControlPlane: 0, APIServer: 0, Node: 0 },
};
const residentMiB = (): number => Math.round(process.memoryUsage.rss() / 1024 ** 2);
const begun = new Map<string, number>();
const ended: Replacement[] = [];
let atHundred = 0;
const startMs = nowMs();
const roll = await runRoll(
  startRoll(about),
  settings,
  {
    fleet,
    kube,
    journal,
    cloudOnly: false,
    drainTimeoutMs: 60_000,
    lookAgainMs: 500,
    nowMs,
    say: (line) => process.stderr.write(`${line}\n`),
    ask: async () => true,
    observe: (stop) =>
      observeCluster({ fleet, kube, store, cluster: CLUSTER, etcdClusters: [], cloudOnly: false, nowMs }, stop),
    onChange: (before, after) => {
      for (const event of rollEvents(before, after, nowMs())) {
        if (event.type === 'blocked') process.stderr.write(`blocked: ${event.why}\n`);
        if (event.type !== 'machine-step') continue;
        if (event.step === 'cordon') begun.set(event.machine, event.atMs);
        if (event.step === 'failed') process.stderr.write(`${event.machine}: ${event.failure}\n`);
        if (event.step !== 'done') continue;
        ended.push({ startMs: begun.get(event.machine) ?? 0, endMs: event.atMs });
        if (ended.length === 100) atHundred = residentMiB();
        if (ended.length % 100 === 0) process.stderr.write(`${ended.length} replaced, ${residentMiB()} MiB\n`);
      }
    },
  },
  { stop: signal, signal },
);
const figures: RollFigures = {
  state: roll.state,
  replaced: ended.length,
  seconds: (nowMs() - startMs) / 1000,
  rounds: rounds(ended),
  budget,
  residentMiB: {
    atHundred,
    atLast: residentMiB(),
    // getrusage(2): in KiB on Linux.
    peak: Math.round(process.resourceUsage().maxRSS / 1024),
  },
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
