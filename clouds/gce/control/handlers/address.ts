import { pathIn, resourcePath } from './compute-calls.ts';
import { API_ADDRESS_IDS } from '../model/api-load-balancer.ts';
import { subnetNames } from './own-names.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundAddress {
  readonly address: string;
  readonly type: string;
  readonly purpose: string;
  readonly subnetwork: string;
}

/** Several load balancers share it. */
const SHARED = 'SHARED_LOADBALANCER_VIP';

export const addressHandler = resourceHandler<'gce/Address', FoundAddress>({
  kind: 'gce/Address',
  noun: 'address',
  path: ({ region, name }, { project }) => resourcePath(project, `regions/${region}`, 'addresses', name),
  parse: (answer) => ({
    address: answer.text('address', ''),
    type: answer.text('addressType', 'EXTERNAL'),
    purpose: answer.text('purpose', ''),
    subnetwork: pathIn(answer.text('subnetwork', '')),
  }),
  wanted: ({ subnetwork }) =>
    subnetwork === undefined ? { type: 'EXTERNAL' } : { type: 'INTERNAL', purpose: SHARED, subnetwork },
  present: ({ type, purpose, subnetwork }, wanted) =>
    wanted.subnetwork === undefined ? { type } : { type, purpose, subnetwork },
  body: ({ subnetwork }) =>
    subnetwork === undefined ? { addressType: 'EXTERNAL' } : { addressType: 'INTERNAL', purpose: SHARED, subnetwork },
  outputs: ({ address }) => (address === '' ? {} : { address }),
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'address',
        place: `regions/${gce.region}`,
        collection: 'addresses',
        fields: 'name,labels,subnetwork',
        objects: ['api', ...subnetNames(gce).flatMap((subnet) => API_ADDRESS_IDS.map((id) => `${id}-${subnet}`))],
      },
      signal,
    ),
});
