import { list, object, type ValueOf } from './field.ts';

export const flannel = object({
  backend: 'string',
  disableTxChecksumOffloading: 'bool',
  iptablesResyncSeconds: 'int32',
});

/** flannel as the pod network. */
export interface FlannelNetworking extends ValueOf<typeof flannel> {}

export const kindnet = object({
  adminNetworkPolicies: 'bool',
  baselineAdminNetworkPolicies: 'bool',
  dnsCaching: 'bool',
  fastPathThreshold: 'int32',
  logLevel: 'int32',
  masquerade: object({ enabled: 'bool', nonMasqueradeCIDRs: list('string') }),
  nat64: 'bool',
  networkPolicies: 'bool',
  version: 'string',
});

/** kindnet as the pod network. */
export interface KindnetNetworking extends ValueOf<typeof kindnet> {}

export const kubeRouter = object({ useNFTablesForNetpol: 'bool' });

/** kube-router as the pod network. */
export interface KubeRouterNetworking extends ValueOf<typeof kubeRouter> {}

export const romana = object({ daemonServiceIP: 'string', etcdServiceIP: 'string' });

/** Romana as the pod network. */
export interface RomanaNetworking extends ValueOf<typeof romana> {}

export const weave = object({
  connLimit: 'int32',
  cpuLimit: 'quantity',
  cpuRequest: 'quantity',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
  mtu: 'int32',
  netExtraArgs: 'string',
  noMasqLocal: 'int32',
  npcCPULimit: 'quantity',
  npcCPURequest: 'quantity',
  npcExtraArgs: 'string',
  npcMemoryLimit: 'quantity',
  npcMemoryRequest: 'quantity',
  version: 'string',
});

/** Weave Net as the pod network. */
export interface WeaveNetworking extends ValueOf<typeof weave> {}
