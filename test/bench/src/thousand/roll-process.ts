import { kubeClient } from '@kopsctl/kube/client.ts';
import { lookAtCluster } from '@kopsctl/actions/rolling/look-at-cluster.ts';
import { openRollJournal } from '@kopsctl/actions/rolling/journal.ts';
import { rollEvents } from '@kopsctl/actions/rolling/roll-events.ts';
import { runRoll } from '@kopsctl/actions/rolling/run-roll.ts';
import { startRoll } from '@kopsctl/actions/rolling/start-roll.ts';
import { planOutdated } from '@kopsctl/actions/outdated/plan-outdated.ts';
import type { Fleet } from '@kopsctl/model/fleet.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { toyFleet } from '@kopsctl/test-clouds/toy-cloud/control/fleet-toy.ts';
import type { ToyMachine } from '@kopsctl/test-clouds/toy-cloud/node/toy-things.ts';
import { toyKube } from '@kopsctl/test-clouds/toy-kube.ts';
import { IMAGES } from './join-nodes.ts';
import { isFirst, joinsTogether } from './join-together.ts';
import { rounds, type Replacement } from './rounds.ts';
import { budgetOf, CLUSTER, machineTasks, openToy, storeUrlOf, wantedMachines } from './toy-machines.ts';

/** What the process that rolls prints when it is done. */
export interface RollFigures {
  readonly state: string;
  readonly replaced: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly budget: number;
  /** Resident at the 100th machine, at the last, and at most, in MiB. */
  readonly residentMiB: { readonly atHundred: number; readonly atLast: number; readonly peak: number };
  /** What the heap holds; without garbage only with --expose-gc. */
  readonly heapMiB: { readonly atHundred: number; readonly atLast: number };
}

const [folder = '', kubeconfig = '', count = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const nowMs = (): number => Date.now();
const budget = budgetOf(Number(count));
const joined = new Set<string>();
const mayJoin = joinsTogether(budget, nowMs);
function join(machines: readonly ToyMachine[]): ReadonlySet<string> {
  const fresh = machines.filter((machine) => !isFirst(machine) && !joined.has(machine.id));
  if (mayJoin(fresh.length)) for (const { id } of fresh) joined.add(id);
  return new Set(machines.filter((machine) => isFirst(machine) || joined.has(machine.id)).map(({ id }) => id));
}
// Without an API server, the toy cloud answers what the roll asks.
const kube = kubeconfig === '' ? toyKube(openToy(folder), { images: IMAGES, joined: join }) : kubeClient(kubeconfig);
const store = await openStore(storeUrlOf(folder), {});
const tasks = machineTasks(wantedMachines(Number(count)));
const machinesOfToy = toyFleet({ toy: openToy(folder), cluster: CLUSTER }, async () => tasks);
/**
 * The toy cloud tells neither when machines were launched nor the names of their Nodes. With a launch time, machines that
 * existed before show that the spec works, and no machine is taken to own the Node of the next one.
 */
const fleet: Fleet = {
  ...machinesOfToy,
  async groups(stop) {
    const found = await machinesOfToy.groups(stop);
    return found.map((group) => ({
      ...group,
      machines: group.machines.map((machine) => ({
        ...machine,
        ...(kubeconfig === '' && { machineId: machine.id }),
        ...(isFirst(machine) && { launchedMs: 0 }),
      })),
    }));
  },
};
const groups = await fleet.groups(signal);
const chosen = planOutdated({ groups, running: new Map(), wanted: new Map(), marked: new Set(), force: false });
const journal = await openRollJournal(store, CLUSTER, signal);
const manner = { makes: true, cloudOnly: false, abandons: false };
const about = { former: journal.entry, chosen, groups, ...manner, id: 'thousand', nowMs: nowMs() };
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
const mebibytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);
const residentMiB = (): number => mebibytes(process.memoryUsage.rss());
/** What the heap holds; without garbage only with --expose-gc. */
const heapMiB = (): number => {
  globalThis.gc?.();
  return mebibytes(process.memoryUsage().heapUsed);
};
const begun = new Map<string, number>();
const ended: Replacement[] = [];
let atHundred = { residentMiB: 0, heapMiB: 0 };
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
      lookAtCluster(
        { fleet, kube, store, cluster: CLUSTER, etcdClusters: [], isOfKops: false, cloudOnly: false, nowMs },
        stop,
      ),
    onChange: (before, after) => {
      for (const event of rollEvents(before, after, nowMs())) {
        if (event.type === 'blocked') process.stderr.write(`blocked: ${event.why}\n`);
        if (event.type !== 'machine-step') continue;
        if (event.step === 'cordon') begun.set(event.machine, event.atMs);
        if (event.step === 'failed') process.stderr.write(`${event.machine}: ${event.failure}\n`);
        if (event.step !== 'done') continue;
        ended.push({ startMs: begun.get(event.machine) ?? 0, endMs: event.atMs });
        if (ended.length === 100) atHundred = { residentMiB: residentMiB(), heapMiB: heapMiB() };
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
    atHundred: atHundred.residentMiB,
    atLast: residentMiB(),
    // getrusage(2): in KiB on Linux.
    peak: Math.round(process.resourceUsage().maxRSS / 1024),
  },
  heapMiB: { atHundred: atHundred.heapMiB, atLast: heapMiB() },
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
