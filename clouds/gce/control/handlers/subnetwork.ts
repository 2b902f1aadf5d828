import type { StackType } from '../kinds/network.ts';
import { change, pathIn, read, remove, resourcePath } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { networkProject } from './own-names.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';
import { giveBackRanges, rangesInSharedSubnets, rangesOf, secondaryRangesIn, sharedSubnets } from './shared-ranges.ts';

interface FoundSubnetwork {
  readonly network: string;
  readonly cidr: string;
  readonly stack: string;
  /** By name. */
  readonly secondaryRanges: Readonly<Record<string, string>>;
  /** Google refuses a change that has another fingerprint. */
  readonly fingerprint: string;
}

export const subnetworkHandler = resourceHandler<'gce/Subnetwork', FoundSubnetwork>({
  kind: 'gce/Subnetwork',
  noun: 'subnet',
  path: (props, { project }) =>
    resourcePath(
      props.project ?? project,
      `regions/${props.region}`,
      'subnetworks',
      'sharedName' in props ? props.sharedName : props.name,
    ),
  parse: (answer) => ({
    network: pathIn(answer.text('network')),
    cidr: answer.text('ipCidrRange'),
    stack: answer.text('stackType', 'IPV4_ONLY'),
    secondaryRanges: secondaryRangesIn(answer),
    fingerprint: answer.text('fingerprint'),
  }),
  wanted: (props) => ({
    secondaryRanges: props.secondaryRanges,
    ...('sharedName' in props ? {} : { network: props.network, cidr: props.cidr, stack: props.stack }),
  }),
  present: ({ network, cidr, stack, secondaryRanges }, props) =>
    'sharedName' in props
      ? { secondaryRanges: only(secondaryRanges, props.secondaryRanges) }
      : { network, cidr, stack, secondaryRanges },
  changeable: ['secondaryRanges', 'stack'],
  body: (props) =>
    'sharedName' in props
      ? undefined
      : {
          network: props.network,
          ipCidrRange: props.cidr,
          ...stackOf(props.stack),
          ...(Object.keys(props.secondaryRanges).length > 0 && { secondaryIpRanges: rangesOf(props.secondaryRanges) }),
        },
  async update({ path, props, changed }, { secondaryRanges, fingerprint }, gce, signal) {
    // Google changes one thing at a time, and each change results in another fingerprint.
    if (changed.has('secondaryRanges')) {
      const ranges = 'sharedName' in props ? { ...secondaryRanges, ...props.secondaryRanges } : props.secondaryRanges;
      const body = { secondaryIpRanges: rangesOf(ranges), fingerprint };
      await change(gce, { method: 'PATCH', path, body }, signal);
    }
    if (!changed.has('stack') || !('stack' in props)) return;
    const current = await read(gce, path, signal);
    const body = { ...stackOf(props.stack), fingerprint: current?.text('fingerprint') ?? '' };
    await change(gce, { method: 'PATCH', path, body }, signal);
  },
  async owned(gce, signal) {
    const [made, borrowed] = await Promise.all([ownSubnets(gce, signal), rangesInSharedSubnets(gce, signal)]);
    return [...made, ...borrowed];
  },
  release: ({ handle }, gce, signal) =>
    sharedSubnets(gce).some(({ path }) => path === handle)
      ? giveBackRanges(gce, handle, signal)
      : remove(gce, handle, signal),
});

const ownSubnets = (gce: GceCloud, signal: AbortSignal) =>
  ownedResources(
    gce,
    {
      noun: 'subnet',
      project: networkProject(gce),
      place: `regions/${gce.region}`,
      collection: 'subnetworks',
      fields: 'name,network',
      objects: madeSubnets(gce),
    },
    signal,
  );

/** In a network of others, only the subnets that the spec says to make. */
const madeSubnets = ({ cluster }: GceCloud): readonly string[] =>
  (cluster.spec.subnets ?? []).flatMap(({ id, name }) => (id === undefined && name !== undefined ? [name] : []));

const only = (all: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name in wanted));

const stackOf = (stackType: StackType) => ({
  stackType,
  ...(stackType === 'IPV4_IPV6' && { ipv6AccessType: 'EXTERNAL' }),
});
