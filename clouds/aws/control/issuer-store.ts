import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { isIpv6Alone } from '@kopsctl/spec/names.ts';
import { servicesDomainOf } from './region.ts';

/**
 * The URL under which S3 itself serves the discovery documents about the issuer of service account tokens: the issuer, unless
 * the spec names another.
 */
export function bucketAddress(spec: ClusterSpec): string | undefined {
  const { serviceAccountIssuerDiscovery: discovery, subnets } = spec;
  const store = discovery?.discoveryStore;
  if (store === undefined || store === '') return undefined;
  const [, scheme, bucket, path] = /^([a-z0-9]+):\/\/([^/]+)\/?(.*?)\/*$/.exec(store) ?? [];
  const below = path === undefined || path === '' ? '' : `/${path}`;
  if (scheme === 'memfs') return `https://${bucket}${below}`;
  const region = /^([a-z]+(?:-[a-z]+)+-\d+)/.exec(subnets?.[0]?.zone ?? '')?.[1];
  if (scheme !== 's3' || region === undefined) return undefined;
  const endpoint = isIpv6Alone(spec) ? 's3.dualstack' : 's3';
  return `https://${bucket}.${endpoint}.${region}.${servicesDomainOf(region)}${below}`;
}

/** Whether everybody reads the documents from S3, and not from an issuer of the user's that serves them. */
export const isReadInPlace = (spec: ClusterSpec): boolean =>
  spec.kubeAPIServer?.serviceAccountIssuer === bucketAddress(spec);
