import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { fieldVariable } from '../pod-parts.ts';
import { CILIUM_CONFIG } from './cilium-settings.ts';

/** Environment of all of Cilium's containers. */
export interface Cilium {
  readonly facts: ClusterFacts;
  readonly wished: CiliumNetworking;
  readonly version: string;
  readonly apiEndpoint: readonly JsonObject[];
}

export const imageOf = ({ wished, version }: Pick<Cilium, 'wished' | 'version'>, name: string): string =>
  `${wished.registry}/cilium/${name}:${version}`;

export const PLACE = [
  fieldVariable('K8S_NODE_NAME', 'spec.nodeName'),
  fieldVariable('CILIUM_K8S_NAMESPACE', 'metadata.namespace'),
];

export const fromConfig = (name: string, key: string): JsonObject => ({
  name,
  valueFrom: { configMapKeyRef: { name: CILIUM_CONFIG, key, optional: true } },
});

export const loopback = ({ facts }: Cilium): string => (facts.spec.nonMasqueradeCIDR === '::/0' ? '::1' : '127.0.0.1');

export const resources = ({ wished }: Cilium): JsonObject => ({
  requests: { cpu: String(wished.cpuRequest), memory: String(wished.memoryRequest) },
});
