import { openDns } from '@kopsctl/dns/open-dns.ts';
import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';
import { identityOpenedLater, verifierFactsOpenedLater, verifierOpenedLater } from '@kopsctl/node-cloud/open-later.ts';
import { machineToken } from '@kopsctl/google/access-token.ts';
import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { metadataEndpoint, openMetadata } from '@kopsctl/google/metadata.ts';
import type { OpenStateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { createGceNodeCloud } from './gce-node-cloud.ts';
import { lastPart } from './resource-name.ts';

/** What runs on machines in GCE. */
export const gceNode: NodePart = {
  openCloud: createGceNodeCloud,

  openIdentity: (options) =>
    identityOpenedLater(async () =>
      (await import('./identity/gce-machine-identity.ts')).createGceMachineIdentity(options),
    ),
  openVerifierFacts: ({ env }) =>
    verifierFactsOpenedLater(async () =>
      (await import('./identity/gce-verifier-facts.ts')).createGceVerifierFacts(env),
    ),
  openVerifier: (options) =>
    verifierOpenedLater(async () =>
      (await import('./identity/gce-evidence-verifier.ts')).createGceEvidenceVerifier(options),
    ),

  openStateKeys: (env) => {
    let opened: OpenStateKey | undefined;
    return async (name, signal) => {
      opened ??= (await import('./machine-state-keys.ts')).machineStateKeys(env);
      return opened(name, signal);
    };
  },

  /** Private zones with the same name are told apart by the network of this machine. */
  async openZone({ zone, provider }, { env, signal }) {
    if (provider.name !== 'CloudDNS') return undefined;
    const { project, isPrivate } = provider;
    const metadata = openMetadata(metadataEndpoint(env));
    // `projects/<number>/networks/<name>`
    const network = isPrivate
      ? lastPart(await metadata.read('instance/network-interfaces/0/network', signal))
      : undefined;
    // A variable of gcloud, for a server other than Google's.
    const endpoint = env['CLOUDSDK_API_ENDPOINT_OVERRIDES_DNS']?.replace(/\/+$/, '');
    return openDns({
      provider: 'CloudDNS',
      zones: [zone],
      project: project ?? (await metadata.read('project/project-id', signal)),
      ...(network && { network }),
      ...(endpoint && { endpoint }),
      api: openGoogleApi(machineToken(metadata, Date.now)),
      signal,
    });
  },
};
