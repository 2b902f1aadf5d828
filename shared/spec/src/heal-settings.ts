import type { Cluster } from './cluster.ts';
import { parseDurationMs } from './duration.ts';
import type { InstanceGroup } from './instance-group.ts';
import { NEVER_REPLACED, NODE_DRIFT_ANNOTATION, REPLACE_UNREADY_ANNOTATION } from './own-annotations.ts';

type Annotated<Kind extends Cluster | InstanceGroup> = Pick<Kind, 'metadata'>;

/**
 * Kubernetes deletes the pods of a Node that is not Ready after five minutes. A machine that reboots, or whose
 * network is away for a moment, is back before that.
 */
export const LEAST_UNREADY_MS = 5 * 60_000;

/** Whether a group's machines make themselves again what their plan says; otherwise they only report that they differ. */
export const repairsDrift = (cluster: Annotated<Cluster>, group: Annotated<InstanceGroup>): boolean =>
  settingOf(NODE_DRIFT_ANNOTATION, cluster, group) === 'repair';

/** After how long a group's machines that are not Ready may be replaced; undefined where nobody asked for it. */
export function replacesUnreadyAfterMs(
  cluster: Annotated<Cluster>,
  group: Annotated<InstanceGroup>,
): number | undefined {
  const value = settingOf(REPLACE_UNREADY_ANNOTATION, cluster, group);
  return value === undefined || value === NEVER_REPLACED ? undefined : parseDurationMs(value);
}

/** The setting of the group takes precedence over that of the cluster. */
const settingOf = (name: string, cluster: Annotated<Cluster>, group: Annotated<InstanceGroup>): string | undefined =>
  group.metadata.annotations?.[name] ?? cluster.metadata.annotations?.[name];
