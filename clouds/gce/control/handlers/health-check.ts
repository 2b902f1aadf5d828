import { BALANCER_CHECK_IDS } from '../model/api-load-balancer.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import { change, resourcePath } from './compute-calls.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

/** The check of a target pool. */
export const httpHealthCheckHandler = resourceHandler<
  'gce/HttpHealthCheck',
  { readonly port: number; readonly requestPath: string }
>({
  kind: 'gce/HttpHealthCheck',
  noun: 'HTTP health check',
  path: ({ name }, { project }) => resourcePath(project, 'global', 'httpHealthChecks', name),
  parse: (answer) => ({ port: answer.count('port'), requestPath: answer.text('requestPath', '/') }),
  wanted: ({ port, path }) => ({ port, requestPath: path }),
  present: ({ port, requestPath }) => ({ port, requestPath }),
  changeable: ['port', 'requestPath'],
  body: ({ port, path }) => ({ port, requestPath: path }),
  update: ({ path, props }, _found, gce, signal) =>
    change(gce, { method: 'PATCH', path, body: { port: props.port, requestPath: props.path } }, signal),
  owned: (gce, signal) =>
    ownedResources(
      gce,
      { noun: 'HTTP health check', place: 'global', collection: 'httpHealthChecks', fields: 'name', objects: ['api'] },
      signal,
    ),
});

/** The check of a backend service. */
export const healthCheckHandler = resourceHandler<
  'gce/HealthCheck',
  { readonly protocol: string; readonly port: number }
>({
  kind: 'gce/HealthCheck',
  noun: 'health check',
  path: ({ region, name }, { project }) => resourcePath(project, `regions/${region}`, 'healthChecks', name),
  parse(answer) {
    const protocol = answer.text('type');
    const field = protocol === 'SSL' ? 'sslHealthCheck' : 'tcpHealthCheck';
    return { protocol, port: answer.has(field) ? answer.object(field).count('port') : 0 };
  },
  wanted: ({ protocol, port }) => ({ protocol, port }),
  present: ({ protocol, port }) => ({ protocol, port }),
  changeable: ['protocol', 'port'],
  body: checkOf,
  // The whole check: a patch would keep the settings of another protocol.
  update: ({ path, props }, _found, gce, signal) =>
    change(gce, { method: 'PUT', path, body: { name: props.name, ...checkOf(props) } }, signal),
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'health check',
        place: `regions/${gce.region}`,
        collection: 'healthChecks',
        fields: 'name',
        objects: BALANCER_CHECK_IDS,
      },
      signal,
    ),
});

function checkOf({ protocol, port }: PropsOf<'gce/HealthCheck'>) {
  return { type: protocol, [protocol === 'SSL' ? 'sslHealthCheck' : 'tcpHealthCheck']: { port } };
}
