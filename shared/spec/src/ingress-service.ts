import type { CiliumNetworking } from './cluster.ts';

/** Cilium's own default. */
export const DEFAULT_INGRESS_SERVICE = 'cilium-ingress';

/** The Service of the load balancer that Ingresses of Cilium share. kops's completed spec has the name only where a person sets it. */
export const ingressServiceOf = ({ ingress }: CiliumNetworking): string =>
  ingress?.sharedLoadBalancerServiceName ?? DEFAULT_INGRESS_SERVICE;
