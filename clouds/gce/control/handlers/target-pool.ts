import { change, pathIn, resourcePath } from './compute-calls.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

/** Managed instance groups put their machines into the pool. */
export const targetPoolHandler = resourceHandler<'gce/TargetPool', { readonly healthChecks: readonly string[] }>({
  kind: 'gce/TargetPool',
  noun: 'target pool',
  path: ({ region, name }, { project }) => resourcePath(project, `regions/${region}`, 'targetPools', name),
  parse: (answer) => ({ healthChecks: answer.texts('healthChecks').map(pathIn) }),
  wanted: ({ healthCheck }) => ({ healthChecks: [healthCheck] }),
  present: ({ healthChecks }) => ({ healthChecks }),
  changeable: ['healthChecks'],
  body: ({ healthCheck }) => ({ healthChecks: [healthCheck] }),
  async update({ path, props }, { healthChecks }, gce, signal) {
    const others = healthChecks.filter((check) => check !== props.healthCheck);
    const post = (verb: string, checks: readonly string[]) => {
      const body = { healthChecks: checks.map((healthCheck) => ({ healthCheck })) };
      return change(gce, { method: 'POST', path: `${path}/${verb}`, body }, signal);
    };
    // A pool has one check at most.
    if (others.length > 0) await post('removeHealthCheck', others);
    if (!healthChecks.includes(props.healthCheck)) await post('addHealthCheck', [props.healthCheck]);
  },
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'target pool',
        place: `regions/${gce.region}`,
        collection: 'targetPools',
        fields: 'name',
        objects: ['api'],
      },
      signal,
    ),
});
