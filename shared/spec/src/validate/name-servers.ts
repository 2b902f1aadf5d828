import type { ClusterSpec } from '../cluster.ts';
import { parseCidr } from '../cidr.ts';
import { fault, type Fault } from './fault.ts';

/** Addresses of name servers (kops pkg/apis/kops/validation/legacy.go). */
export function* validateNameServers({ kubeDNS = {} }: ClusterSpec): Iterable<Fault> {
  const { upstreamNameservers = [], stubDomains = {}, nodeLocalDNS } = kubeDNS;
  const address = nodeLocalDNS?.localIP ?? '';
  yield* addresses('spec.kubeDNS.upstreamNameservers', upstreamNameservers);
  for (const [domain, servers] of Object.entries(stubDomains)) {
    const path = `spec.kubeDNS.stubDomains[${JSON.stringify(domain)}]`;
    if (servers.length === 0) yield fault(path, 'has no name server', 'write the address of one, or remove the domain');
    yield* addresses(path, servers);
  }
  if (address !== '' && !isAddress(address)) {
    yield fault('spec.kubeDNS.nodeLocalDNS.localIP', `'${address}' is not an address`, 'such as 169.254.20.10');
  }
}

function* addresses(path: string, servers: readonly string[]): Iterable<Fault> {
  for (const [index, server] of servers.entries()) {
    if (!isAddress(server)) yield fault(`${path}[${index}]`, `'${server}' is not the address of a name server`);
  }
}

const isAddress = (text: string): boolean => parseCidr(`${text}/${text.includes(':') ? 128 : 32}`) !== undefined;
