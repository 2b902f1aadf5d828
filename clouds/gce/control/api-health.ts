import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

/** Where machines say whether their API server is healthy, without TLS (the port is kops's). */
export const API_HEALTH = { port: 3990, path: '/healthz' } as const;

/** The external load balancer checks by HTTP only; the internal one checks whether the port of the API accepts connections. */
export const hasExternalBalancer = ({ spec }: { readonly spec: ClusterSpec }): boolean =>
  spec.api?.loadBalancer?.type === 'Public';
