import { openDns } from '@kopsctl/dns/open-dns.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { ZoneConfig, ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';

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
      const { metadataEndpoint, openMetadata } = await import('./aws/node/metadata.ts');
      const { machineRegion } = await import('./aws/node/region.ts');
      const region = await machineRegion(openMetadata(metadataEndpoint(env)), env, signal);
      return openDns({ provider: 'Route53', zones, region, isPrivate: provider.isPrivate });
    }
    case 'CloudDNS':
      return openCloudDns(zones, provider, node);
    case 'RFC2136': {
      const { address, port, keySecret } = provider;
      const tsigKey = await node.readSecret(keySecret);
      return openDns({ provider: 'RFC2136', zones, server: { host: address, port }, tsigKey });
    }
  }
}

type CloudDns = Extract<ZoneProvider, { readonly name: 'CloudDNS' }>;

/** A private zone is told from others of its name by the network that this machine is in. */
async function openCloudDns(
  zones: readonly string[],
  { project, isPrivate }: CloudDns,
  { env, signal }: NodeDnsEnv,
): Promise<DnsProvider> {
  const { metadataEndpoint, openMetadata } = await import('@kopsctl/google/metadata.ts');
  const { machineToken } = await import('@kopsctl/google/access-token.ts');
  const { openGoogleApi } = await import('@kopsctl/google/google-api.ts');
  const { lastPart } = await import('./gce/node/resource-name.ts');
  const metadata = openMetadata(metadataEndpoint(env));
  // `projects/<number>/networks/<name>`
  const network = isPrivate
    ? lastPart(await metadata.read('instance/network-interfaces/0/network', signal))
    : undefined;
  // A variable of gcloud, for another server than Google's.
  const endpoint = env['CLOUDSDK_API_ENDPOINT_OVERRIDES_DNS']?.replace(/\/+$/, '');
  return openDns({
    provider: 'CloudDNS',
    zones,
    project: project ?? (await metadata.read('project/project-id', signal)),
    ...(network && { network }),
    ...(endpoint && { endpoint }),
    api: openGoogleApi({ token: machineToken(metadata, Date.now), random: Math.random }),
    signal,
  });
}
