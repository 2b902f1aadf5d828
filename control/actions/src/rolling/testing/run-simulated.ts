import type { Fleet, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { planOutdated } from '../../outdated/plan-outdated.ts';
import { HEAL_DRAIN_MS, HEAL_WISHES, healRoll, seenByHealer } from '../../healing/heal-roll.ts';
import { planHealing } from '../../healing/plan-healing.ts';
import { convergeInPlace } from '../converge-in-place.ts';
import { askedOf } from '../asked.ts';
import { chooseInPlace } from '../choose-in-place.ts';
import { chooseMachines } from '../choose-machines.ts';
import { openRollJournal } from '../journal.ts';
import { lookAtCluster } from '../look-at-cluster.ts';
import type { Roll, Turn } from '../roll.ts';
import { type RollEvent, rollEvents } from '../roll-events.ts';
import type { RollWishes } from '../settings-of.ts';
import { settingsOf } from '../settings-of.ts';
import { runRoll } from '../run-roll.ts';
import { startRoll } from '../start-roll.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

export interface SimulatedRun {
  readonly wishes?: Partial<RollWishes>;
  readonly rules?: Readonly<Record<string, InstanceGroup['spec']['rollingUpdate']>>;
  readonly force?: boolean;
  /** Only machines of these roles. */
  readonly roles?: readonly NodeRole[];
  /** Only these machines, by name. */
  readonly machines?: readonly string[];
  readonly abandons?: boolean;
  /** Workers, or machines of another role, become what their plan says as they are. */
  readonly inPlace?: { readonly drains: boolean; readonly role?: NodeRole };
  /** One of the machines of these groups that are unwell for this long is replaced, and no others. */
  readonly healsAfterMs?: ReadonlyMap<string, number>;
  /** By how much the clock of the computer that rolls is ahead of the cluster's; behind where it is negative. */
  readonly clockAheadMs?: number;
  readonly drainTimeoutMs?: number;
  readonly stop?: AbortSignal;
  /** Called before anything is changed or written, and after; what it throws is the end of the process. */
  readonly onBoundary?: (what: string) => void;
  /** Whether something that was changed or written is not answered, as where the connection is cut at that moment. */
  readonly losesAnswer?: (what: string) => boolean;
  readonly onLook?: () => void;
  readonly onEvent?: (event: RollEvent) => void;
  readonly ask?: (turn: Turn) => Promise<boolean>;
}

const WISHES: RollWishes = {
  budget: '25%',
  cloudOnly: false,
  interactive: false,
  postDrainDelayMs: 0,
  validateCount: 2,
  validationTimeoutMs: 15 * 60_000,
  failOnDrainError: true,
  failOnValidateError: true,
  intervalsMs: { Bastion: 0, ControlPlane: 0, APIServer: 0, Node: 0 },
};

/** Rolls a simulated cluster with the code that rolls real ones, as a process of its own would. */
export async function runSimulated(cluster: SimulatedCluster, run: SimulatedRun = {}): Promise<Roll> {
  const { rules = {}, force = false, stop = new AbortController().signal, onBoundary = () => {} } = run;
  const dead = new AbortController();
  /** Once a process is killed, nothing that it was about to do is done. */
  const bound =
    <Args extends readonly unknown[], Result>(what: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const pass = (when: string): void => {
        dead.signal.throwIfAborted();
        try {
          onBoundary(`${when} ${what}`);
        } catch (error) {
          dead.abort(error);
          throw error;
        }
      };
      pass('before');
      const result = await work(...args);
      pass('after');
      if (run.losesAnswer?.(what) === true)
        throw Object.assign(new Error(`no answer to ${what}`), { code: 'ECONNRESET' });
      return result;
    };
  const whole = cluster.fleet();
  const { inPlace } = whole;
  const fleet: Fleet = {
    ...whole,
    ...(inPlace && {
      inPlace: {
        ...inPlace,
        note: bound('note', async (...args: Parameters<typeof inPlace.note>) => inPlace.note(...args)),
      },
    }),
    deregister: bound('deregister', (machine: FleetMachine, ended: AbortSignal) => whole.deregister(machine, ended)),
    register: bound('register', (machine: FleetMachine, ended: AbortSignal) => whole.register(machine, ended)),
    delete: bound('delete', (machine: FleetMachine, ended: AbortSignal) => whole.delete(machine, ended)),
    ...(whole.make && { make: bound('make', async (name: string, ended: AbortSignal) => whole.make?.(name, ended)) }),
    ...(whole.detach && {
      detach: bound('detach', async (machine: FleetMachine, ended: AbortSignal) => whole.detach?.(machine, ended)),
    }),
  };
  const api = cluster.kube();
  const kube = {
    get: api.get,
    text: api.text,
    timeMs: api.timeMs,
    create: bound('evict', api.create),
    mergePatch: bound('patch', api.mergePatch),
    remove: bound('remove', api.remove),
  };
  const store: StateStore = {
    ...cluster.store,
    write: bound('write', (...args: Parameters<StateStore['write']>) => cluster.store.write(...args)),
  };
  const nowMs = () => cluster.nowMs + (run.clockAheadMs ?? 0);
  const { healsAfterMs } = run;
  const wishes = { ...(healsAfterMs === undefined ? WISHES : HEAL_WISHES), ...run.wishes };
  const { cloudOnly } = wishes;
  const { clusterName } = cluster;
  const { signal } = dead;
  const observing = {
    fleet,
    kube,
    store,
    cluster: clusterName,
    etcdClusters: cluster.etcds,
    isOfKops: cluster.isOfKops,
    cloudOnly,
    nowMs,
  };
  const groups = await fleet.groups(signal);
  const journal = await openRollJournal(store, clusterName, signal);
  const wanted = planOutdated({
    groups,
    running: new Map(),
    wanted: new Map(),
    marked: cluster.markedNodes,
    force,
  }).map((one) => {
    const convergence =
      run.inPlace && one.machine.role === (run.inPlace.role ?? 'Node')
        ? { faults: [], drains: run.inPlace.drains }
        : undefined;
    return { ...one, ...cluster.plansOf(one.machine), ...(convergence && { convergence }) };
  });
  const named =
    run.machines && wanted.flatMap(({ machine }) => (run.machines?.includes(machine.name) ? machine.id : []));
  const outdated = run.abandons === true ? [] : chooseMachines(wanted, { roles: run.roles, machines: named });
  const chosen = run.inPlace ? (await chooseInPlace(outdated, fleet, journal.entry, signal)).outdated : outdated;
  const makes = fleet.make !== undefined;
  const plans = new Map(
    groups.flatMap(({ name, machines }) => machines.map((one) => [name, cluster.plansOf(one).wanted])),
  );
  const about = { plans, former: journal.entry, groups, makes, cloudOnly, id: 'one', nowMs: nowMs() };
  const drainTimeoutMs = run.drainTimeoutMs ?? (healsAfterMs === undefined ? 15 * 60_000 : HEAL_DRAIN_MS);
  const asked = askedOf({ ...wishes, force, drainTimeoutMs });
  const start =
    healsAfterMs === undefined
      ? startRoll({ ...about, chosen, asked, abandons: run.abandons === true })
      : healRoll({
          ...about,
          replace: planHealing({ seen: await lookAtCluster(observing, signal), afterMs: healsAfterMs }).replace,
        });
  const instanceGroups = groups.map(({ name }) => ({ metadata: { name }, spec: { rollingUpdate: rules[name] } }));
  const settings = settingsOf(wishes, { cluster: { spec: {} }, instanceGroups } as never, groups, fleet);
  return runRoll(
    start,
    settings,
    {
      fleet,
      kube,
      journal,
      converge: (turn, machine, begunMs, ended) =>
        convergeInPlace({ fleet, kube, begunMs, lookAgainMs: 0, nowMs }, turn, machine, ended),
      cloudOnly,
      drainTimeoutMs,
      lookAgainMs: 0,
      nowMs,
      say: (line) => run.onEvent?.({ type: 'note', atMs: nowMs(), line }),
      ask: run.ask ?? (async () => true),
      observe: async (ended, turns) => {
        const seen = await lookAtCluster(observing, ended, turns);
        run.onLook?.();
        return healsAfterMs === undefined ? seen : seenByHealer(seen, journal.entry);
      },
      onChange: (before, after) => rollEvents(before, after, nowMs()).forEach((event) => run.onEvent?.(event)),
    },
    { stop, signal },
  );
}
