/** Why a field may change nothing of what is planned, by path; in which clouds, where not in all of them. */
interface Silence {
  readonly why: string;
  readonly clouds?: readonly string[];
}

const ROLLS: Silence = { why: 'rolling-update reads it' };
/** Other clouds report that groups get no additional machine. */
const ROLLS_WITH_SURGE: Silence = { ...ROLLS, clouds: ['aws'] };
const NAMES: Silence = { why: 'it names the file for people' };
/** `create cluster` writes it into every spec. */
const HERE: Silence = { why: 'only this computer reaches its machines, and they have no labels', clouds: ['local'] };
/** `create cluster` writes both into every group. */
const INSTALLED: Silence = { why: 'a machine has the hardware and the system that it has', clouds: ['metal'] };
const ASSETS: Silence = { why: 'the prepared assets of this test do not hold its images', clouds: ['local'] };

/** Fields that change nothing of what is planned. */
export const READ_ELSEWHERE: Readonly<Record<string, Silence>> = {
  'Cluster spec.rollingUpdate.drainAndTerminate': ROLLS,
  'Cluster spec.rollingUpdate.maxSurge': ROLLS_WITH_SURGE,
  'Cluster spec.rollingUpdate.maxUnavailable': ROLLS,
  'InstanceGroup spec.rollingUpdate.drainAndTerminate': ROLLS,
  'InstanceGroup spec.rollingUpdate.maxUnavailable': ROLLS,
  'Cluster spec.kubeAPIServer.apiServerCount': { why: 'API servers find each other by leases, whatever their number' },
  'Cluster spec.api.dns': { why: 'its presence says what the absence of a load balancer says as well' },
  'Cluster spec.fileAssets[].name': NAMES,
  'InstanceGroup spec.fileAssets[].name': NAMES,
  'Cluster spec.etcdClusters[].etcdMembers[].instanceGroup': { why: 'the clusters here have one control plane' },
  'Cluster spec.etcdClusters[].etcdMembers[].volumeSize': {
    why: 'it is completed for every cloud, and etcd has its data on the disk of the machine here',
    clouds: ['metal'],
  },
  'Cluster spec.subnets[].region': { why: 'the zones of groups follow from it, and are in no other', clouds: ['gce'] },
  'Cluster spec.networking.kubenet': { why: 'the network of local clusters without a word', clouds: ['local'] },
  'Cluster spec.iam.allowContainerRegistry': {
    why: 'create cluster writes it into every spec, and machines here need no right for it',
    clouds: ['gce', 'local', 'metal'],
  },
  'Cluster spec.configBase': { why: 'machines here reach the store through the metadata service', clouds: ['local'] },
  'Cluster spec.cloudLabels': HERE,
  'Cluster spec.kubernetesApiAccess': HERE,
  'Cluster spec.sshAccess': HERE,
  'InstanceGroup spec.image': INSTALLED,
  'InstanceGroup spec.machineType': INSTALLED,
  'InstanceGroup spec.maxSize': { why: 'there are as many local machines as minSize says', clouds: ['local'] },
  'Cluster spec.kubeDNS.cacheMaxConcurrent': ASSETS,
  'Cluster spec.kubeDNS.cpaImage': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.additionalConfig': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.cpuRequest': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.externalCoreFile': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.forwardToKubeDNS': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.image': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.memoryRequest': ASSETS,
  'Cluster spec.kubeDNS.nodeLocalDNS.podAnnotations': ASSETS,
  'Cluster spec.certManager.defaultIssuer': ASSETS,
  'Cluster spec.certManager.enabled': ASSETS,
  'Cluster spec.certManager.featureGates': ASSETS,
  'Cluster spec.certManager.hostedZoneIDs': ASSETS,
  'Cluster spec.certManager.image': ASSETS,
  'Cluster spec.certManager.managed': ASSETS,
  'Cluster spec.certManager.nameservers': ASSETS,
  'Cluster spec.metricsServer.image': ASSETS,
  'Cluster spec.snapshotController.enabled': ASSETS,
  'Cluster spec.networking.flannel.backend': ASSETS,
  'Cluster spec.networking.flannel.iptablesResyncSeconds': ASSETS,
  'Cluster spec.containerd.runc.version': ASSETS,
  'InstanceGroup spec.containerd.runc.version': ASSETS,
};

/** Whether a field may be silent in a cloud. */
export const isExcepted = (path: string, cloud: string): boolean => {
  const silence = READ_ELSEWHERE[path];
  return silence !== undefined && (silence.clouds ?? [cloud]).includes(cloud);
};
