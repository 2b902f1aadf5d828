import type { Cluster } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

const PATH = 'spec.serviceAccountIssuerDiscovery.discoveryService.url';

/** The issuer of service account tokens is one address, which everybody may read over TLS. */
export function* validateIssuerDiscovery({ spec }: Cluster): Iterable<Fault> {
  const { discoveryService, discoveryStore = '' } = spec.serviceAccountIssuerDiscovery ?? {};
  if (discoveryService === undefined) return;
  const { url = '' } = discoveryService;
  if (URL.parse(url)?.protocol !== 'https:') {
    const hint = 'write the address of the service, then its id for the keyset discovery-ca';
    yield fault(PATH, `'${url}' is not an https URL`, hint);
  }
  if (discoveryStore !== '') {
    yield fault(PATH, 'the keys are published in spec.serviceAccountIssuerDiscovery.discoveryStore', 'use one of them');
  }
}
