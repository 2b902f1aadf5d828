import { expect, test } from 'vitest';
import { type Claimant, claimLeftovers, type Leftovers, type Listed } from './claim-leftovers.ts';

const NETWORK = 'projects/p/global/networks/demo';
const MACHINE = 'projects/p/zones/z/instances/nodes-1';
const OTHER_MACHINE = 'projects/p/zones/z/instances/others-1';
const TAG = 'demo-k8s-io-role-node';
const LB = `a${'0'.repeat(31)}`;
const NODE = '11111111-2222-3333-4444-555555555555';

const at = (name: string, more: Partial<Listed> = {}): Listed => ({ path: `x/${name}`, name, uses: [], ...more });
const NOTHING: Leftovers = {
  routes: [],
  firewalls: [],
  addresses: [],
  instanceGroups: [],
  healthChecks: [],
  backends: [],
  forwardingRules: [],
};
const own: Claimant = {
  label: 'demo',
  nodeTag: TAG,
  network: NETWORK,
  ownsNetwork: false,
  machines: new Set([MACHINE]),
};
const claimed = (all: Partial<Leftovers>, more: Partial<Claimant> = {}) =>
  Object.fromEntries(
    Object.entries(claimLeftovers({ ...NOTHING, ...all }, { ...own, ...more }))
      .map(([part, found]): [string, string[]] => [part, found.map(({ name }: Listed) => name)])
      .filter(([, names]) => names.length > 0),
  );

/** An external load balancer, as the controller makes it for a Service. */
const balancer = (name: string, machine: string, tag: string): Partial<Leftovers> => ({
  firewalls: [at(`k8s-fw-${name}`, { tags: [tag] }), at('k8s-0abc-node-http-hc', { tags: [tag] })],
  addresses: [at(name)],
  healthChecks: [at('k8s-0abc-node')],
  backends: [at(name, { uses: [machine, 'x/k8s-0abc-node'] })],
  forwardingRules: [at(name, { uses: [`x/${name}`] })],
});

test('a balancer of a Service is known by the machines of the cluster, with all that belongs to it', () => {
  expect(claimed(balancer(LB, MACHINE, TAG))).toEqual({
    firewalls: [`k8s-fw-${LB}`, 'k8s-0abc-node-http-hc'],
    addresses: [LB],
    healthChecks: ['k8s-0abc-node'],
    backends: [LB],
    forwardingRules: [LB],
  });
});

test('once its machines are gone, the rules of the firewall tell it', () => {
  const { firewalls: _, ...rest } = balancer(LB, MACHINE, TAG);
  expect(claimed(balancer(LB, MACHINE, TAG), { machines: new Set() })).toHaveProperty('backends', [LB]);
  expect(claimed(rest, { machines: new Set() })).toEqual({});
});

test('nothing of another cluster in the same project and network is claimed', () => {
  expect(claimed(balancer(LB, OTHER_MACHINE, 'other-k8s-io-role-node'))).toEqual({});
  const others = { forwardingRules: [at('web', { network: NETWORK, uses: [MACHINE] })] };
  expect(claimed(others, { ownsNetwork: true })).toEqual({});
});

test('an internal balancer is known by the network of the cluster, or by its rule of the firewall', () => {
  const backend = at('k8s-0abc-internal-tcp-nmv1-0123456789abcdef', {
    network: NETWORK,
    uses: ['x/k8s-ig--0abc', 'x/k8s-0abc-node'],
  });
  const internal: Partial<Leftovers> = {
    instanceGroups: [at('k8s-ig--0abc', { network: NETWORK })],
    healthChecks: [at('k8s-0abc-node')],
    backends: [backend],
    forwardingRules: [at(LB, { network: NETWORK, uses: [backend.path] })],
  };
  const all = {
    instanceGroups: ['k8s-ig--0abc'],
    healthChecks: ['k8s-0abc-node'],
    backends: [backend.name],
    forwardingRules: [LB],
  };
  expect(claimed(internal, { ownsNetwork: true })).toEqual(all);
  expect(claimed(internal)).toEqual({});
  const firewalls = [at(`k8s-fw-${LB}`, { tags: [TAG], network: NETWORK })];
  expect(claimed({ ...internal, firewalls })).toEqual({ ...all, firewalls: [`k8s-fw-${LB}`] });
});

const route = (prefix: string, more: Partial<Listed>) => ({
  routes: [at(`${prefix}-${NODE}`, { description: 'k8s-node-route', network: NETWORK, ...more })],
});
test.each<[string, Partial<Leftovers>, Partial<Claimant>, boolean]>([
  ['of the own network', route('anything', {}), { ownsNetwork: true }, true],
  ['of another network', route('demo', { network: 'other', uses: [MACHINE] }), { ownsNetwork: true }, false],
  ['that a person made', route('demo', { description: 'vpn', uses: [MACHINE] }), { ownsNetwork: true }, false],
  ['to a machine of the cluster', route('demo', { uses: [MACHINE] }), {}, true],
  ['to another machine', route('demo', { uses: [OTHER_MACHINE] }), {}, false],
  ['to a machine that is gone', route('demo', { uses: [OTHER_MACHINE], isDangling: true }), {}, true],
  ['of a cluster with a longer name', route('demo-2', { isDangling: true }), {}, false],
  [
    'with a name that was cut',
    route('a'.repeat(26), { isDangling: true }),
    { label: `${'a'.repeat(26)}-or-another` },
    false,
  ],
])('a route %s', (_, all, more, isOwn) => {
  expect(claimed(all, more)['routes']?.length ?? 0).toBe(isOwn ? 1 : 0);
});
