/** What kops does with a feature flag that is set this way, in words for somebody who relies on it. */
interface FlagOfKops {
  readonly name: string;
  /** What `+NAME` or `NAME` changes in kops; absent if kopsctl behaves like that, or if it is the default of kops. */
  readonly on?: string;
  /** What `-NAME` or `NAME=false` changes in kops. */
  readonly off?: string;
}

/** The feature flags of kops 1.36 (pkg/featureflag) whose effect is missing here. */
const FLAGS: readonly FlagOfKops[] = [
  { name: 'AWSSingleNodesInstanceGroup', on: 'create cluster makes one group of workers for all zones of AWS' },
  { name: 'VPCSkipEnableDNSSupport', on: 'a shared VPC without DNS support is accepted' },
  { name: 'SELinuxMount', on: 'CSI drivers mount volumes with SELinux labels' },
  { name: 'EtcdEventsHTTP', on: 'the API server reaches the etcd cluster events without TLS' },
  { name: 'SkipEtcdVersionCheck', on: 'versions of etcd that are not supported are accepted' },
  { name: 'ExperimentalClusterDNS', on: 'kubelet may be given a DNS server of its own' },
  { name: 'ClusterAPI', on: 'objects of Cluster API are written' },
  { name: 'Spotinst', on: 'kops has Spot make the machines' },
  { name: 'UseAddonOperators', on: 'ClusterPackages among the additional objects install operators of the channel' },
  {
    name: 'GoogleCloudBucketAcl',
    on: 'the service account of machines may use the bucket of the state store by its ACL',
  },
  { name: 'CacheNodeidentityInfo', on: 'kops-controller asks the cloud less often which machine a Node is' },
  { name: 'EnableSeparateConfigBase', on: 'create cluster has the flag --config-base' },
  { name: 'DiscoveryService', on: 'create cluster has the flag --discovery-service' },
  { name: 'TerraformManagedFiles', off: 'files of the state store are left out of the Terraform configuration' },
  { name: 'ImageDigest', off: 'images are named by their tags alone' },
];

/** Notes about variables of kops in the environment that would have an effect in kops and have none here. */
export function notesOnVariablesOfKops(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const flags = (env['KOPS_FEATURE_FLAGS'] ?? '').split(',').flatMap((text) => missingEffect(text.trim()));
  const bits = env['KOPS_RSA_PRIVATE_KEY_SIZE'];
  return [
    ...flags,
    ...(bits === undefined || bits === '' ? [] : [`KOPS_RSA_PRIVATE_KEY_SIZE=${bits} has no effect in kopsctl`]),
  ];
}

function missingEffect(text: string): readonly string[] {
  const [, sign = '', word = '', value = ''] = /^([+-]?)(\w+)(?:=(\w+))?$/.exec(text) ?? [];
  const flag = FLAGS.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  const isOff = sign === '-' || value.toLowerCase() === 'false';
  const effect = isOff ? flag?.off : flag?.on;
  return effect === undefined ? [] : [`KOPS_FEATURE_FLAGS: ${text} has no effect in kopsctl; in kops, ${effect}`];
}
