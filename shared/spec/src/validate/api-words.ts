import { orEmpty, type WordTable } from './words.ts';

/** kops pkg/apis/kops/cluster.go. */
const LOAD_BALANCERS = orEmpty('Public', 'Internal');

/** kops pkg/apis/kops/validation/validation.go, validateKubelet. NoSwap is Kubernetes' own. Not every version knows both last ones. */
const KUBELET = {
  'spec.kubelet.logFormat': orEmpty('text', 'json'),
  'spec.kubelet.memorySwapBehavior': orEmpty('LimitedSwap', 'UnlimitedSwap', 'NoSwap'),
  'spec.kubelet.topologyManagerPolicy': orEmpty('none', 'best-effort', 'restricted', 'single-numa-node'),
};

/** The sections of components that elect a leader. */
export const ELECTING_SECTIONS = ['cloudControllerManager', 'kubeControllerManager', 'kubeScheduler'] as const;

/** client-go tools/leaderelection/resourcelock; not every version knows the others beside leases. */
const LEADER_LOCKS = orEmpty('configmaps', 'configmapsleases', 'endpoints', 'endpointsleases', 'leases');

const UPDATE_POLICIES = ['automatic', 'external'];

const CALICO_MODES = orEmpty('Always', 'CrossSubnet', 'Never');

/** kops pkg/apis/kops/validation/validation.go, validateNetworkingCilium. */
const CILIUM = {
  bpfLBAlgorithm: orEmpty('random', 'maglev'),
  enablePolicy: orEmpty('default', 'always', 'never'),
  encryptionType: orEmpty('ipsec', 'wireguard'),
  identityAllocationMode: orEmpty('crd', 'kvstore'),
  // Those of Cilium 1.18 that need no cloud but AWS; kops has the first four.
  ipam: orEmpty('hostscope', 'kubernetes', 'crd', 'eni', 'cluster-pool', 'multi-pool', 'delegated-plugin'),
  // Cilium itself also knows those below low, and max (pkg/option/monitor.go).
  monitorAggregation: orEmpty('none', 'disabled', 'lowest', 'low', 'medium', 'maximum', 'max'),
  tunnel: orEmpty('vxlan', 'geneve', 'disabled'),
};

/** kops pkg/apis/kops/validation/validation.go, validateNetworkingCalico. */
const CALICO = {
  awsSrcDstCheck: orEmpty('Enable', 'Disable', 'DoNothing'),
  bpfExternalServiceMode: orEmpty('Tunnel', 'DSR'),
  bpfLogLevel: orEmpty('Off', 'Info', 'Debug'),
  chainInsertMode: orEmpty('insert', 'append'),
  encapsulationMode: orEmpty('ipip', 'vxlan', 'none'),
  ipipMode: CALICO_MODES,
  iptablesBackend: orEmpty('Auto', 'Legacy', 'NFT'),
  vxlanMode: CALICO_MODES,
};

const below = (path: string, table: Readonly<Record<string, readonly string[]>>): WordTable['cluster'] =>
  Object.fromEntries(Object.entries(table).map(([field, words]) => [`${path}.${field}`, words]));

/** The words of the API, whatever the cloud is. Each cloud has a table of its own beside this one. */
export const API_WORDS: WordTable = {
  cluster: {
    'spec.api.loadBalancer.type': LOAD_BALANCERS,
    // kops pkg/apis/kops/validation/validation.go, and least-nodes, which the cluster autoscaler has since then.
    'spec.clusterAutoscaler.expander': orEmpty(
      'least-waste',
      'random',
      'most-pods',
      'price',
      'priority',
      'least-nodes',
    ),
    'spec.externalDns.provider': orEmpty('dns-controller', 'external-dns', 'none'),
    'spec.kubeAPIServer.logFormat': orEmpty('text', 'json'),
    'spec.kubeDNS.provider': orEmpty('CoreDNS', 'KubeDNS', 'None'),
    // Those of Linux (k8s.io/kubernetes pkg/proxy/apis/config/validation), of which each version knows some.
    'spec.kubeProxy.proxyMode': orEmpty('iptables', 'ipvs', 'nftables', 'userspace'),
    ...KUBELET,
    ...Object.fromEntries(
      Object.entries(KUBELET).map(([path, words]) => [path.replace('.kubelet.', '.masterKubelet.'), words]),
    ),
    ...Object.fromEntries(
      ELECTING_SECTIONS.map((section) => [`spec.${section}.leaderElection.leaderElectResourceLock`, LEADER_LOCKS]),
    ),
    ...below('spec.networking.calico', CALICO),
    ...below('spec.networking.cilium', CILIUM),
    'spec.networking.flannel.backend': orEmpty('udp', 'vxlan'),
    'spec.subnets[].type': ['Public', 'Private', 'DualStack', 'Utility'],
    'spec.topology.bastion.loadBalancer.type': LOAD_BALANCERS,
    // In kops a cluster uses gossip by its name alone; here clouds without DNS say so.
    'spec.topology.dns.type': orEmpty('Public', 'Private', 'None', 'Gossip'),
    'spec.updatePolicy': UPDATE_POLICIES,
  },
  group: {
    // kops pkg/apis/kops/validation/instancegroup.go, and what cloud-init has learned since (handlers of its parts).
    'spec.additionalUserData[].type': orEmpty(
      'text/x-include-once-url',
      'text/x-include-url',
      'text/cloud-config-archive',
      'text/upstart-job',
      'text/cloud-config',
      'text/part-handler',
      'text/x-shellscript',
      'text/cloud-boothook',
      'text/cloud-config-jsonp',
      'text/jinja2',
      'text/x-shellscript-per-boot',
      'text/x-shellscript-per-instance',
      'text/x-shellscript-per-once',
    ),
    ...KUBELET,
    // kops pkg/apis/kops/instancegroup.go.
    'spec.manager': orEmpty('CloudGroup', 'Karpenter'),
    'spec.updatePolicy': UPDATE_POLICIES,
  },
};
