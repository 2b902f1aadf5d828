import { cloudProvider } from '../schema/enums.ts';
import type { RewriteName } from './rewrites.ts';

/**
 * Where a field of v1alpha2 is in v1alpha3. Paths start at the top of the object; `[]` is any item of a list. The
 * children of a field move with it, except children with a row of their own.
 */
export interface Move {
  readonly v1alpha2: string;
  /** Undefined if v1alpha3 has no such field. */
  readonly v1alpha3: string | undefined;
  /** How its value is spelled in the other version, if the spelling differs. */
  readonly rewrite?: RewriteName;
}

type Row = readonly [v1alpha2: string, v1alpha3: string | undefined, rewrite?: RewriteName];

const rows = (...table: readonly Row[]): readonly Move[] =>
  table.map(([v1alpha2, v1alpha3, rewrite]) => ({ v1alpha2, v1alpha3, ...(rewrite === undefined ? {} : { rewrite }) }));

/** The rows of an object that occurs in several places, with its path in both versions for each. */
const within = (places: readonly (readonly [string, string])[], table: readonly Move[]): readonly Move[] =>
  places.flatMap(([old, current]) =>
    table.map((move) => ({
      ...move,
      v1alpha2: `${old}.${move.v1alpha2}`,
      v1alpha3: move.v1alpha3 === undefined ? undefined : `${current}.${move.v1alpha3}`,
    })),
  );

const gone = (...names: readonly string[]): readonly Move[] => rows(...names.map((name): Row => [name, undefined]));

/**
 * Sources: kops's pkg/apis/kops/v1alpha2/conversion.go, and the JSON names in pkg/apis/kops/v1alpha2 and v1alpha3 (2026).
 * A field is gone if the struct of v1alpha3 does not have it, or has it as `json:"-"`.
 */

const HOOK = rows(['disabled', 'enabled', 'inverted'], ['roles', 'roles', 'roles']);
const FILE_ASSET = rows(['roles', 'roles', 'roles']);

const KUBELET = [
  ...rows(['authenticationTokenWebhookCacheTtl', 'authenticationTokenWebhookCacheTTL']),
  ...gone(
    'allowPrivileged',
    'apiServers',
    'babysitDaemons',
    'clientCaFile',
    'configureCbr0',
    'dockerDisableSharedPID',
    'enableCustomMetrics',
    'experimentalAllowedUnsafeSysctls',
    'hostnameOverride',
    'nodeLabels',
    'nvidiaGPUs',
    'reconcileCIDR',
    'registerSchedulable',
    'requireKubeconfig',
  ),
];

const CILIUM = [
  ...rows(
    ['IPTablesRulesNoinstall', 'installIptablesRules', 'inverted'],
    ['disableMasquerade', 'masquerade', 'inverted'],
    ['toFqdnsDnsRejectResponseCode', 'toFQDNsDNSRejectResponseCode'],
    ['toFqdnsEnablePoller', 'toFQDNsEnablePoller'],
  ),
  // Fields that the documentation of kops calls "not implemented and may be removed in the future".
  ...gone(
    'accessLog',
    'agentLabels',
    'allowLocalhost',
    'autoIpv6NodeRoutes',
    'bpfRoot',
    'cniBinPath',
    'containerRuntime',
    'containerRuntimeEndpoint',
    'containerRuntimeLabels',
    'debugVerbose',
    'device',
    'disableConntrack',
    'disableIpv4',
    'disableK8sServices',
    'enableTracing',
    'enableipv4',
    'enableipv6',
    'envoyLog',
    'ipv4ClusterCidrMaskSize',
    'ipv4Node',
    'ipv4Range',
    'ipv4ServiceRange',
    'ipv6ClusterAllocCidr',
    'ipv6Node',
    'ipv6Range',
    'ipv6ServiceRange',
    'k8sApiServer',
    'k8sKubeconfigPath',
    'keepBpfTemplates',
    'keepConfig',
    'labelPrefixFile',
    'labels',
    'lb',
    'libDir',
    'logDriver',
    'logOpt',
    'logstash',
    'logstashAgent',
    'logstashProbeTimer',
    'nat46Range',
    'nodeInitBootstrapFile',
    'pprof',
    'prefilterDevice',
    'prometheusServeAddr',
    'reconfigureKubelet',
    'removeCbrBridge',
    'restartPods',
    'restore',
    'singleClusterRoute',
    'socketPath',
    'stateDir',
    'tracePayloadlen',
  ),
];

