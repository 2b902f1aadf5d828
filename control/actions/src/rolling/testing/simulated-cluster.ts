import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { Fleet, FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import { adoptUnit, parseWantedPlan, WANTED_PLAN_ANNOTATION } from '@kopsctl/node-plan/in-place.ts';
import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { publishStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { WantedEtcd } from '../../etcd/wanted-etcds.ts';
import { marksOf } from '../mark-node.ts';

export interface SimulatedGroup {
  readonly name: string;
  readonly role: NodeRole;
  readonly count: number;
  /** How many of its machines, the first ones, are current already. */
  readonly current?: number;
  readonly warm?: number;
}

export interface Simulation {
  readonly groups: readonly SimulatedGroup[];
  /** Groups of the cloud replace machines, and machines can be detached; otherwise machines are made again by name. */
  readonly hasGroups?: boolean;
  /** The machines that groups make have the names of the machines that they replace, and their Nodes too. */
  readonly keepsNames?: boolean;
  /** How long the Node of a machine that has joined is not Ready, as while it has no network of pods yet. */
  readonly readyAfterMs?: number;
  /** Apps of two pods each, of which one has to run. */
  readonly apps?: readonly string[];
  /** Its machines were made by kops, whose managers of etcd are pods and publish nothing. */
  readonly isOfKops?: boolean;
}

interface Machine extends Omit<FleetMachine, 'isCurrent' | 'running'> {
  /** What its cloud says it was made from. */
  readonly config: number;
  /** The hash of the plan that it matches. */
  readonly runs: string;
  readonly launchedMs: number;
}

interface Pod {
  readonly uid: string;
  readonly app: string;
  node: string;
  readyAtMs: number;
}

type Json = Record<string, unknown>;

const CLUSTER = 'demo';
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
/** The hash of the plan that machines of a configuration are made from. */
const planOf = (config: number): string => String(config).repeat(64);
/** What each look at the cluster takes. */
const TICK_MS = 1_000;
const JOINS_AFTER_MS = 5_000;
const POD_STARTS_AFTER_MS = 2_000;
const PROXY_RETURNS_AFTER_MS = 25_000;

/**
 * A cluster in memory: the machines of a cloud, the Nodes and pods of an API server, and what etcd-managers publish.
 * Machines join, pods are scheduled and time passes whenever somebody looks.
 */
export class SimulatedCluster {
  readonly store = createMemoryStore();
  readonly clusterName = CLUSTER;
  nowMs = Date.UTC(2030, 0, 1);
  /** Machines of this group that are made from now on never become Ready. */
  broken: string | undefined;
  /** No machine of this group can be made, as where a quota is used up. */
  full: string | undefined;
  /** How long the API is away once a control plane is changed in place. */
  apiRestartMs = 0;
  /** Until when no API server answers. */
  apiAwayUntilMs = 0;
  /** The managers of etcd on machines of this group publish nothing. */
  muted: string | undefined;
  /** Static pods whose probe fails, by name. */
  readonly unreadyPods = new Set<string>();
  /** Pods of this app may not be evicted. */
  guarded: string | undefined;
  cannotDetach = false;
  /** How many machines groups should have now, where their spec was changed. */
  readonly sizes = new Map<string, number>();
  /** What machines of a role are made from now; 2 where nothing else was applied. A machine that runs another one is outdated. */
  readonly applied = new Map<NodeRole, number>();
  readonly #simulation: Simulation;
  #machines: Machine[] = [];
  readonly #nodes = new Map<string, Json>();
  readonly #pods: Pod[] = [];
  #made = 0;
  #version = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  async boot(): Promise<void> {
    for (const { name, role, count, current = 0, warm = 0 } of this.#simulation.groups) {
      for (let index = 0; index < count; index += 1)
        this.#add(`${name}-${index + 1}`, name, role, index < current ? 2 : 1);
      for (let index = 0; index < warm; index += 1) this.#add(`${name}-warm-${index + 1}`, name, role, 1, 'warm');
    }
    this.nowMs += JOINS_AFTER_MS + (this.#simulation.readyAfterMs ?? 0);
    await this.tick();
    for (const app of this.#simulation.apps ?? []) {
      for (const number of [1, 2]) this.#pods.push({ uid: `${app}-${number}`, app, node: '', readyAtMs: 0 });
    }
    await this.tick();
    this.nowMs += POD_STARTS_AFTER_MS;
  }

  /** What the machines of a role were made from. */
  configs(role: NodeRole): readonly number[] {
    return this.#machines.filter((one) => one.role === role).map(({ config }) => config);
  }

  /** The Nodes whose machines people have marked to be replaced. */
  get markedNodes(): ReadonlySet<string> {
    return new Set([...this.#nodes].flatMap(([name, node]) => (marksOf(node).needsUpdate ? [name] : [])));
  }

  /** Machines that are not like the newest plan of their role, whatever their cloud says of them. */
  get older(): readonly string[] {
    return this.#machines.filter(({ role, runs }) => runs !== planOf(this.#appliedTo(role))).map(({ name }) => name);
  }

  /** The plan that a machine is like, and the one that its group's machines are made from now. */
  plansOf({ id, role }: Pick<FleetMachine, 'id' | 'role'>): { readonly runs: string; readonly wanted: string } {
    const { runs = '' } = this.#machines.find((one) => one.id === id) ?? {};
    return { runs, wanted: planOf(this.#appliedTo(role)) };
  }

  /** The one etcd cluster, with a member on each control plane. */
  get etcds(): readonly WantedEtcd[] {
    const groups = this.#simulation.groups.filter(({ role }) => role === 'ControlPlane');
    const members = groups.flatMap(({ name: instanceGroup, count }) =>
      this.#simulation.hasGroups === true
        ? [{ name: instanceGroup, instanceGroup }]
        : Array.from({ length: count }, (_, index) => ({ name: `${instanceGroup}-${index + 1}`, instanceGroup })),
    );
    return [{ name: 'main', members }];
  }

  get isOfKops(): boolean {
    return this.#simulation.isOfKops === true;
  }

  get machines(): readonly FleetMachine[] {
    return this.#machines.map((machine) => this.#view(machine));
  }

  /** Nodes that were left in a state that nobody wants. */
  get marked(): readonly string[] {
    return [...this.#nodes].flatMap(([name, node]) => {
      const spec = asRecord(node['spec']);
      const annotations = asRecord(asRecord(node['metadata'])['annotations']);
      const taints = asArray(spec['taints']);
      return spec['unschedulable'] === true || taints.length > 0 || 'kopsctl.io/rolling-update' in annotations
        ? [name]
        : [];
    });
  }

  /** How many machines a group should have. */
  wanted(group: string): number {
    const { count = 0 } = this.#simulation.groups.find(({ name }) => name === group) ?? {};
    return this.sizes.get(group) ?? count;
  }

  /** What `kopsctl update cluster --yes` does where kopsctl makes the machines: makes the missing ones, and ends others. */
  update(): void {
    if (this.#simulation.hasGroups === true) return;
    for (const { name: group, role } of this.#simulation.groups) {
      for (const { name } of this.#missing(group, this.wanted(group)))
        this.#add(name, group, role, this.#appliedTo(role));
      for (const { id } of this.#unwanted(group)) this.removeMachine(id);
    }
  }

  /** A machine of the warm pool is needed, and serves from now on. */
  wake(name: string): void {
    this.#machines = this.#machines.map((one) => (one.name === name ? { ...one, standing: 'counted' } : one));
  }

  /** The machines that a group lacks or that take no pods. */
  unavailable(group: string): number {
    const count = this.wanted(group);
    const serving = this.#machines.filter(
      (one) => one.instanceGroup === group && one.standing !== 'warm' && this.#serves(one),
    );
    return count - serving.length;
  }

  /** Machines whose kube-proxy is connected: it tries again only a while after a new API server has come. */
  #proxies(): readonly Machine[] {
    const servers = this.#machines.filter(({ role }) => role === 'ControlPlane').map(({ launchedMs }) => launchedMs);
    const returnMs = Math.min(...servers) + JOINS_AFTER_MS + PROXY_RETURNS_AFTER_MS;
    return this.#machines.filter(({ launchedMs, standing, nodeName }) => {
      const isUp = standing !== 'warm' && nodeName !== '' && this.nowMs >= launchedMs + JOINS_AFTER_MS;
      return isUp && (launchedMs >= Math.min(...servers) || this.nowMs >= returnMs);
    });
  }

  /** Whether Services lead to pods that run, on every machine. */
  get isUpToDate(): boolean {
    return (
      this.#proxies().length ===
      this.#machines.filter(({ standing, nodeName }) => standing !== 'warm' && nodeName !== '').length
    );
  }

  readyPods(app: string): number {
    return this.#pods.filter((pod) => pod.app === app && pod.node !== '' && pod.readyAtMs <= this.nowMs).length;
  }

  get pods(): readonly { readonly app: string; readonly node: string }[] {
    return this.#pods;
  }

  node(name: string): Json | undefined {
    return this.#nodes.get(name);
  }

  isCordoned(name: string): boolean {
    return asRecord(this.#nodes.get(name)?.['spec'])['unschedulable'] === true;
  }

  changeNode(name: string, change: Json): void {
    this.#nodes.set(name, merged(this.#nodes.get(name) ?? {}, change));
  }

  /** Its kubelet does not answer any more; pods on it stay until it is gone. */
  silence(name: string): void {
    const machine = this.#machines.find((one) => one.name === name);
    if (machine === undefined) throw new Error(`there is no machine ${name}`);
    this.changeNode(name, { status: status(machine, 'Unknown', this.nowMs) });
  }

  removeMachine(id: string): void {
    const machine = this.#machines.find((one) => one.id === id);
    if (machine === undefined) return;
    this.#machines = this.#machines.filter((one) => one !== machine);
    for (const pod of this.#pods) if (pod.node === machine.nodeName) pod.node = '';
    if (this.#simulation.hasGroups === true && this.#simulation.keepsNames !== true)
      this.#nodes.delete(machine.nodeName);
    else if (this.#nodes.has(machine.nodeName))
      this.changeNode(machine.nodeName, { status: status(machine, 'False', this.nowMs) });
  }

  /** Its group became smaller: its cloud's controller removes the Node, whether another machine may have its name or not. */
  #endForGood({ id, nodeName }: Machine): void {
    this.removeMachine(id);
    this.#nodes.delete(nodeName);
  }

  fleet(): Fleet {
    const { groups, hasGroups = false, keepsNames } = this.#simulation;
    const found = ({ id }: FleetMachine) => this.#machines.find((one) => one.id === id);
    return {
      groups: async () => {
        await this.tick();
        return groups.map(({ name, role }): FleetGroup => ({
          name,
          role,
          wanted: this.wanted(name),
          machines: this.machines.filter(({ instanceGroup }) => instanceGroup === name),
          ...(!hasGroups && { missing: this.#missing(name, this.wanted(name)) }),
        }));
      },
      ...(keepsNames === true && { reusesNames: true }),
      deregister: async () => {},
      register: async () => {},
      ...(hasGroups &&
        keepsNames !== true && {
          detach: async (machine: FleetMachine) => {
            if (this.cannotDetach) throw new Error('the cloud refuses to detach it');
            this.#machines = this.#machines.map((one) =>
              one.id === machine.id ? { ...one, standing: 'detached' } : one,
            );
          },
        }),
      inPlace: {
        isPossible: async (machine, change) => {
          const there = found(machine);
          return there !== undefined && this.#isMadeFor(there, change);
        },
        note: async ({ id }: FleetMachine, change) => {
          this.#machines = this.#machines.map((one) =>
            one.id === id && this.#isMadeFor(one, change) ? { ...one, config: this.#appliedTo(one.role) } : one,
          );
        },
      },
      delete: async (machine) => {
        const there = found(machine);
        if (there !== undefined) this.removeMachine(there.id);
      },
      ...(!hasGroups && {
        make: async (name: string) => {
          const group = groups.find((one) => name.startsWith(`${one.name}-`));
          if (group === undefined || this.#machines.some((one) => one.name === name)) return;
          if (!this.#missing(group.name, this.wanted(group.name)).some((one) => one.name === name))
            throw new Error(`${group.name} no longer wants ${name}`);
          if (group.name === this.full) throw new Error('the quota of machines is used up');
          this.#add(name, group.name, group.role, this.#appliedTo(group.role));
        },
      }),
    };
  }

  kube(): Pick<KubeClient, 'get' | 'text' | 'timeMs' | 'create' | 'mergePatch' | 'remove'> {
    return {
      text: async () => {
        this.#requireApi();
        const labels = 'group="discovery.k8s.io",resource="endpointslices",verb="WATCH"';
        return `apiserver_longrunning_requests{${labels}} ${this.#proxies().length}\n`;
      },
      timeMs: async () => {
        this.#requireApi();
        return this.nowMs;
      },
      get: async (path) => {
        this.#requireApi();
        if (path.startsWith('/api/v1/nodes?')) return { items: [...this.#nodes.values()] };
        if (path.startsWith('/api/v1/namespaces/kube-system/pods?')) return { items: this.#staticPods() };
        if (path.startsWith('/api/v1/nodes/')) return this.#nodes.get(path.slice('/api/v1/nodes/'.length));
        if (path === '/api/v1') return { resources: [{ name: 'pods/eviction', version: 'v1' }] };
        const selector = new URL(path, 'https://api').searchParams.get('fieldSelector') ?? '';
        const node = selector.replace('spec.nodeName=', '');
        this.nowMs += TICK_MS;
        this.#schedule();
        return {
          items: this.#pods
            .filter((pod) => pod.node === node)
            .map(({ uid }) => ({ metadata: { namespace: 'default', name: uid, uid }, status: { phase: 'Running' } })),
        };
      },
      mergePatch: async (path, patch) => {
        this.#requireApi();
        const name = path.slice('/api/v1/nodes/'.length);
        const node = this.#nodes.get(name);
        if (node === undefined) throw new KubeError(`PATCH ${path}`, 404, 'not found');
        const wanted = asRecord(asRecord(patch)['metadata'])['resourceVersion'];
        if (wanted !== undefined && wanted !== asRecord(node['metadata'])['resourceVersion']) {
          throw new KubeError(`PATCH ${path}`, 409, 'the object has been modified');
        }
        this.changeNode(name, merged(asRecord(patch), { metadata: { resourceVersion: String((this.#version += 1)) } }));
        this.#adopt(name);
        return this.#nodes.get(name);
      },
      remove: async (path) => {
        this.#requireApi();
        return this.#nodes.delete(path.slice('/api/v1/nodes/'.length));
      },
      create: async (path) => {
        this.#requireApi();
        const pod = this.#pods.find(({ uid }) => path.includes(`/pods/${uid}/eviction`));
        if (pod === undefined || pod.node === '') throw new KubeError(`POST ${path}`, 404, 'not found');
        if (pod.app === this.guarded || this.readyPods(pod.app) <= 1) {
          throw new KubeError(
            `POST ${path}`,
            429,
            "Cannot evict pod as it would violate the pod's disruption budget.",
            1,
          );
        }
        pod.node = '';
        return {};
      },
    };
  }

  /** A moment passes: machines join, groups get the machines that they lack, pods find Nodes. */
  async tick(): Promise<void> {
    this.nowMs += TICK_MS;
    if (this.#simulation.hasGroups === true) {
      for (const { name, role } of this.#simulation.groups.filter((group) => group.name !== this.full)) {
        const count = this.wanted(name);
        const there = this.#machines.filter((one) => one.instanceGroup === name && one.standing === 'counted');
        const counted = there.length;
        if (this.sizes.has(name)) for (const surplus of there.slice(count)) this.#endForGood(surplus);
        const free = this.#simulation.keepsNames === true ? this.#missing(name, count) : [];
        for (let missing = count - counted; missing > 0; missing -= 1)
          this.#add(free[missing - 1]?.name ?? `i-${this.#made + 1}`, name, role, this.#appliedTo(role));
      }
    }
    for (const machine of this.#machines) await this.#join(machine);
    this.#schedule();
  }

  /** A machine whose Node asks for it follows another plan, and says so; one of the broken group refuses. */
  #adopt(name: string): void {
    const annotations = asRecord(asRecord(this.#nodes.get(name)?.['metadata'])['annotations']);
    const wish = parseWantedPlan(asString(annotations[WANTED_PLAN_ANNOTATION]) ?? '');
    if (wish === undefined) return;
    const changing = this.#machines.find((one) => one.nodeName === name && one.runs === wish.from);
    if (changing?.role === 'ControlPlane') this.apiAwayUntilMs = this.nowMs + this.apiRestartMs;
    this.#machines = this.#machines.map((one) =>
      one.nodeName === name && one.runs === wish.from && one.instanceGroup !== this.broken
        ? { ...one, runs: wish.to }
        : one,
    );
    const isBroken = this.#machines.some((one) => one.name === name && one.instanceGroup === this.broken);
    const state = isBroken
      ? { failures: { plan: `Job for ${adoptUnit(wish.to)} failed` } }
      : { boot: { planHash: wish.to, result: 'done' } };
    this.changeNode(name, { metadata: { annotations: { [MACHINE_STATE_ANNOTATION]: JSON.stringify(state) } } });
  }

  /** Those that an update ends. */
  #unwanted(group: string): readonly Machine[] {
    const names = Array.from({ length: this.wanted(group) }, (_, index) => `${group}-${index + 1}`);
    return this.#machines.filter(({ instanceGroup, name }) => instanceGroup === group && !names.includes(name));
  }

  #missing(group: string, count: number): readonly Pick<FleetMachine, 'name' | 'nodeName'>[] {
    return Array.from({ length: count }, (_, index) => `${group}-${index + 1}`)
      .filter((name) => !this.#machines.some((one) => one.name === name))
      .map((name) => ({ name, nodeName: name }));
  }

  #add(
    name: string,
    instanceGroup: string,
    role: NodeRole,
    config: number,
    standing: Machine['standing'] = 'counted',
  ): void {
    this.#made += 1;
    const id = `id-${this.#made}`;
    const nodeName = role === 'Bastion' ? '' : name;
    const [address, machineId] = [`10.0.0.${this.#made}`, `machine-${id}`];
    const launchedMs = this.nowMs;
    const runs = planOf(config);
    const about = { id, name, nodeName, instanceGroup, role, address, machineId, standing };
    this.#machines.push({ ...about, config, runs, launchedMs });
  }

  async #join(machine: Machine): Promise<void> {
    const { nodeName, role, standing, launchedMs, config, instanceGroup } = machine;
    if (standing === 'warm' || this.nowMs < launchedMs + JOINS_AFTER_MS) return;
    if (role === 'ControlPlane' && instanceGroup !== this.muted && !this.#isByKops(machine))
      await this.#publish(machine);
    if (nodeName === '' || (config === this.#appliedTo(role) && this.broken === instanceGroup)) return;
    const there = this.#nodes.get(nodeName);
    const info = asRecord(asRecord(there?.['status'])['nodeInfo']);
    const { readyAfterMs = 0 } = this.#simulation;
    const ready = this.nowMs < launchedMs + JOINS_AFTER_MS + readyAfterMs ? 'False' : 'True';
    if (asString(info['machineID']) === machine.machineId && there !== undefined) {
      if (readyAfterMs > 0 && ready === 'True') this.changeNode(nodeName, { status: status(machine, ready) });
      return;
    }
    const metadata = { name: nodeName, resourceVersion: String((this.#version += 1)) };
    this.#nodes.set(nodeName, merged(there ?? { spec: {} }, { metadata, status: status(machine, ready) }));
  }

  /** Each member lives on a volume of its own, which the machine of its number has. */
  async #publish({ address, name, instanceGroup }: Machine): Promise<void> {
    const member = this.#simulation.hasGroups === true ? instanceGroup : name;
    await publishStatus(this.store, `${CLUSTER}/backups/etcd/main`, {
      member,
      address,
      updatedAt: new Date(this.nowMs).toISOString(),
      decision: 'nothing: serving',
      isLeader: false,
      wantedVersion: '3.6.0',
      etcd: {
        memberId: member,
        version: '3.6.0',
        leaderId: 'one',
        revision: 1,
        dbSizeBytes: 1,
        alarms: [],
        isLearner: false,
      },
      members: this.etcds.flatMap(({ members }) => members.map((one) => ({ id: one.name, name: `etcd-${one.name}` }))),
    });
  }

  #isByKops({ config }: Machine): boolean {
    return this.isOfKops && config === 1;
  }

  #appliedTo(role: NodeRole): number {
    return this.applied.get(role) ?? 2;
  }

  /** Apart from its plan, it was made from what its role's machines are made from now. */
  #isMadeFor({ role, config }: Machine, { from, to }: { readonly from: string; readonly to: string }): boolean {
    return planOf(config) === from && planOf(this.#appliedTo(role)) === to;
  }

  #view({ config, runs: _runs, ...machine }: Machine): FleetMachine {
    // What is no longer wanted is taken away by an update, not replaced.
    const isUnwanted =
      this.#simulation.hasGroups !== true && this.#unwanted(machine.instanceGroup).some(({ id }) => id === machine.id);
    // As in AWS: what was detached was detached to be replaced.
    const isMadeAlike = machine.standing !== 'detached' && config === this.#appliedTo(machine.role);
    const isCurrent = isUnwanted || isMadeAlike;
    return { ...machine, isCurrent, running: machine.standing !== 'warm' };
  }

  #isReady({ nodeName, machineId, role, launchedMs }: Machine): boolean {
    if (role === 'Bastion') return this.nowMs >= launchedMs + JOINS_AFTER_MS;
    const found = asRecord(this.#nodes.get(nodeName)?.['status']);
    return (
      asRecord(found['nodeInfo'])['machineID'] === machineId &&
      asRecord(asArray(found['conditions'])[0])['status'] === 'True'
    );
  }

  #serves(machine: Machine): boolean {
    const node = this.#nodes.get(machine.nodeName);
    return this.#isReady(machine) && asRecord(node?.['spec'])['unschedulable'] !== true;
  }

  #requireApi(): void {
    const isServed = this.#machines.some((one) => one.role === 'ControlPlane' && this.#isReady(one));
    if (isServed && this.nowMs >= this.apiAwayUntilMs) return;
    throw Object.assign(new Error('no API server answers'), { code: 'ECONNREFUSED' });
  }

  #staticPods(): readonly unknown[] {
    const controlPlanes = this.#machines.filter((one) => one.role === 'ControlPlane' && this.#isReady(one));
    return controlPlanes.flatMap((machine) =>
      [...COMPONENTS, ...(this.#isByKops(machine) ? ['etcd-manager-main'] : [])].map((component) => ({
        metadata: { namespace: 'kube-system', name: `${component}-${machine.nodeName}` },
        spec: { priorityClassName: 'system-node-critical', nodeName: machine.nodeName },
        status: {
          phase: 'Running',
          startTime: new Date(machine.launchedMs).toISOString(),
          containerStatuses: [{ name: component, ready: !this.unreadyPods.has(`${component}-${machine.nodeName}`) }],
        },
      })),
    );
  }

  #schedule(): void {
    const open = this.#machines.filter((one) => one.role === 'Node' && one.standing !== 'warm' && this.#serves(one));
    for (const pod of this.#pods.filter(({ node }) => node === '')) {
      const load = (name: string) => this.#pods.filter(({ node, app }) => node === name && app === pod.app).length;
      const [best] = open.toSorted((a, b) => load(a.nodeName) - load(b.nodeName));
      if (best === undefined) return;
      pod.node = best.nodeName;
      pod.readyAtMs = this.nowMs + POD_STARTS_AFTER_MS;
    }
  }
}

const status = ({ machineId }: Pick<Machine, 'machineId'>, ready: string, sinceMs = 0): Json => ({
  nodeInfo: { machineID: machineId },
  conditions: [{ type: 'Ready', status: ready, lastTransitionTime: new Date(sinceMs).toISOString() }],
});

/** JSON Merge Patch (RFC 7386). */
function merged(target: Json, patch: Json): Json {
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (isRecord(value)) result[key] = merged(asRecord(result[key]), value);
    else result[key] = value;
  }
  return result;
}
