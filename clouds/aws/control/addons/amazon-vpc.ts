import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { accountWith, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { CLUSTER_TAG, ownershipTag } from '../../node/ownership.ts';
import type { Tags } from '../../node/tag-list.ts';
import { amazonVpcRelease } from './amazon-vpc-release.ts';
import { customKind } from '@kopsctl/model/addons/custom-kind.ts';
import { EVERY_MACHINE, fieldVariable, hostPath, variables } from '@kopsctl/model/addons/pod-parts.ts';

const LABELS = { 'k8s-app': 'aws-node' };
const READ = ['get', 'list', 'watch'];

/** Written out because the plugin's defaults may change between releases (kops template function AmazonVpcEnvVars). */
const SETTINGS: Readonly<Record<string, string>> = {
  AWS_VPC_CNI_NODE_PORT_SUPPORT: 'true',
  AWS_VPC_ENI_MTU: '9001',
  AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'false',
  AWS_VPC_K8S_CNI_EXTERNALSNAT: 'false',
  AWS_VPC_K8S_CNI_LOGLEVEL: 'DEBUG',
  AWS_VPC_K8S_CNI_LOG_FILE: '/host/var/log/aws-routed-eni/ipamd.log',
  AWS_VPC_K8S_CNI_RANDOMIZESNAT: 'prng',
  AWS_VPC_K8S_CNI_VETHPREFIX: 'eni',
  AWS_VPC_K8S_PLUGIN_LOG_FILE: '/var/log/aws-routed-eni/plugin.log',
  AWS_VPC_K8S_PLUGIN_LOG_LEVEL: 'DEBUG',
  DISABLE_INTROSPECTION: 'false',
  DISABLE_METRICS: 'false',
  DISABLE_NETWORK_RESOURCE_PROVISIONING: 'false',
  ENABLE_IPv4: 'true',
  ENABLE_IPv6: 'false',
  ENABLE_POD_ENI: 'false',
  ENABLE_PREFIX_DELEGATION: 'false',
  ENABLE_SUBNET_DISCOVERY: 'true',
  NETWORK_POLICY_ENFORCING_MODE: 'standard',
  WARM_ENI_TARGET: '1',
  WARM_PREFIX_TARGET: '1',
};

const POLICY_ENDPOINTS = 'networking.k8s.aws';
const rules = (annotatesPods: boolean): readonly Rule[] => [
  { group: 'crd.k8s.amazonaws.com', resources: ['eniconfigs'], verbs: READ },
  { group: '', resources: ['namespaces', 'nodes'], verbs: READ },
  { group: '', resources: ['pods'], verbs: annotatesPods ? [...READ, 'patch'] : READ },
  { group: '', resources: ['events'], verbs: ['create', 'list', 'patch'] },
  { group: 'events.k8s.io', resources: ['events'], verbs: ['create', 'list', 'patch'] },
  { group: POLICY_ENDPOINTS, resources: ['policyendpoints', 'policyendpoints/status'], verbs: READ },
  { group: 'vpcresources.k8s.aws', resources: ['cninodes'], verbs: [...READ, 'patch'] },
];

/**
 * Pod networking by AWS: pods get addresses of the VPC, on network interfaces that it attaches to their machine (kops addon
 * networking.amazon-vpc-routed-eni).
 */
export function amazonVpcObjects(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.networking?.amazonvpc?.env ?? [];
  // The right to patch pods lets its holder run any image in any pod, so the addon has it only if it was asked to annotate pods.
  const annotatesPods = wished.some(({ name, value }) => name === 'ANNOTATE_POD_IP' && value === 'true');
  return [
    customKind({ group: 'crd.k8s.amazonaws.com', kind: 'ENIConfig', version: 'v1alpha1' }),
    customKind({
      group: POLICY_ENDPOINTS,
      kind: 'PolicyEndpoint',
      version: 'v1alpha1',
      scope: 'Namespaced',
      hasStatus: true,
    }),
    ...accountWith('aws-node', 'aws-node', rules(annotatesPods)),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'amazon-vpc-cni', namespace: 'kube-system', labels: LABELS },
      data: {
        'branch-eni-cooldown': '60',
        'enable-network-policy-controller': 'false',
        'enable-windows-ipam': 'false',
        'enable-windows-prefix-delegation': 'false',
      },
    },
    daemonSet(facts),
  ];
}

