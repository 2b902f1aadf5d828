import { openDns } from '@kopsctl/dns/open-dns.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import { openMetadata, metadataEndpoint } from './aws/node/metadata.ts';
import { machineRegion } from './aws/node/region.ts';

export interface NodeDnsEnv {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a secret of the cluster holds. */
  readonly readSecret: (name: string) => Promise<string>;
  readonly signal: AbortSignal;
}

/** Opens the zone of a cluster's names from a machine, with the rights that the machine has. */
export async function openNodeDns({ zone, provider }: ZoneConfig, node: NodeDnsEnv): Promise<DnsProvider> {
  const zones = [zone];
  switch (provider.name) {
    case 'Route53': {
      const { env, signal } = node;
      const region = await machineRegion(openMetadata(metadataEndpoint(env)), env, signal);
      return openDns({ provider: 'Route53', zones, region, isPrivate: provider.isPrivate });
    }
    case 'RFC2136': {
      const { address, port, keySecret } = provider;
      const tsigKey = await node.readSecret(keySecret);
      return openDns({ provider: 'RFC2136', zones, server: { host: address, port }, tsigKey });
    }
  }
}
