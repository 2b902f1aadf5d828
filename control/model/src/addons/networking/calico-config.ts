import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';

export const CALICO_CONFIG = 'calico-config';
/** Tells pods of this network the address of the API where they may not rely on the API's own Service. */
export const ENDPOINT = 'kubernetes-services-endpoint';
export const API_ENDPOINT = [{ configMapRef: { name: ENDPOINT, optional: true } }];

export const isIpv6 = ({ spec }: ClusterFacts): boolean => spec.nonMasqueradeCIDR === '::/0';

/** How pods of different machines reach each other. */
export interface Tunnels {
  readonly backend: 'bird' | 'vxlan' | 'none';
  readonly ipip: string;
  readonly vxlan: string;
}

/** Felix's setting for the source/destination check of EC2. */
export const sourceCheck = (facts: ClusterFacts, calico: CalicoNetworking): string | undefined =>
  facts.cloud.traits.checksSource === 'unless-disabled' && !isIpv6(facts) ? calico.awsSrcDstCheck : 'DoNothing';

/** kops's names of modes are crosssubnet and cross-subnet, Calico's is CrossSubnet. */
const modeOf = (mode: string): string => (/^cross-?subnet$/i.test(mode) ? 'CrossSubnet' : mode);

export function tunnelsOf({ encapsulationMode, ipipMode = '', vxlanMode = '' }: CalicoNetworking): Tunnels {
  return {
    backend: encapsulationMode === 'vxlan' ? 'vxlan' : encapsulationMode === 'none' ? 'none' : 'bird',
    ipip: encapsulationMode === 'ipip' ? modeOf(ipipMode) : 'Never',
    vxlan: encapsulationMode === 'vxlan' ? modeOf(vxlanMode) : 'Never',
  };
}

/** Calico's installer replaces __NAMES__ with values of the machine. */
export function cniConfig(calico: CalicoNetworking, ipv6: boolean): string {
  const plugin = {
    type: 'calico',
    log_level: 'info',
    log_file_path: '/var/log/calico/cni/cni.log',
    datastore_type: 'kubernetes',
    nodename: '__KUBERNETES_NODE_NAME__',
    mtu: 0,
    ipam: {
      assign_ipv4: String(!ipv6),
      assign_ipv6: String(ipv6),
      ...(ipv6 ? { type: 'host-local', ranges: [[{ subnet: 'usePodCidrIPv6' }]] } : { type: 'calico-ipam' }),
    },
    ...(calico.allowIPForwarding === true ? { container_settings: { allow_ip_forwarding: true } } : {}),
    policy: { type: 'k8s' },
    kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' },
  };
  const portmap = { type: 'portmap', snat: true, capabilities: { portMappings: true } };
  const config = { name: 'k8s-pod-network', cniVersion: '0.3.1', plugins: [plugin, portmap] };
  // The plugin expects a number here, and the installer a placeholder.
  return JSON.stringify(config, null, 2).replace('"mtu": 0', '"mtu": __CNI_MTU__');
}
