import type { CloudName, SpecCloud } from '../../cloud.ts';
import type { Cluster } from '../../cluster.ts';
import { completeCluster } from '../../complete.ts';
import type { InstanceGroup } from '../../instance-group.ts';
import { leavesOf } from '../../leaves.ts';
import type { Kind } from '../../kinds.ts';
import type { FieldDefaults } from '../field-defaults.ts';

/** A cloud that specs can name. */
export type NamedCloud = SpecCloud & { readonly name: CloudName };

const API = 'kops.k8s.io/v1alpha2';
const VERSIONS = [undefined, '1.24.0', '1.30.0'] as const;
const NAMES = ['a.example.com', 'another.example.org'] as const;
const CONTROL_PLANES = [['control-plane'], ['control-plane-a', 'control-plane-b', 'control-plane-c']] as const;

/**
 * Defaults as completion decides them: what it adds to specs that set next to nothing. A value that differs between clouds,
 * names, versions of Kubernetes, roles or numbers of machines is not a default of its field.
 */
export function fieldDefaults(kind: Kind, clouds: readonly NamedCloud[]): FieldDefaults {
  const found = new Map<string, unknown>();
  const differing = new Set<string>();
  // For machines that share this computer, much is fixed that elsewhere is a person's choice.
  const real = clouds.filter(({ traits }) => !traits.sharesHost);
  for (const { path, value } of real.flatMap((cloud) => inferredIn(kind, cloud))) {
    if (found.has(path) && JSON.stringify(found.get(path)) !== JSON.stringify(value)) differing.add(path);
    found.set(path, value);
  }
  return new Map([...found].filter(([path]) => !differing.has(path)));
}

function inferredIn(kind: Kind, cloud: NamedCloud): readonly { readonly path: string; readonly value: unknown }[] {
  return VERSIONS.flatMap((kubernetesVersion) =>
    NAMES.flatMap((name, index) => {
      const cluster: Cluster = {
        apiVersion: API,
        kind: 'Cluster',
        metadata: { name },
        spec: { cloudProvider: cloud.name, ...(kubernetesVersion !== undefined && { kubernetesVersion }) },
      };
      const instanceGroups = [
        ...(CONTROL_PLANES[index] ?? []).map((one) => group(one, 'Master')),
        group('nodes', 'Node'),
      ];
      const completed = completeCluster({ cluster, instanceGroups }, { stateStoreUrl: `s3://state-of-${name}` }, cloud);
      const { origins } = completed;
      if (kind === 'Cluster') return inferred(completed.cluster.spec, origins.cluster);
      return kind !== 'InstanceGroup'
        ? []
        : completed.instanceGroups.flatMap(({ metadata, spec }) =>
            inferred(spec, origins.instanceGroups[metadata.name] ?? {}),
          );
    }),
  );
}

const group = (name: string, role: 'Master' | 'Node'): InstanceGroup => ({
  apiVersion: API,
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { role },
});

/** What was added, apart from items of lists and maps: they have no fields of their own in a schema. */
const inferred = (spec: object, origins: Readonly<Record<string, string>>) =>
  leavesOf(spec, 'spec').filter(({ path }) => path in origins && !path.includes('['));