/** In the order of v1alpha3: fields that moved elsewhere, then fields that were renamed, then fields that are gone. */
const CLUSTER: readonly Move[] = [
  ...rows(
    ['spec.additionalSans', 'spec.api.additionalSANs'],
    ['spec.kubernetesApiAccess', 'spec.api.access'],
    ['spec.masterPublicName', 'spec.api.publicName'],
    ['spec.api.loadBalancer.subnets[].allocationId', 'spec.api.loadBalancer.subnets[].allocationID'],
    ['spec.api.loadBalancer.useForInternalApi', 'spec.api.loadBalancer.useForInternalAPI'],

    ['spec.awsLoadBalancerController', 'spec.cloudProvider.aws.loadBalancerController'],
    ['spec.cloudConfig.awsEBSCSIDriver', 'spec.cloudProvider.aws.ebsCSIDriver'],
    ['spec.cloudConfig.disableSecurityGroupIngress', 'spec.cloudProvider.aws.disableSecurityGroupIngress'],
    ['spec.cloudConfig.elbSecurityGroup', 'spec.cloudProvider.aws.elbSecurityGroup'],
    ['spec.cloudConfig.nlbSecurityGroupMode', 'spec.cloudProvider.aws.nlbSecurityGroupMode'],
    ['spec.cloudConfig.nodeIPFamilies', 'spec.cloudProvider.aws.nodeIPFamilies'],
    ['spec.cloudConfig.spotinstOrientation', 'spec.cloudProvider.aws.spotinstOrientation'],
    ['spec.cloudConfig.spotinstProduct', 'spec.cloudProvider.aws.spotinstProduct'],
    ['spec.cloudConfig.useIPBasedNodeNames', 'spec.cloudProvider.aws.useIPBasedNodeNames'],
    ['spec.nodeTerminationHandler', 'spec.cloudProvider.aws.nodeTerminationHandler'],
    ['spec.podIdentityWebhook', 'spec.cloudProvider.aws.podIdentityWebhook'],
    ['spec.warmPool', 'spec.cloudProvider.aws.warmPool'],

    ['spec.cloudConfig.azure', 'spec.cloudProvider.azure'],
    ['spec.cloudConfig.azure.subscriptionId', 'spec.cloudProvider.azure.subscriptionID'],
    ['spec.cloudConfig.azure.tenantId', 'spec.cloudProvider.azure.tenantID'],

    ['spec.cloudConfig.gceServiceAccount', 'spec.cloudProvider.gce.serviceAccount'],
    ['spec.cloudConfig.gceUseStartupScript', 'spec.cloudProvider.gce.useStartupScript'],
    ['spec.cloudConfig.gcpPDCSIDriver', 'spec.cloudProvider.gce.pdCSIDriver'],
    ['spec.cloudConfig.multizone', 'spec.cloudProvider.gce.multizone'],
    ['spec.cloudConfig.nodeInstancePrefix', 'spec.cloudProvider.gce.nodeInstancePrefix'],
    ['spec.cloudConfig.nodeTags', 'spec.cloudProvider.gce.nodeTags'],
    ['spec.project', 'spec.cloudProvider.gce.project'],

    ['spec.cloudConfig.openstack', 'spec.cloudProvider.openstack'],

    ['spec.configBase', 'spec.configStore.base'],
    ['spec.keyStore', 'spec.configStore.keypairs'],
    ['spec.secretStore', 'spec.configStore.secrets'],

    ['spec.DisableSubnetTags', 'spec.networking.tagSubnets', 'inverted'],
    ['spec.additionalNetworkCIDRs', 'spec.networking.additionalNetworkCIDRs'],
    ['spec.egressProxy', 'spec.networking.egressProxy'],
    ['spec.isolateMasters', 'spec.networking.isolateControlPlane'],
    ['spec.networkCIDR', 'spec.networking.networkCIDR'],
    ['spec.networkID', 'spec.networking.networkID'],
    ['spec.nonMasqueradeCIDR', 'spec.networking.nonMasqueradeCIDR'],
    ['spec.podCIDR', 'spec.networking.podCIDR'],
    ['spec.serviceClusterIPRange', 'spec.networking.serviceClusterIPRange'],
    ['spec.subnets', 'spec.networking.subnets'],
    ['spec.topology', 'spec.networking.topology'],
    ['spec.topology.bastion.bastionPublicName', 'spec.networking.topology.bastion.publicName'],
    ['spec.topology.dns.type', 'spec.networking.topology.dns'],
    ['spec.topology.masters', 'spec.networking.topology.controlPlane'],
    ['spec.networking.amazonvpc', 'spec.networking.amazonVPC'],
    ['spec.networking.amazonvpc.imageName', 'spec.networking.amazonVPC.image'],
    ['spec.networking.amazonvpc.initImageName', 'spec.networking.amazonVPC.initImage'],
    [
      'spec.networking.canal.disableFlannelForwardRules',
      'spec.networking.canal.flanneldIptablesForwardRules',
      'inverted',
    ],
    ['spec.networking.gce', 'spec.networking.gcp'],
    ['spec.networking.kuberouter', 'spec.networking.kubeRouter'],

    ['spec.externalDns', 'spec.externalDNS'],
    ['spec.masterKubelet', 'spec.controlPlaneKubelet'],
    ['spec.additionalPolicies', 'spec.additionalPolicies', 'policies'],
    ['spec.externalPolicies', 'spec.externalPolicies', 'policies'],
    ['spec.etcdClusters[].etcdMembers[].kmsKeyId', 'spec.etcdClusters[].etcdMembers[].kmsKeyID'],
    ['spec.etcdClusters[].etcdMembers[].volumeIops', 'spec.etcdClusters[].etcdMembers[].volumeIOPS'],
    ['spec.kubeControllerManager.concurrentRcSyncs', 'spec.kubeControllerManager.concurrentRCSyncs'],
    ['spec.kubeProxy.ipvsExcludeCidrs', 'spec.kubeProxy.ipvsExcludeCIDRs'],
  ),
  ...within(
    [['spec.kubeAPIServer', 'spec.kubeAPIServer']],
    rows(
      ['authorizationWebhookCacheAuthorizedTtl', 'authorizationWebhookCacheAuthorizedTTL'],
      ['authorizationWebhookCacheUnauthorizedTtl', 'authorizationWebhookCacheUnauthorizedTTL'],
    ),
  ),
  ...within(
    [['spec.kubeAPIServer', 'spec.authentication.oidc']],
    rows(
      ['oidcClientID', 'clientID'],
      ['oidcGroupsClaim', 'groupsClaims', 'comma-separated'],
      ['oidcGroupsPrefix', 'groupsPrefix'],
      ['oidcIssuerURL', 'issuerURL'],
      ['oidcRequiredClaim', 'requiredClaims', 'claims'],
      ['oidcUsernameClaim', 'usernameClaim'],
      ['oidcUsernamePrefix', 'usernamePrefix'],
    ),
  ),
  ...within([['spec.hooks[]', 'spec.hooks[]']], HOOK),
  ...within([['spec.fileAssets[]', 'spec.fileAssets[]']], FILE_ASSET),
  ...within(
    [
      ['spec.kubelet', 'spec.kubelet'],
      ['spec.masterKubelet', 'spec.controlPlaneKubelet'],
    ],
    KUBELET,
  ),
  ...within(
    [
      ['spec.networking.cilium', 'spec.networking.cilium'],
      ['spec.networking.gce.cilium', 'spec.networking.gcp.cilium'],
    ],
    CILIUM,
  ),
  ...gone(
    'spec.api.loadBalancer.accessLog.interval',
    'spec.api.loadBalancer.idleTimeoutSeconds',
    'spec.cloudConfig.vSphereCoreDNSServer',
    'spec.cloudConfig.vSphereDatacenter',
    'spec.cloudConfig.vSphereDatastore',
    'spec.cloudConfig.vSpherePassword',
    'spec.cloudConfig.vSphereResourcePool',
    'spec.cloudConfig.vSphereServer',
    'spec.cloudConfig.vSphereUsername',
    'spec.configStore',
    'spec.containerRuntime',
    'spec.docker',
    'spec.etcdClusters[].enableEtcdTLS',
    'spec.etcdClusters[].enableTLSAuth',
    'spec.etcdClusters[].heartbeatInterval',
    'spec.etcdClusters[].leaderElectionTimeout',
    'spec.etcdClusters[].provider',
    // v1alpha3 uses the provider `none` for this.
    'spec.externalDns.disable',
    'spec.iam.legacy',
    'spec.kubeDNS.image',
    'spec.kubeDNS.replicas',
    'spec.masterInternalName',
    'spec.networking.calico.crossSubnet',
    'spec.networking.calico.majorVersion',
    'spec.networking.canal.disableTxChecksumOffloading',
    'spec.networking.classic',
    'spec.networking.flannel.disableTxChecksumOffloading',
    'spec.networking.lyftvpc',
    'spec.networking.romana',
    'spec.nodeAuthorization',
    'spec.serviceOIDCProvider',
    'spec.topology.bastion.idleTimeoutSeconds',
  ),
  ...within(
    [['spec.kubeAPIServer', 'spec.kubeAPIServer']],
    gone(
      'allowPrivileged',
      'authorizationRbacSuperUser',
      'basicAuthFile',
      'etcdCaFile',
      'etcdCertFile',
      'etcdKeyFile',
      'etcdQuorumRead',
      'experimentalEncryptionProviderConfig',
      'kubeletClientCertificate',
      'kubeletClientKey',
      'proxyClientCertFile',
      'proxyClientKeyFile',
      'requestheaderClientCAFile',
      'tlsCertFile',
      'tlsPrivateKeyFile',
    ),
  ),
  ...within(
    [['spec.kubeControllerManager', 'spec.kubeControllerManager']],
    gone('rootCAFile', 'serviceAccountPrivateKeyFile'),
  ),
  ...within([['spec.kubeProxy', 'spec.kubeProxy']], gone('bindAddress', 'hostnameOverride')),
];

