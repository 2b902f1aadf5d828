import type { ClusterSpec } from './cluster.ts';

/** The service that publishes the public keys of service accounts, whose name their tokens bear; without a slash at the end. */
export const discoveryServiceOf = ({ serviceAccountIssuerDiscovery }: ClusterSpec): string | undefined =>
  serviceAccountIssuerDiscovery?.discoveryService?.url?.replace(/\/+$/, '');
