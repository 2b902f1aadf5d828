import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';

const PATH = 'spec.cloudConfig.openstack';

export const OPENSTACK_FLAGS = {
  osExtNet: {
    flags: '--os-ext-net <network>',
    help: 'external OpenStack network',
    path: `${PATH}.router.externalNetwork`,
  },
  osExtSubnet: {
    flags: '--os-ext-subnet <subnet>',
    help: 'external subnet of its router',
    path: `${PATH}.router.externalSubnet`,
  },
  osLbFloatingSubnet: {
    flags: '--os-lb-floating-subnet <subnet>',
    help: 'subnet of the API’s address',
    path: `${PATH}.loadbalancer.floatingSubnet`,
  },
  osDnsServers: {
    flags: '--os-dns-servers <addresses>',
    help: 'DNS servers of the network',
    path: `${PATH}.router.dnsServers`,
  },
  osNetwork: {
    flags: '--os-network <id>',
    help: 'existing OpenStack network',
    path: 'spec.networkID',
    sameAs: 'networkId',
  },
  osOctavia: { flags: '--os-octavia', help: 'balance the API with Octavia', path: `${PATH}.loadbalancer.useOctavia` },
  osOctaviaProvider: {
    flags: '--os-octavia-provider <provider>',
    help: 'e.g. ovn',
    path: `${PATH}.loadbalancer.provider`,
  },
  osKubeletIgnoreAz: {
    flags: '--os-kubelet-ignore-az',
    help: 'attach volumes across zones',
    path: `${PATH}.blockStorage.ignore-volume-az`,
  },
} as const satisfies OwnFlags;
