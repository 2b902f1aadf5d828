import { API_WORDS } from '../validate/api-words.ts';
import type { WordTable } from '../validate/words.ts';

/**
 * A spec without empty texts, zeros and empty lists where they are the same as no value, as in kops: they would keep what is inferred for
 * the field from being filled in.
 */
export const withoutEmptyValues = <Spec extends object>(
  spec: Spec,
  kind: keyof WordTable,
  ofCloud: WordTable = { cluster: {}, group: {} },
): Spec =>
  [
    ...TEXTS[kind],
    ...SIZES[kind],
    ...Object.entries({ ...API_WORDS[kind], ...ofCloud[kind] }).flatMap(([path, words]) =>
      words.includes('') ? [path] : [],
    ),
    ...LISTS[kind],
    ...DURATIONS[kind],
  ]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only optional values are taken out
    .reduce((left, path) => without(left, path.split('.').slice(1)) as Spec, spec);

/** Texts that are not words, and are inferred. */
const TEXTS: Readonly<Record<keyof WordTable, readonly string[]>> = {
  cluster: [
    'spec.clusterDNSDomain',
    'spec.configBase',
    'spec.dnsZone',
    'spec.etcdClusters[].etcdMembers[].volumeType',
    'spec.etcdClusters[].version',
    'spec.keyStore',
    'spec.kubernetesVersion',
    'spec.masterInternalName',
    'spec.masterPublicName',
    'spec.networkCIDR',
    'spec.networkID',
    'spec.nonMasqueradeCIDR',
    'spec.podCIDR',
    'spec.secretStore',
    'spec.serviceClusterIPRange',
    'spec.subnets[].cidr',
    'spec.subnets[].ipv6CIDR',
  ],
  // Without a price, machines are not spot machines.
  group: ['spec.image', 'spec.machineType', 'spec.maxPrice', 'spec.rootVolumeType'],
};

/** Sizes of volumes (kops pkg/model/master_volumes.go and awsmodel/autoscalinggroup.go). */
const SIZES: Readonly<Record<keyof WordTable, readonly string[]>> = {
  cluster: ['spec.etcdClusters[].etcdMembers[].volumeSize'],
  group: ['spec.rootVolumeSize'],
};

/** Lists that are inferred (kops upup/pkg/fi/cloudup/populate_instancegroup_spec.go). */
const LISTS: Readonly<Record<keyof WordTable, readonly string[]>> = { cluster: [], group: ['spec.subnets'] };

/** Durations for which 0 is no value (kops pkg/model/components/kubecontrollermanager.go). */
const DURATIONS: Readonly<Record<keyof WordTable, readonly string[]>> = {
  cluster: ['spec.kubeControllerManager.attachDetachReconcileSyncPeriod'],
  group: [],
};

const isEmpty = (found: unknown): boolean =>
  found === '' || found === 0 || found === '0s' || (Array.isArray(found) && found.length === 0);

function without(value: unknown, [part = '', ...rest]: readonly string[]): unknown {
  const name = part.replace('[]', '');
  if (typeof value !== 'object' || value === null || !(name in value)) return value;
  const found: unknown = Reflect.get(value, name);
  if (rest.length > 0) {
    const changed = Array.isArray(found) ? found.map((item) => without(item, rest)) : without(found, rest);
    return { ...value, [name]: changed };
  }
  if (!isEmpty(found)) return value;
  return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
}
