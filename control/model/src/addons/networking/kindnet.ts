import type { NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { accountWith } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { ownNodeOnly } from '../own-node-only.ts';
import { EVERY_MACHINE, fieldVariable, hostPath } from '../pod-parts.ts';
import { ADMIN_POLICIES, adminPolicyKinds } from './admin-policies.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../../pod-security.ts';

type KindnetNetworking = NonNullable<NetworkingSpec['kindnet']>;

/** kindnet: pods have addresses of the podCIDR of their Node, to which the cloud routes (kops addon networking.kindnet). */
export function kindnetObjects({ spec, kubernetesVersion }: ClusterFacts): readonly AddonObject[] {
  const kindnet = spec.networking?.kindnet ?? {};
  const kinds = [
    ...(kindnet.adminNetworkPolicies === true ? (['AdminNetworkPolicy'] as const) : []),
    ...(kindnet.baselineAdminNetworkPolicies === true ? (['BaselineAdminNetworkPolicy'] as const) : []),
  ];
  return [
    ...adminPolicyKinds(kinds),
    ...accountWith('kindnet', 'kindnet', [
      { group: '', resources: ['nodes'], verbs: ['list', 'watch', 'patch'] },
      { group: '', resources: ['configmaps'], verbs: ['get'] },
      { group: '', resources: ['pods', 'namespaces'], verbs: ['list', 'watch'] },
      { group: 'networking.k8s.io', resources: ['networkpolicies'], verbs: ['list', 'watch'] },
      ...(kinds.length === 0
        ? []
        : [
            {
              group: ADMIN_POLICIES,
              resources: ['adminnetworkpolicies', 'baselineadminnetworkpolicies'],
              verbs: ['list', 'watch'],
            },
          ]),
    ]),
    daemonSet(kindnet),
    ...ownNodeOnly(kubernetesVersion, { name: 'kindnet', changesSpec: true }),
  ];
}

function daemonSet(kindnet: KindnetNetworking): AddonObject {
  const image = `registry.k8s.io/networking/kindnet:${kindnet.version}`;
  const labels = { app: 'kindnet', 'k8s-app': 'kindnet', tier: 'node' };
  const inside = kindnet.masquerade?.nonMasqueradeCIDRs ?? [];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kindnet', namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: { app: 'kindnet' } },
      template: {
        metadata: { labels },
        spec: {
          ...EVERY_MACHINE,
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: 'kindnet',
          hostNetwork: true,
          initContainers: [
            {
              name: 'install-cni-bin',
              image,
              command: ['sh', '-c', 'cat /opt/cni/bin/cni-kindnet > /cni/cni-kindnet; chmod +x /cni/cni-kindnet'],
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: '/cni', name: 'cni-bin' }],
            },
          ],
          containers: [
            {
              name: 'kindnet-cni',
              image,
              command: [
                '/bin/kindnetd',
                '--hostname-override=$(NODE_NAME)',
                `--v=${kindnet.logLevel}`,
                ...(kindnet.networkPolicies === undefined ? [] : [`--network-policy=${kindnet.networkPolicies}`]),
                ...(kindnet.adminNetworkPolicies === true ? ['--admin-network-policy=true'] : []),
                ...(kindnet.baselineAdminNetworkPolicies === true ? ['--baseline-admin-network-policy=true'] : []),
                `--dns-caching=${kindnet.dnsCaching}`,
                `--nat64=${kindnet.nat64}`,
                `--fastpath-threshold=${kindnet.fastPathThreshold}`,
                `--masquerading=${kindnet.masquerade?.enabled}`,
                ...(inside.length === 0 ? [] : [`--no-masquerade-cidr=${inside.join(',')}`]),
              ],
              env: [
                fieldVariable('HOST_IP', 'status.hostIP'),
                fieldVariable('POD_IP', 'status.podIP'),
                fieldVariable('NODE_NAME', 'spec.nodeName'),
              ],
              resources: { requests: { cpu: '100m', memory: '50Mi' } },
              securityContext: { privileged: true },
              volumeMounts: [
                { mountPath: '/etc/cni/net.d', name: 'cni-cfg' },
                { mountPath: '/var/lib/cni-kindnet', name: 'var-lib-kindnet' },
              ],
            },
          ],
          volumes: [
            hostPath('cni-bin', '/opt/cni/bin', 'DirectoryOrCreate'),
            hostPath('cni-cfg', '/etc/cni/net.d', 'DirectoryOrCreate'),
            hostPath('var-lib-kindnet', '/var/lib/cni-kindnet', 'DirectoryOrCreate'),
          ],
        },
      },
    },
  };
}
