import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { API_WORDS } from '@kopsctl/spec/validate/api-words.ts';
import type { SchemaLeaf } from './schema-leaves.ts';

const HASH = 'cd'.repeat(32);
const OTHER_HASH = 'ef'.repeat(32);

/** Values of fields whose schema says less than their check, by the end of the path; the first that matches. */
const BY_PATH: readonly (readonly [RegExp, ...unknown[]])[] = [
  [/ackages\.hash(Amd64|Arm64)$/, HASH],
  [/ackages\.url(Amd64|Arm64)$/, 'https://mirror.example.com/other.tar.gz'],
  [/discoveryService\.url$/, 'https://discovery.example.com/universe'],
  [/containerd\.address$/, '/run/other/containerd.sock'],
  [/containerd\.version$/, '2.1.1', '1.7.27'],
  [/kubernetesVersion$/, '1.34.1', '1.20.3'],
  [/etcdClusters\[\]\.version$/, '3.4.23', '3.5.21'],
  [/(containerRegistry|containerProxy)$/, 'registry.example.com'],
  [/assets\.fileRepository$/, 'https://files.example.com'],
  [/etcdMembers\[\]\.volumeThroughput$/, 200],
  [/\.roles$/, 'Node', 'Master'],
  [/suspendProcesses$/, 'AZRebalance'],
  [/kubeProxy\.master$/, 'https://api.example.com'],
  [/cilium\.clusterID$/, 7],
  [/cpuCFSQuotaPeriod$/, '77ms', '100ms'],
  [/egressProxy\.httpProxy\.host$/, 'proxy.example.com'],
  [/(keyStore|secretStore|configStore|backupStore)$/, 's3://elsewhere/demo.example.com/store'],
  [/discoveryStore$/, 's3://elsewhere/demo.example.com/store', 'gs://elsewhere/demo.example.com/store'],
  [/configBase$/, 's3://elsewhere/demo.example.com'],
  [/addons\[\]\.manifest$/, 's3://channels/other.yaml'],
  [/(oadBalancer\.class)$/, 'Classic', 'Network'],
  [/nonMasqueradeCIDR$/, '100.64.0.0/11'],
  [/networkCIDR$/, '172.20.0.0/15'],
  [/additionalNetworkCIDRs$/, '172.21.0.0/16'],
  [/subnets\[\]\.cidr$/, '172.20.64.0/19', '10.0.32.0/20'],
  [/serviceClusterIPRange$/, '100.72.0.0/13'],
  [/kubeDNS\.serverIP$/, '100.64.0.11'],
  [/subnets\[\]\.ipv6CIDR$/, '/64#1'],
  [/(IPRange|CIDR|Cidr|cidr)s?$/, '100.96.0.0/12', '10.42.0.0/16'],
  [/(sshAccess|ApiAccess|nodePortAccess)$/, '10.1.0.0/16'],
  [/containerRuntime$/, 'docker', 'containerd'],
  [/nodeIPFamilies$/, 'ipv6'],
  [/[sS]ecurityGroups?(Override)?$/, 'sg-0123456789abcdef0'],
  [/topology\.(masters|nodes)$/, 'private'],
  [/taints$/, 'dedicated=x:NoSchedule'],
  [/sysctlParameters$/, 'net.core.somaxconn=4321'],
  [/logFormat$/, 'json'],
  [/registryMirrors$/, 'https://mirror.example.com'],
  [/(URL|url|URLs)$/, 'https://other.example.com:4321'],
  [/listenMetricsURLs$/, 'http://127.0.0.1:4321'],
  [/maxInstanceLifetime$/, '86400s'],
  [/maxPrice$/, '0.25'],
  [/nodeAffinity.*operator$/, 'NotIn'],
  [/affinity.*operator$/, 'Exists', 'NotIn'],
  [/rootVolumeType$|volumes\[\]\.type$|volumeType$/, 'io1', 'gp2', 'pd-ssd'],
  [/configAdditions$/, 4321],
  [/fileAssets\[\]\.path$/, '/opt/other'],
  [/fileAssets\[\]\.mode$/, '0750'],
  [/externalDns\.watchNamespace$/, 'kube-system'],
  [/serviceNodePortRange$/, '31000-31999'],
  [/authorizationMode$/, 'Node,RBAC', 'AlwaysAllow'],
  [/(upstreamNameservers|stubDomains)$/, '10.0.0.53'],
  [/localIP$/, '169.254.20.11'],
  [/privateIPv4Address$/, '172.20.32.10'],
  [/onDemandBase$/, 1],
  [/spotDurationInMinutes$/, 120],
  [/iam\.profile$/, 'arn:aws:iam::000000000000:instance-profile/other'],
  [/targetGroupArn$/, 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/other/1'],
  [/backendMode$/, 'CRD'],
  [/identityMappings\[\]\.arn$/, 'arn:aws:iam::000000000000:role/other'],
  [/policyARNs$/, 'arn:aws:iam::000000000000:policy/other'],
  [/defaultLoadBalancerMode$/, 'dedicated'],
  [/AutoDetectionMethod$/, 'interface=eth0'],
  [/cilium\.version$/, 'v1.17.1'],
  [/subnets\[\]\.egress$/, 'External', 'nat-0123456789abcdef0'],
  [/subnets\[\]\.zone$/, 'us-east-1b'],
  [/subnets\[\]\.region$/, 'us-east1'],
  [/additionalRoutes\[\]\.target$/, 'pcx-0123456789abcdef0'],
  [/additionalRoutes\[\]\.cidr$/, '192.168.0.0/16'],
  [/etcdMembers\[\]\.instanceGroup$/, 'control-plane'],
  [/(auditLogPath|auditPolicyFile|auditWebhookConfigFile)$/, '/var/log/audit/other'],
  [/typhaReplicas$/, 3],
  [/volumeMounts\[\]\.filesystem$/, 'xfs'],
  [/volumeMounts\[\]\.(path)$/, '/mnt/other'],
  [/volumeMounts\[\]\.(device)$/, '/dev/xvde'],
  [/(additionalPolicies|inlinePolicy)$/, '[{"Effect":"Allow","Action":"s3:ListAllMyBuckets","Resource":"*"}]'],
  [/externalPolicies$/, 'arn:aws:iam::000000000000:policy/other'],
  [/spec\.role$/, 'APIServer', 'Node'],
  [/minSize$/, 2, 7],
  [/maxSize$/, 3, 1],
  [/webhookTemplate$/, '{}'],
  [/api\.loadBalancer\.subnets\[\]\.name$/, 'a', 'utility-a'],
];

const BY_TYPE = {
  string: ['another'],
  bool: [true, false],
  int: [7, 4321],
  int32: [7, 4321],
  number: [7],
  quantity: ['123m'],
  duration: ['77s'],
  'int-or-string': [7, '37%'],
  anything: [{}],
} as const;

/** The words of fields of both objects; one without a cloud's own meaning has the same words in each. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  [API_WORDS, ...CLOUDS.flatMap(({ words }) => words ?? [])]
    .flatMap(({ cluster, group }) => [...Object.entries(cluster), ...Object.entries(group)])
    .map(([path, words]) => [path, words.filter((word) => word !== '')]),
);

/** Valid values of a leaf, tried in order until one of them does something. */
export function leafValues({ path, field, holds }: SchemaLeaf): readonly unknown[] {
  const [, ...listed] = BY_PATH.find(([end]) => end.test(path)) ?? [];
  const known = [...new Set([...listed, ...(WORDS.get(path) ?? [])])];
  const single = known.length > 0 ? known : typeof field === 'string' ? BY_TYPE[field] : field.words;
  return single.map((value) => {
    if (holds === 'list') return [value];
    if (holds === 'map') return { [keyOf(path)]: value };
    return holds === 'map of lists' ? { [keyOf(path)]: [value] } : value;
  });
}

const KEYS: readonly (readonly [RegExp, string])[] = [
  [/configAdditions$/, 'metrics.address'],
  [/(additional|external)Policies$/, 'node'],
];

const keyOf = (path: string): string => KEYS.find(([end]) => end.test(path))?.[1] ?? 'another';

/** What an item of a list, and an object, needs beside the field that is walked. */
export const SURROUNDINGS: Readonly<Record<string, object>> = {
  'spec.externalDns': { provider: 'external-dns' },
  'spec.networking.cilium': { enableEncryption: true, encryptionType: 'wireguard', enablePrometheusMetrics: true },
  'spec.api.loadBalancer.accessLog': { bucket: 'logs' },
  'spec.addons[]': { manifest: 's3://channels/channel.yaml' },
  'spec.api.loadBalancer.subnets[]': { name: 'a' },
  'spec.authentication.aws': { backendMode: 'CRD' },
  'spec.authentication.aws.identityMappings[]': { arn: 'arn:aws:iam::000000000000:role/one', username: 'one' },
  'spec.awsLoadBalancerController': { enabled: true },
  'spec.etcdClusters[]': { name: 'main', etcdMembers: [{ name: 'a', instanceGroup: 'control-plane' }] },
  'spec.fileAssets[]': { name: 'file', path: '/opt/file', content: 'text' },
  'spec.hooks[]': { name: 'hook.service', manifest: 'Type=oneshot' },
  'spec.volumes[]': { device: '/dev/xvdd', size: 20 },
  'spec.volumeMounts[]': { device: '/dev/xvdd', filesystem: 'ext4', path: '/mnt/data' },
  'spec.additionalUserData[]': { name: 'more.sh', type: 'text/x-shellscript', content: '#!/bin/sh' },
  'spec.iam.serviceAccountExternalPermissions[]': {
    name: 'account',
    namespace: 'default',
    aws: { policyARNs: ['arn:aws:iam::000000000000:policy/one'] },
  },
  'spec.kubeDNS.tolerations[]': { key: 'dedicated', operator: 'Equal', value: 'dns', effect: 'NoExecute' },
  'spec.networking.calico': { typhaReplicas: 3 },
  'spec.subnets[]': { name: 'a', type: 'Public', zone: 'local' },
  'spec.subnets[].additionalRoutes[]': { cidr: '192.168.0.0/16', target: 'pcx-1' },
  'spec.containerd.packages': {
    urlAmd64: 'https://a.example.com/a.tgz',
    hashAmd64: OTHER_HASH,
    urlArm64: 'https://a.example.com/b.tgz',
    hashArm64: OTHER_HASH,
  },
  'spec.containerd.runc.packages': {
    urlAmd64: 'https://a.example.com/a',
    hashAmd64: OTHER_HASH,
    urlArm64: 'https://a.example.com/b',
    hashArm64: OTHER_HASH,
  },
  'spec.egressProxy': { httpProxy: { host: 'proxy.example.com', port: 3128 } },
};

/** Each is refused without the other. */
const PROXY_FILES = { proxyClientCertFile: '/etc/proxy.crt', proxyClientKeyFile: '/etc/proxy.key' };

type Neighbours = readonly (readonly [path: string, value: unknown])[];

/** Accepted whatever the cloud is, other than a store of one cloud. */
const ISSUER = { url: 'https://discovery.example.com/universe' };

const OWN_ROLES = [
  ['spec.iam.useServiceAccountExternalPermissions', true],
  ['spec.serviceAccountIssuerDiscovery', { discoveryService: ISSUER, enableAWSOIDCProvider: true }],
] as const;

const CILIUM_ETCD = [
  [
    'spec.etcdClusters',
    ['main', 'cilium'].map((name) => ({ name, etcdMembers: [{ name: 'a', instanceGroup: 'control-plane' }] })),
  ],
  ['spec.networking.cilium.etcdManaged', true],
] as const;

const CILIUM_SERVICES = [
  ['spec.kubeProxy.enabled', false],
  ['spec.networking.cilium.enableNodePort', true],
] as const;

/** Other fields without which a field does nothing. */
export const NEIGHBOURS: Readonly<Record<string, Neighbours>> = {
  'spec.api.loadBalancer.sslPolicy': [
    ['spec.api.loadBalancer.sslCertificate', 'arn:aws:acm:us-east-1:000000000000:certificate/one'],
  ],
  'spec.serviceAccountIssuerDiscovery.enableAWSOIDCProvider': [
    ['spec.serviceAccountIssuerDiscovery.discoveryService', ISSUER],
  ],
  'spec.warmPool.lifecycleHookTimeout': [['spec.warmPool.enableLifecycleHook', true]],
  'spec.kubeDNS.cacheMaxConcurrent': [['spec.kubeDNS.provider', 'KubeDNS']],
  'spec.containerd.useECRCredentialsForMirrors': [
    ['spec.containerd.registryMirrors', { 'docker.io': ['https://mirror.example.com'] }],
  ],
  'spec.certManager.hostedZoneIDs': OWN_ROLES,
  'spec.kubeAPIServer.auditWebhookConfigFile': [['spec.kubeAPIServer.auditPolicyFile', '/var/log/audit/policy']],
  'spec.iam.serviceAccountExternalPermissions[].aws.inlinePolicy': [
    ['spec.iam.serviceAccountExternalPermissions[].aws', { inlinePolicy: '[]' }],
  ],
  'spec.kubeAPIServer.authorizationMode': [['spec.authorization', { alwaysAllow: {} }]],
  'spec.kubeAPIServer.proxyClientCertFile': [['spec.kubeAPIServer', PROXY_FILES]],
  'spec.kubeAPIServer.proxyClientKeyFile': [['spec.kubeAPIServer', PROXY_FILES]],
  'spec.hooks[].execContainer.command': [['spec.hooks[].execContainer.image', 'busybox']],
  'spec.hooks[].execContainer.environment': [['spec.hooks[].execContainer.image', 'busybox']],
  'spec.networking.kuberouter.useNFTablesForNetpol': [['spec.kubeProxy.enabled', false]],
  'spec.networking.calico.bpfEnabled': [['spec.kubeProxy.enabled', false]],
  'spec.networking.cilium.bpfLBSockHostNSOnly': [['spec.networking.cilium.bpfLBSock', true]],
  'spec.networking.cilium.IPTablesRulesNoinstall': [['spec.networking.cilium.enableL7Proxy', false]],
  'spec.networking.cilium.enableEncryption': [['spec.networking.cilium.encryptionType', '']],
  'spec.networking.cilium.enableNodePort': [['spec.kubeProxy.enabled', false]],
  'spec.networking.cilium.etcdManaged': CILIUM_ETCD,
  'spec.networking.cilium.identityAllocationMode': CILIUM_ETCD,
  ...neighboursOf('spec.networking.cilium.ingress', CILIUM_SERVICES, [
    'defaultLoadBalancerMode',
    'enableSecretsSync',
    'enabled',
    'enforceHttps',
    'loadBalancerAnnotationPrefixes',
    'sharedLoadBalancerServiceName',
  ]),
  ...neighboursOf('spec.networking.cilium.gatewayAPI', CILIUM_SERVICES, ['enableSecretsSync', 'enabled']),
  ...neighboursOf('spec.karpenter', OWN_ROLES, [
    'cpuRequest',
    'enabled',
    'featureGates',
    'image',
    'logEncoding',
    'logLevel',
    'memoryLimit',
    'memoryRequest',
  ]),
  'spec.networking.calico.vxlanMode': [['spec.networking.calico.encapsulationMode', 'vxlan']],
};

/** The same for several fields of an object. */
function neighboursOf(
  parent: string,
  neighbours: Neighbours,
  fields: readonly string[],
): Readonly<Record<string, Neighbours>> {
  return Object.fromEntries(fields.map((field) => [`${parent}.${field}`, neighbours]));
}
