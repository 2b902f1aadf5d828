import type { GoogleApi } from '@kopsctl/google/google-api.ts';
import { proxiedConnections } from '@kopsctl/http/proxied-connections.ts';
import type { NameServer } from './rfc2136/transport.ts';
import type { DnsProvider } from './zone.ts';

/** The DNS provider of a cluster. Zones are given by their DNS names or by the provider's ids. */
export type DnsConfig =
  | {
      readonly provider: 'Route53';
      readonly zones: readonly string[];
      readonly region: string;
      /** Whether zones given by name are private ones. */
      readonly isPrivate: boolean;
    }
  | {
      readonly provider: 'CloudDNS';
      readonly zones: readonly string[];
      readonly project: string;
      /** The name of the network that sees the zones, if they are private. */
      readonly network?: string;
      /** The URL of a server other than Google's. */
      readonly endpoint?: string;
      /** Calls Google's API with the credentials of a machine or a person. */
      readonly api: GoogleApi;
      readonly signal: AbortSignal;
    }
  | {
      readonly provider: 'RFC2136';
      readonly zones: readonly string[];
      readonly server: NameServer;
      /** In a form that `parseTsigKey` reads. It comes from the secret store and is not passed on. */
      readonly tsigKey: string;
    };

/** Opens the configured provider. Its code is imported only when needed, because Route53's client is large. */
export async function openDns(config: DnsConfig): Promise<DnsProvider> {
  switch (config.provider) {
    case 'Route53': {
      const { Route53Client } = await import('./route53/route53-client.ts');
      const { route53Zones } = await import('./route53/route53-zones.ts');
      const { region, zones, isPrivate } = config;
      const requestHandler = { httpsAgent: proxiedConnections() };
      return route53Zones({ client: new Route53Client({ region, requestHandler }), zones, isPrivate });
    }
    case 'CloudDNS': {
      const { cloudDnsZones } = await import('./cloud-dns/cloud-dns-zones.ts');
      return cloudDnsZones(config, config);
    }
    case 'RFC2136': {
      const { rfc2136Zones } = await import('./rfc2136/rfc2136-zones.ts');
      const { parseTsigKey } = await import('./rfc2136/tsig-key.ts');
      return rfc2136Zones({ server: config.server, zones: config.zones, key: parseTsigKey(config.tsigKey) });
    }
  }
}
