import type { Cluster, ClusterSpec } from './cluster.ts';
import { fillIn } from './complete/infer.ts';
import { explainPath, type Completion, type Explained } from './explain.ts';
import type { InstanceGroup, InstanceGroupSpec } from './instance-group.ts';
import { isControlPlane, roleOf } from './names.ts';

/** The fields of a group that its machines have from the cluster where the group says nothing, by their names in the cluster. */
type Sources = Readonly<Partial<Record<keyof InstanceGroupSpec, keyof ClusterSpec>>>;

function sourcesFor(group: InstanceGroup): Sources {
  // Machines of bastions run nothing of Kubernetes.
  if (roleOf(group) === 'Bastion') return { rollingUpdate: 'rollingUpdate' };
  return {
    containerd: 'containerd',
    kubelet: isControlPlane(group) ? 'masterKubelet' : 'kubelet',
    rollingUpdate: 'rollingUpdate',
    updatePolicy: 'updatePolicy',
  };
}

/** A completed cluster, and its group as it was written and as it was completed. */
export interface GroupInCluster {
  readonly cluster: Completion & { readonly completed: Cluster };
  readonly group: Completion & { readonly completed: InstanceGroup };
}

/**
 * Explains a value of an instance group. What its machines have from the cluster is explained by what the cluster says.
 *
 * @throws ActionableError if a group has no such field
 */
export function explainOfGroup(asked: string, { cluster, group }: GroupInCluster): readonly Explained[] {
  const sources = sourcesFor(group.completed);
  const inCluster = (path: string): string | undefined => {
    const [, field = '', rest = ''] = /^spec\.(\w+)(.*)$/s.exec(path) ?? [];
    const source = Object.entries(sources).find(([own]) => own === field)?.[1];
    return source && `spec.${source}${rest}`;
  };
  const inherited: Record<string, string> = {};
  const ofCluster = Object.fromEntries(
    Object.entries(sources).map(([own, source]) => [own, cluster.completed.spec[source]]),
  );
  const spec = fillIn(group.completed.spec, ofCluster, 'spec', (path) => {
    const source = inCluster(path) ?? path;
    inherited[path] = `${source} of the cluster: ${explainPath('Cluster', source, cluster)[0]?.origin}`;
  });
  const explained = explainPath('InstanceGroup', asked, {
    ...group,
    completed: { ...group.completed, spec },
    origins: { ...inherited, ...group.origins },
  });
  return explained.map((one) => {
    const why = one.value === undefined ? cluster.withoutValue?.[inCluster(one.path) ?? ''] : undefined;
    return why === undefined ? one : { ...one, origin: why };
  });
}
