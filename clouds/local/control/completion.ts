import type { ClusterRule, InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';

const NETWORK_CIDR = '172.30.0.0/24';

/**
 * Machines share one host: each node sees the whole memory and disk of the host, so only the last percent is a reason
 * to evict.
 */
const EVICTION_HARD = [
  'memory.available<1%',
  'nodefs.available<1%',
  'nodefs.inodesFree<1%',
  'imagefs.available<1%',
  'imagefs.inodesFree<1%',
].join(',');

/**
 * A new cluster waits for the leader. The API server refuses its first attempt, because the roles that allow it are not
 * there yet; the next one follows after one to 2.2 times this period.
 */
const LEADER_ELECTION = { leaderElectRetryPeriod: '500ms' };

const NAME = 'default of the local cloud';

export const localRules: readonly ClusterRule[] = [
  {
    name: NAME,
    // Names are in the /etc/hosts of machines; names without DNS are spread by gossip.
    infer: ({ clusterName, spec }) => ({
      networkCIDR: NETWORK_CIDR,
      topology: { dns: { type: clusterName.endsWith('.k8s.local') ? 'Gossip' : 'None' } },
      api: spec.api === undefined ? { dns: {} } : undefined,
    }),
  },
  {
    name: NAME,
    infer: ({ spec }) => ({ subnets: [{ name: 'local', zone: 'local', type: 'Public', cidr: spec.networkCIDR }] }),
  },
  {
    name: NAME,
    infer: ({ spec }) => ({
      kubelet: KUBELET,
      masterKubelet: KUBELET,
      kubeControllerManager: {
        // protokube assigns pod CIDRs immediately; the controller manager waits ten seconds. The default network is
        // kubenet.
        allocateNodeCIDRs: spec.networking === undefined || spec.networking.kubenet !== undefined ? false : undefined,
        leaderElection: LEADER_ELECTION,
      },
      kubeScheduler: { leaderElection: LEADER_ELECTION },
      cloudConfig: { manageStorageClasses: true },
      // The backend udp, kops's default, is slow and needs a device that machines do not have.
      ...(spec.networking?.flannel === undefined ? {} : { networking: { flannel: { backend: 'vxlan' } } }),
      // Machines are containers, which share the host's conntrack table and cannot resize it.
      kubeProxy: { conntrackMaxPerCore: 0 },
    }),
  },
];

const KUBELET = {
  // Machines are containers, and only cgroupfs works with their cgroup v1 hierarchies.
  cgroupDriver: 'cgroupfs',
  evictionHard: EVICTION_HARD,
  failSwapOn: false,
  // kubelet deletes images that no pod uses on a fuller disk, and the disk is that of the host. Images come from the
  // prepared assets: containerd keeps those since 1.7, but Docker would get none of them back.
  imageGCHighThresholdPercent: 100,
  // A node only becomes Ready with its next status report.
  nodeStatusUpdateFrequency: '1s',
};

export const localGroupRules: readonly InstanceGroupRule[] = [
  { name: NAME, infer: () => ({ image: 'debian-12', machineType: 'local' }) },
];
