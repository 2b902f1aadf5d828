import { expect, test } from 'vitest';
import type { KubeDNSConfig } from '../cluster.ts';
import { validateNameServers } from './name-servers.ts';

const faultsOf = (kubeDNS: KubeDNSConfig) =>
  [...validateNameServers({ kubeDNS })].map(({ path, message }) => `${path.replace('spec.kubeDNS.', '')}: ${message}`);

test('name servers are addresses', () => {
  expect(
    faultsOf({
      upstreamNameservers: ['8.8.8.8', '2001:4860:4860::8888'],
      stubDomains: { 'corp.example.com': ['10.0.0.53'] },
      nodeLocalDNS: { localIP: '169.254.20.10' },
    }),
  ).toEqual([]);
  expect(
    faultsOf({
      upstreamNameservers: ['8.8.8.8', 'dns.google'],
      stubDomains: { 'corp.example.com': ['10.0.0.500'], 'empty.example.com': [] },
      nodeLocalDNS: { localIP: 'local' },
    }),
  ).toEqual([
    "upstreamNameservers[1]: 'dns.google' is not the address of a name server",
    'stubDomains["corp.example.com"][0]: \'10.0.0.500\' is not the address of a name server',
    'stubDomains["empty.example.com"]: has no name server',
    "nodeLocalDNS.localIP: 'local' is not an address",
  ]);
});
