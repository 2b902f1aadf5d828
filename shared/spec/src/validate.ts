import type { SpecCloud } from './cloud.ts';
import type { Cluster } from './cluster.ts';
import type { FieldError, Position } from './field-error.ts';
import type { InstanceGroup } from './instance-group.ts';
import { validateAddons } from './validate/addons.ts';
import { validateApiLoadBalancer } from './validate/api-load-balancer.ts';
import { validateApiServer } from './validate/api-server.ts';
import { API_WORDS } from './validate/api-words.ts';
import { validateCloudLabels } from './validate/cloud-labels.ts';
import { tooNewKubernetes, validateClusterSpec } from './validate/cluster-spec.ts';
import { validateComponents } from './validate/components.ts';
import { validateCalico } from './validate/calico.ts';
import { validateCilium } from './validate/cilium.ts';
import { validateContainerdVersion } from './validate/containerd-version.ts';
import { validateEtcd } from './validate/etcd.ts';
import { validateInstanceGroups } from './validate/instance-groups.ts';
import { validateMachines } from './validate/machines.ts';
import { validateNameServers } from './validate/name-servers.ts';
import { validateNetwork } from './validate/network.ts';
import { validateOwnAnnotations } from './validate/own-annotations.ts';
import { validatePodNetwork } from './validate/pod-network.ts';
import type { Fault } from './validate/fault.ts';
import { validateContainerdAddress } from './validate/containerd-address.ts';
import { validateIssuerDiscovery } from './validate/issuer-discovery.ts';
import { validateRegistryMirrors } from './validate/registry-mirrors.ts';
import { validateRollingUpdate } from './validate/rolling-update.ts';
import { validateRuntimePackages } from './validate/runtime-packages.ts';
import { validateStorePlaces } from './validate/store-places.ts';
import { validateSupport } from './validate/support.ts';
import { unknownWords } from './validate/words.ts';

/** An object whose paths have positions in a file, such as a `ParsedObject`. */
export interface Positioned {
  readonly kind: string;
  readonly name: string;
  readonly positionOf: (path: string) => Position;
  /** The path as it was written, if the object was written in another version. */
  readonly pathOf?: (path: string) => string;
}

/**
 * Checks what the schema cannot: that values are valid, consistent and supported. Missing fields are not faults, so a
 * spec can be checked before and after completion. Returns all faults.
 *
 * @param positions the parsed objects, if any; faults then include file and line
 */
export function validateCluster(
  cluster: Cluster,
  instanceGroups: readonly InstanceGroup[],
  cloud: SpecCloud,
  positions: readonly Positioned[] = [],
): readonly FieldError[] {
  const faults: readonly Fault[] = [
    ...unknownWords(cluster, instanceGroups, API_WORDS),
    ...(cloud.words === undefined ? [] : unknownWords(cluster, instanceGroups, cloud.words)),
    ...validateClusterSpec(cluster, cloud.traits),
    ...validateNetwork(cluster, cloud.traits),
    ...validatePodNetwork(cluster, cloud),
    ...validateCalico(cluster.spec),
    ...validateCilium(cluster.spec),
    ...validateEtcd(cluster, instanceGroups),
    ...validateInstanceGroups(cluster, instanceGroups, cloud.traits),
    ...validateComponents(cluster, instanceGroups, cloud.traits),
    ...validateApiLoadBalancer(cluster, cloud.traits),
    ...validateApiServer(cluster.spec),
    ...validateNameServers(cluster.spec),
    ...validateContainerdVersion(cluster, instanceGroups),
    ...validateRuntimePackages(cluster, instanceGroups),
    ...validateRegistryMirrors(cluster, instanceGroups),
    ...validateContainerdAddress(cluster, instanceGroups),
    ...validateIssuerDiscovery(cluster),
    ...validateMachines(cluster, instanceGroups),
    ...validateCloudLabels(cluster, instanceGroups),
    ...validateRollingUpdate(cluster, instanceGroups),
    ...validateAddons(cluster, cloud),
    ...validateStorePlaces(cluster),
    ...validateSupport(cluster),
    ...validateOwnAnnotations(cluster, instanceGroups, cloud.traits),
    ...cloud.validate(cluster, instanceGroups),
  ];
  return faults.map((fault) => locateFault(fault, cluster, positions));
}

/** Refuses a Kubernetes version that is newer than all that the table of versions knows. */
export const refuseTooNew = (cluster: Cluster, positions: readonly Positioned[] = []): readonly FieldError[] =>
  [...tooNewKubernetes(cluster)].map((fault) => locateFault(fault, cluster, positions));

/** Says where a person wrote what is wrong, as far as their files are known. */
export function locateFault(
  { instanceGroup, path, message, hint }: Fault,
  cluster: Pick<Cluster, 'metadata'>,
  positions: readonly Positioned[],
): FieldError {
  const [kind, owner] =
    instanceGroup === undefined ? ['Cluster', cluster.metadata.name] : ['InstanceGroup', instanceGroup];
  const object = positions.find((one) => one.kind === kind && one.name === owner);
  const place = object?.positionOf(path);
  const written = object?.pathOf?.(path) ?? path;
  return {
    ...place,
    // Without a position, the path names the instance group.
    path: place === undefined && instanceGroup !== undefined ? `instance group ${instanceGroup}: ${path}` : written,
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}
