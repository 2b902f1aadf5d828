import type { SchemaLeaf } from './schema-leaves.ts';

const HASH = 'ab'.repeat(32);

/** Values of fields whose schema says less than their check, by the end of the path; the first that matches. */
const BY_PATH: readonly (readonly [RegExp, ...unknown[]])[] = [
  [/ackages\.hash(Amd64|Arm64)$/, HASH],
  [/ackages\.url(Amd64|Arm64)$/, 'https://mirror.example.com/other.tar.gz'],
  [/containerd\.version$/, '1.7.27'],
  [/kubernetesVersion$/, '1.34.1', '1.20.2'],
  [/etcdClusters\[\]\.version$/, '3.4.23', '3.5.21'],
  [/(containerRegistry|containerProxy)$/, 'registry.example.com'],
  [/egressProxy\.httpProxy\.host$/, 'proxy.example.com'],
  [/(keyStore|secretStore|configStore|backupStore|discoveryStore)$/, 's3://elsewhere/demo.example.com/store'],
  [/configBase$/, 's3://elsewhere/demo.example.com'],
  [/(oadBalancer\.class)$/, 'Classic', 'Network'],
  [/nonMasqueradeCIDR$/, '100.64.0.0/11'],
  [/(networkCIDR)$/, '172.20.0.0/15'],
  [/(IPRange|CIDR|cidr)s?$/, '100.96.0.0/12', '10.42.0.0/16'],
  [/(sshAccess|ApiAccess)$/, '10.1.0.0/16'],
  [/nodePortAccess$/, '10.1.0.0/16'],
  [/updatePolicy$/, 'external', 'automatic'],
  [/containerRuntime$/, 'docker'],
  [/nodeIPFamilies$/, 'ipv6'],
  [/nlbSecurityGroupMode$/, 'Managed'],
  [/[sS]ecurityGroups?(Override)?$/, 'sg-0123456789abcdef0'],
  [/\.manager$/, 'Karpenter'],
  [/topology\.(masters|nodes)$/, 'private'],
  [/topology\.dns\.type$/, 'Private', 'None'],
  [/loadBalancer\.type$/, 'Internal', 'Public'],
  [/taints$/, 'dedicated=x:NoSchedule'],
  [/sysctlParameters$/, 'net.core.somaxconn=4321'],
  [/memorySwapBehavior$/, 'LimitedSwap'],
  [/logFormat$/, 'json'],
  [/(URL|url|URLs)$/, 'https://other.example.com:4321'],
  [/listenMetricsURLs$/, 'http://127.0.0.1:4321'],
  [/maxInstanceLifetime$/, '86400s'],
  [/nodeAffinity.*operator$/, 'NotIn'],
  [/affinity.*operator$/, 'Exists', 'NotIn'],
  [/rootVolumeType$|volumes\[\]\.type$|volumeType$/, 'io1', 'gp2'],
  [/configAdditions$/, 4321],
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

/** Valid values of a leaf, tried in order until one of them does something. */
export function leafValues({ path, field, holds }: SchemaLeaf): readonly unknown[] {
  const [, ...known] = BY_PATH.find(([end]) => end.test(path)) ?? [];
  const single = known.length > 0 ? known : typeof field === 'string' ? BY_TYPE[field] : field.words;
  return single.map((value) => {
    if (holds === 'list') return [value];
    if (holds === 'map') return { [path.endsWith('configAdditions') ? 'metrics.address' : 'another']: value };
    return holds === 'map of lists' ? { another: [value] } : value;
  });
}

/** What an item of a list needs beside the field that is walked. */
export const LIST_ITEMS: Readonly<Record<string, object>> = {
  'spec.addons[]': { manifest: 's3://channels/channel.yaml' },
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
};