function daemonSet(facts: ClusterFacts): AddonObject {
  const { amazonvpc = {} } = facts.spec.networking ?? {};
  const { networkPolicyAgentImage: agentImage } = amazonvpc;
  const { version, policyAgent } = amazonVpcRelease(facts.kubernetesVersion);
  const wished = Object.fromEntries((amazonvpc.env ?? []).map(({ name = '', value = '' }) => [name, value]));
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'aws-node', namespace: 'kube-system', labels: LABELS },
    spec: {
      selector: { matchLabels: LABELS },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: {
        metadata: { labels: LABELS },
        spec: {
          ...EVERY_MACHINE,
          serviceAccountName: 'aws-node',
          hostNetwork: true,
          terminationGracePeriodSeconds: 10,
          initContainers: [
            {
              name: 'aws-vpc-cni-init',
              image: completedValue('spec.networking.amazonvpc.initImageName', amazonvpc.initImageName),
              env: variables({ DISABLE_TCP_EARLY_DEMUX: false, ENABLE_IPv6: false }),
              resources: { requests: { cpu: '25m' } },
              securityContext: { privileged: true },
              volumeMounts: [{ mountPath: '/host/opt/cni/bin', name: 'cni-bin-dir' }],
            },
          ],
          containers: [
            plugin(facts, completedValue('spec.networking.amazonvpc.imageName', amazonvpc.imageName), version, wished),
            ...(policyAgent === undefined || agentImage === undefined ? [] : [policyEnforcer(agentImage)]),
          ],
          volumes: [
            hostPath('cni-bin-dir', '/opt/cni/bin', 'DirectoryOrCreate'),
            hostPath('cni-net-dir', '/etc/cni/net.d', 'DirectoryOrCreate'),
            hostPath('log-dir', '/var/log/aws-routed-eni', 'DirectoryOrCreate'),
            hostPath('run-dir', '/var/run/aws-node', 'DirectoryOrCreate'),
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
            ...(policyAgent === undefined || agentImage === undefined
              ? []
              : [hostPath('bpf-pin-path', '/sys/fs/bpf', 'DirectoryOrCreate')]),
          ],
        },
      },
    },
  };
}

/** The tags by which a deletion finds interfaces that are left. */
const eniTags = ({ clusterName }: ClusterFacts): Tags => ({
  [CLUSTER_TAG]: clusterName,
  [ownershipTag(clusterName)]: 'owned',
});

function plugin(
  facts: ClusterFacts,
  image: string,
  version: string,
  wished: Readonly<Record<string, string>>,
): JsonObject {
  const probe = {
    exec: { command: ['/app/grpc-health-probe', '-addr=:50051', '-connect-timeout=5s', '-rpc-timeout=5s'] },
    timeoutSeconds: 10,
  };
  return {
    name: 'aws-node',
    image,
    env: [
      ...variables({
        ADDITIONAL_ENI_TAGS: JSON.stringify(eniTags(facts)),
        ...SETTINGS,
        CLUSTER_NAME: facts.clusterName,
        VPC_CNI_VERSION: version,
        ...wished,
      }),
      fieldVariable('MY_NODE_NAME', 'spec.nodeName'),
      fieldVariable('MY_POD_NAME', 'metadata.name'),
    ],
    livenessProbe: { ...probe, initialDelaySeconds: 60 },
    readinessProbe: { ...probe, initialDelaySeconds: 1 },
    ports: [{ containerPort: 61678, name: 'metrics', protocol: 'TCP' }],
    resources: { requests: { cpu: '25m' } },
    securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } },
    volumeMounts: [
      { mountPath: '/host/opt/cni/bin', name: 'cni-bin-dir' },
      { mountPath: '/host/etc/cni/net.d', name: 'cni-net-dir' },
      { mountPath: '/host/var/log/aws-routed-eni', name: 'log-dir' },
      { mountPath: '/var/run/aws-node', name: 'run-dir' },
      { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
    ],
  };
}

const policyEnforcer = (image: string): JsonObject => ({
  name: 'aws-eks-nodeagent',
  image,
  args: [
    '--enable-ipv6=false',
    '--enable-network-policy=false',
    '--enable-cloudwatch-logs=false',
    '--enable-policy-event-logs=false',
    '--log-file=/var/log/aws-routed-eni/network-policy-agent.log',
    '--metrics-bind-addr=:8162',
    '--health-probe-bind-addr=:8163',
    '--conntrack-cache-cleanup-period=300',
  ],
  env: [fieldVariable('MY_NODE_NAME', 'spec.nodeName')],
  resources: { requests: { cpu: '25m' } },
  securityContext: { capabilities: { add: ['NET_ADMIN'] }, privileged: true },
  volumeMounts: [
    { mountPath: '/host/opt/cni/bin', name: 'cni-bin-dir' },
    { mountPath: '/sys/fs/bpf', name: 'bpf-pin-path' },
    { mountPath: '/var/log/aws-routed-eni', name: 'log-dir' },
    { mountPath: '/var/run/aws-node', name: 'run-dir' },
  ],
});
