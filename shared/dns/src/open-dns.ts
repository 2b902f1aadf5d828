import type { GoogleApi } from '@kopsctl/google/google-api.ts';
import type { NameServer } from './rfc2136/transport.ts';
import type { DnsProvider } from './zone.ts';

/** Who holds the zones of a cluster. Zones are named by their names in DNS, or by what the provider calls them. */
export type DnsConfig =
  | {
      readonly provider: 'Route53';
      readonly zones: readonly string[];
      readonly region: string;
      /** Whether zones that are meant by their names are private ones. */
      readonly isPrivate: boolean;
    }
  | {
      readonly provider: 'CloudDNS';
      readonly zones: readonly string[];
      readonly project: string;
      /** The name of the network of private zones; public ones have none. */
      readonly network?: string;
      /** Another server than Google's. */
      readonly endpoint?: string;
      /** Asks with somebody's rights: a machine's, or a person's. */
      readonly api: GoogleApi;
      readonly signal: AbortSignal;
    }
  | {
      readonly provider: 'RFC2136';
      readonly zones: readonly string[];
      readonly server: NameServer;
      /** As `parseTsigKey` reads it. Comes from the secret store, and goes nowhere else. */
      readonly tsigKey: string;
    };

/** The provider of a configuration. Each brings its code only when it is asked for: Route53's client is large. */
export async function openDns(config: DnsConfig): Promise<DnsProvider> {
  switch (config.provider) {
    case 'Route53': {
      const { Route53Client } = await import('@aws-sdk/client-route-53');
      const { route53Zones } = await import('./route53/route53-zones.ts');
      const { region, zones, isPrivate } = config;
      return route53Zones({ client: new Route53Client({ region }), zones, isPrivate });
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
