import { list, pathIn } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { type ClusterTemplate, clusterTemplates } from './instance-template.ts';

/** A managed group: the machines of an instance group in one zone. */
export interface ManagedGroup {
  readonly path: string;
  readonly name: string;
  /** The name in the spec. */
  readonly instanceGroup: string;
  readonly targetSize: number;
  /** The templates of its next machines: one, unless somebody else has changed the group. */
  readonly templates: readonly string[];
  readonly targetPools: readonly string[];
}

/** All managed groups of the cluster: those that use one of its templates. */
export async function clusterGroups(gce: GceCloud, signal: AbortSignal): Promise<readonly ManagedGroup[]> {
  const listing = {
    project: gce.project,
    place: 'aggregated',
    collection: 'instanceGroupManagers',
    fields: 'name,selfLink,targetSize,targetPools,versions/instanceTemplate',
  } as const;
  const [templates, found] = await Promise.all([clusterTemplates(gce, signal), list(gce, listing, signal)]);
  const byPath = new Map<string, ClusterTemplate>(templates.map((template) => [template.path, template]));
  return found.flatMap((answer) => {
    const used = answer.list('versions').map((version) => pathIn(version.text('instanceTemplate')));
    const template = used.map((path) => byPath.get(path)).find((one) => one !== undefined);
    if (template === undefined) return [];
    return [
      {
        path: pathIn(answer.text('selfLink')),
        name: answer.text('name'),
        instanceGroup: template.instanceGroup,
        targetSize: answer.count('targetSize'),
        templates: used,
        targetPools: answer.texts('targetPools').map(pathIn),
      },
    ];
  });
}