const INSTANCE_GROUP: readonly Move[] = [
  ...rows(
    ['spec.associatePublicIp', 'spec.associatePublicIP'],
    ['spec.externalLoadBalancers[].targetGroupArn', 'spec.externalLoadBalancers[].targetGroupARN'],
    ['spec.role', 'spec.role', 'role'],
    ['spec.rootVolumeEncryption', 'spec.rootVolume.encryption'],
    ['spec.rootVolumeEncryptionKey', 'spec.rootVolume.encryptionKey'],
    ['spec.rootVolumeIops', 'spec.rootVolume.iops'],
    ['spec.rootVolumeOptimization', 'spec.rootVolume.optimization'],
    ['spec.rootVolumeSize', 'spec.rootVolume.size'],
    ['spec.rootVolumeThroughput', 'spec.rootVolume.throughput'],
    ['spec.rootVolumeType', 'spec.rootVolume.type'],
  ),
  ...within([['spec.hooks[]', 'spec.hooks[]']], HOOK),
  ...within([['spec.fileAssets[]', 'spec.fileAssets[]']], FILE_ASSET),
  ...within([['spec.kubelet', 'spec.kubelet']], KUBELET),
  ...gone('spec.rootVolumeDeleteOnTermination'),
];

/** The moves of a kind. Other kinds are the same in both versions. */
export const MOVES: Readonly<Record<string, readonly Move[]>> = { Cluster: CLUSTER, InstanceGroup: INSTANCE_GROUP };

