import { list, object } from './field.ts';

/** flannel as the pod network. */
export const flannel = object({
  backend: 'string',
  disableTxChecksumOffloading: 'bool',
  iptablesResyncSeconds: 'int32',
});

/** kindnet as the pod network. */
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

/** kube-router as the pod network. */
export const kubeRouter = object({ useNFTablesForNetpol: 'bool' });

/** Romana as the pod network. */
export const romana = object({ daemonServiceIP: 'string', etcdServiceIP: 'string' });

/** Weave Net as the pod network. */
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
