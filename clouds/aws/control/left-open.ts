import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { leftToAuthenticator } from './authenticator-cluster-id.ts';
import { leftToKarpenter } from './karpenter-settings.ts';
import { leftToPodNetwork } from './pod-network-rules.ts';

/** The fields that completion leaves open in AWS, and what `explain` says of each. */
export const leftOpen = (spec: ClusterSpec): Readonly<Record<string, string>> => ({
  ...leftToPodNetwork(spec),
  ...leftToKarpenter(spec),
  ...leftToAuthenticator(spec),
});