/** Clouds that v1alpha3 names otherwise. */
const RENAMED: ReadonlyMap<string, string> = new Map([['digitalocean', 'do']]);

/** The clouds of v1alpha3, each with its name in v1alpha2. `local` is our own, and so is writing `metal`. */
export const CLOUDS: Readonly<Record<string, string>> = Object.fromEntries(
  cloudProvider.words.map((word) => [RENAMED.get(word) ?? word, word]),
);

/** Whether the object of a cloud exists in v1alpha2 too. */
const hasMoved = (object: string): boolean => CLUSTER.some(({ v1alpha3 }) => v1alpha3 === object);

/**
 * Objects that only one version has, because their fields are elsewhere in the other. If they are empty, they have no
 * meaning.
 */
export const DISSOLVED: Readonly<Record<'v1alpha2' | 'v1alpha3', readonly string[]>> = {
  // The cloud is a word in v1alpha2 and the name of an object in v1alpha3.
  v1alpha2: ['spec.cloudProvider', 'spec.topology.dns'],
  v1alpha3: [
    'spec.authentication.oidc',
    'spec.configStore',
    'spec.cloudProvider',
    // The others have an object in v1alpha2 too, so kops always writes theirs.
    ...Object.keys(CLOUDS)
      .map((cloud) => `spec.cloudProvider.${cloud}`)
      .filter((object) => !hasMoved(object)),
    'spec.rootVolume',
  ],
};

/**
 * Fields that kops always writes, with their value if unset: Go structs and values that are not pointers, or that lack
 * `omitempty`. They are written only if the object that contains them exists.
 */
export const ALWAYS_WRITTEN: Readonly<Record<'v1alpha2' | 'v1alpha3', Readonly<Record<string, unknown>>>> = {
  v1alpha2: { 'spec.iam.legacy': false, 'spec.cloudConfig.azure.tenantId': '' },
  v1alpha3: {
    'spec.api': {},
    'spec.cloudProvider': {},
    'spec.configStore': {},
    'spec.networking': {},
    'spec.cloudProvider.azure.tenantID': '',
    'spec.cloudProvider.gce.project': '',
  },
};
