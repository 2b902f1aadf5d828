import { BOOT_CONFIG_PATH } from '@kopsctl/node-plan/boot-config.ts';
import { taskName } from '../names.ts';
import { list, type ResourcePath, resourcePath } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { resourceHandler } from './resource-handler.ts';
import { propertiesOf, templateName } from './template-properties.ts';

/**
 * Templates cannot be changed, so each content has one of its own, whose name ends with a hash of it, and nothing else is
 * compared: Google adds fields to what it answers (kops#3404). A template that a killed run has made is used by the next
 * run.
 */
export const instanceTemplateHandler = resourceHandler<'gce/InstanceTemplate', object>({
  kind: 'gce/InstanceTemplate',
  noun: 'instance template',
  path(props, { project }) {
    const name = templateName(props);
    return name === undefined ? undefined : resourcePath(project, 'global', 'instanceTemplates', name);
  },
  parse: () => ({}),
  wanted: () => ({}),
  present: () => ({}),
  body: (props) => ({ properties: propertiesOf(props) }),
  owned: async (gce, signal) =>
    (await clusterTemplates(gce, signal)).map(({ path, name, instanceGroup }) => ({
      name: taskName(instanceGroup, gce.clusterName),
      description: `instance template ${name}`,
      handle: path,
    })),
});

export interface ClusterTemplate {
  readonly path: ResourcePath;
  readonly name: string;
  readonly instanceGroup: string;
  /** Its machines start the agents of kopsctl, and not those of kops. */
  readonly startsKopsctl: boolean;
}

/** Where user-data is, by whether machines run cloud-init. */
const BOOT_KEYS = ['user-data', 'startup-script'];

/** All templates of the cluster, recognised by what their machines read about themselves. */
export async function clusterTemplates(gce: GceCloud, signal: AbortSignal): Promise<readonly ClusterTemplate[]> {
  const { project, clusterName } = gce;
  const listing = {
    project,
    place: 'global',
    collection: 'instanceTemplates',
    fields: 'name,properties/metadata/items(key,value)',
  } as const;
  return (await list(gce, listing, signal)).flatMap((answer) => {
    const name = answer.text('name');
    if (!answer.has('properties')) return [];
    const properties = answer.object('properties');
    const items = properties.has('metadata') ? properties.object('metadata').list('items') : [];
    const metadata = new Map(items.map((item) => [item.text('key'), item.text('value', '')]));
    if (metadata.get('cluster-name') !== clusterName) return [];
    const instanceGroup = metadata.get('kops-k8s-io-instance-group-name') ?? '';
    const startsKopsctl = BOOT_KEYS.some((key) => metadata.get(key)?.includes(BOOT_CONFIG_PATH) === true);
    const path = resourcePath(project, 'global', 'instanceTemplates', name);
    return [{ path, name, instanceGroup, startsKopsctl }];
  });
}
