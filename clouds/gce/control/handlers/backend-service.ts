import { COMPUTE_URL } from '../image-url.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import { BACKEND_IDS } from '../model/api-load-balancer.ts';
import { change, pathIn, resourcePath } from './compute-calls.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundService {
  readonly protocol: string;
  readonly scheme: string;
  readonly healthChecks: readonly string[];
  readonly instanceGroups: readonly string[];
  readonly fingerprint: string;
}

const [PROTOCOL, SCHEME] = ['TCP', 'INTERNAL'];

export const backendServiceHandler = resourceHandler<'gce/BackendService', FoundService>({
  kind: 'gce/BackendService',
  noun: 'backend service',
  path: ({ region, name }, { project }) => resourcePath(project, `regions/${region}`, 'backendServices', name),
  parse: (answer) => ({
    protocol: answer.text('protocol'),
    scheme: answer.text('loadBalancingScheme'),
    healthChecks: answer.texts('healthChecks').map(pathIn),
    instanceGroups: answer
      .list('backends')
      .map((backend) => pathIn(backend.text('group')))
      .toSorted(),
    fingerprint: answer.text('fingerprint'),
  }),
  wanted: ({ healthCheck, instanceGroups }) => ({
    protocol: PROTOCOL,
    scheme: SCHEME,
    healthChecks: [healthCheck],
    instanceGroups: instanceGroups.map(pathIn).toSorted(),
  }),
  present: ({ protocol, scheme, healthChecks, instanceGroups }) => ({ protocol, scheme, healthChecks, instanceGroups }),
  // Adding a control plane in another zone adds its group.
  changeable: ['healthChecks', 'instanceGroups'],
  body: (props) => ({ protocol: PROTOCOL, loadBalancingScheme: SCHEME, ...partsOf(props) }),
  update: ({ path, props }, { fingerprint }, gce, signal) =>
    change(gce, { method: 'PATCH', path, body: { ...partsOf(props), fingerprint } }, signal),
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'backend service',
        place: `regions/${gce.region}`,
        collection: 'backendServices',
        fields: 'name',
        objects: BACKEND_IDS,
      },
      signal,
    ),
});

const partsOf = ({ healthCheck, instanceGroups }: PropsOf<'gce/BackendService'>) => ({
  healthChecks: [healthCheck],
  // "You must use the fully-qualified URL" (Compute's API reference), although other fields take a path.
  backends: instanceGroups.map((group) => ({ group: COMPUTE_URL + pathIn(group), balancingMode: 'CONNECTION' })),
});
