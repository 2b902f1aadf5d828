import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import { change, pathIn, resourcePath } from './compute-calls.ts';
import { networkProject } from './own-names.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundRouter {
  readonly network: string;
  /** The NATs of others, as Google has them. */
  readonly others: readonly object[];
  readonly nat: {
    readonly name: string;
    readonly addresses: string;
    readonly ranges: string;
    readonly subnetworks: readonly string[];
  };
}

const ADDRESSES = 'AUTO_ONLY';
const RANGES = 'LIST_OF_SUBNETWORKS';

/** A router and its NAT, which has the same name. */
export const routerHandler = resourceHandler<'gce/Router', FoundRouter>({
  kind: 'gce/Router',
  noun: 'router',
  path: (props, { project }) =>
    resourcePath(props.project ?? project, `regions/${props.region}`, 'routers', props.name),
  parse(answer) {
    const nats = answer.list('nats');
    const isOwn = (one: AnswerFields): boolean => one.text('name') === answer.text('name');
    const nat = nats.find(isOwn);
    return {
      network: pathIn(answer.text('network')),
      others: nats.filter((one) => !isOwn(one)).map((one) => one.asSent()),
      nat: {
        name: nat?.text('name') ?? '',
        addresses: nat?.text('natIpAllocateOption', '') ?? '',
        ranges: nat?.text('sourceSubnetworkIpRangesToNat', '') ?? '',
        subnetworks: (nat?.list('subnetworks') ?? []).map((one) => pathIn(one.text('name'))).toSorted(),
      },
    };
  },
  wanted: (props) => ({
    network: props.network,
    nat: { name: props.name, addresses: ADDRESSES, ranges: RANGES, subnetworks: props.subnetworks.toSorted() },
  }),
  present: ({ network, nat }) => ({ network, nat }),
  changeable: ['nat'],
  body: (props) => ({ network: props.network, nats: natsOf(props) }),
  // Google replaces the list: a NAT that is not in it is deleted.
  update: ({ path, props }, { others }, gce, signal) =>
    change(gce, { method: 'PATCH', path, body: { nats: [...others, ...natsOf(props)] } }, signal),
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'router',
        project: networkProject(gce),
        place: `regions/${gce.region}`,
        collection: 'routers',
        fields: 'name,network',
        objects: ['nat'],
      },
      signal,
    ),
});

const natsOf = ({ name, subnetworks }: PropsOf<'gce/Router'>) => [
  {
    name,
    natIpAllocateOption: ADDRESSES,
    sourceSubnetworkIpRangesToNat: RANGES,
    subnetworks: subnetworks.map((subnetwork) => ({ name: subnetwork, sourceIpRangesToNat: ['ALL_IP_RANGES'] })),
  },
];
