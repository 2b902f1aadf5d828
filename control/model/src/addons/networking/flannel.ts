import type { NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { accountWith } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { ownNodeOnly } from '../own-node-only.ts';
import { EVERY_MACHINE, fieldVariable, hostPath } from '../pod-parts.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../../pod-security.ts';

type FlannelNetworking = NonNullable<NetworkingSpec['flannel']>;

const NAMESPACE = 'kube-flannel';
const CONFIG = 'kube-flannel-cfg';
/** One release works with every supported Kubernetes: flannel only reads Nodes. */
export const FLANNEL_IMAGE = 'ghcr.io/flannel-io/flannel:v0.28.9';
export const FLANNEL_PLUGIN_IMAGE = 'ghcr.io/flannel-io/flannel-cni-plugin:v1.9.1-flannel3';
const LABELS = { app: 'flannel', tier: 'node' };

const CNI_CONFIG = {
  name: 'cbr0',
  cniVersion: '0.3.1',
  plugins: [
    { type: 'flannel', delegate: { hairpinMode: true, isDefaultGateway: true } },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

/** flannel: a tunnel between machines, each of which has the podCIDR of its Node (kops addon networking.flannel). */
export function flannelObjects({ spec, kubernetesVersion }: ClusterFacts): readonly AddonObject[] {
  const network = {
    // Traffic that leaves this range is masqueraded.
    Network: spec.nonMasqueradeCIDR,
    EnableNFTables: false,
    Backend: { Type: spec.networking?.flannel?.backend },
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
    },
    ...accountWith(
      'flannel',
      'flannel',
      [
        { group: '', resources: ['pods'], verbs: ['get'] },
        { group: '', resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
        { group: '', resources: ['nodes/status'], verbs: ['patch'] },
      ],
      NAMESPACE,
    ),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CONFIG, namespace: NAMESPACE, labels: LABELS },
      data: { 'cni-conf.json': JSON.stringify(CNI_CONFIG), 'net-conf.json': JSON.stringify(network) },
    },
    daemonSet(spec.networking?.flannel ?? {}),
    ...ownNodeOnly(kubernetesVersion, { name: 'flannel', namespace: NAMESPACE }),
  ];
}

function daemonSet({ backend, iptablesResyncSeconds }: FlannelNetworking): AddonObject {
  const config = { mountPath: '/etc/kube-flannel', name: 'flannel-cfg' };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kube-flannel-ds', namespace: NAMESPACE, labels: LABELS },
    spec: {
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          ...EVERY_MACHINE,
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: 'flannel',
          hostNetwork: true,
          initContainers: [
            {
              name: 'install-cni-plugin',
              image: FLANNEL_PLUGIN_IMAGE,
              command: ['cp', '-f', '/flannel', '/opt/cni/bin/flannel'],
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: '/opt/cni/bin', name: 'cni-plugin' }],
            },
            {
              name: 'install-cni',
              image: FLANNEL_IMAGE,
              command: ['cp', '-f', '/etc/kube-flannel/cni-conf.json', '/etc/cni/net.d/10-flannel.conflist'],
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: '/etc/cni/net.d', name: 'cni' }, config],
            },
          ],
          containers: [
            {
              name: 'kube-flannel',
              image: FLANNEL_IMAGE,
              command: ['/opt/bin/flanneld'],
              args: ['--ip-masq', '--kube-subnet-mgr', `--iptables-resync=${iptablesResyncSeconds}`],
              env: [
                fieldVariable('POD_NAME', 'metadata.name'),
                fieldVariable('POD_NAMESPACE', 'metadata.namespace'),
                { name: 'EVENT_QUEUE_DEPTH', value: '5000' },
              ],
              resources: { requests: { cpu: '100m', memory: '50Mi' } },
              // The udp backend needs /dev/net/tun, which only privileged containers can open.
              securityContext:
                backend === 'udp'
                  ? { privileged: true }
                  : { allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN', 'NET_RAW'], drop: ['ALL'] } },
              volumeMounts: [
                { mountPath: '/run/flannel', name: 'run' },
                config,
                { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
              ],
            },
          ],
          volumes: [
            hostPath('run', '/run/flannel', 'DirectoryOrCreate'),
            hostPath('cni-plugin', '/opt/cni/bin', 'DirectoryOrCreate'),
            hostPath('cni', '/etc/cni/net.d', 'DirectoryOrCreate'),
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
            { name: 'flannel-cfg', configMap: { name: CONFIG } },
          ],
        },
      },
    },
  };
}
