import { openDns } from '@kopsctl/dns/open-dns.ts';
import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';
import { identityOpenedLater, verifierFactsOpenedLater, verifierOpenedLater } from '@kopsctl/node-cloud/open-later.ts';
import type { OpenStateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { createAwsNodeCloud } from './aws-node-cloud.ts';
import { isWarming } from './is-warming.ts';
import { metadataEndpoint, openMetadata } from './metadata.ts';
import { nodeNaming } from './node-name.ts';
import { machineRegion } from './region.ts';

const REGION_VARIABLES = ['KOPS_S3_REGION', 'S3_REGION', 'AWS_REGION', 'AWS_DEFAULT_REGION'];

/** What runs on machines in AWS. */
export const awsNode: NodePart = {
  openCloud: (options) => createAwsNodeCloud({ ...options, naming: nodeNaming(options.naming) }),

  openIdentity: ({ env }) =>
    identityOpenedLater(async () => (await import('./identity/aws-machine-identity.ts')).createAwsMachineIdentity(env)),
  openVerifierFacts: ({ env }) =>
    verifierFactsOpenedLater(async () =>
      (await import('./identity/aws-verifier-facts.ts')).createAwsVerifierFacts(env),
    ),
  openVerifier: (options) =>
    verifierOpenedLater(async () =>
      (await import('./identity/aws-evidence-verifier.ts')).createAwsEvidenceVerifier(options),
    ),

  /**
   * If no region is configured, S3 requests go to the region of the machine: the keys are not valid in other
   * partitions.
   */
  async storeEnv(stateStore, env, signal) {
    const isOpenRegion = stateStore.startsWith('s3:') && REGION_VARIABLES.every((name) => !env[name]);
    if (!isOpenRegion) return env;
    return { ...env, AWS_REGION: await openMetadata(metadataEndpoint(env)).read('placement/region', signal) };
  },

  openStateKeys: (env) => {
    let opened: OpenStateKey | undefined;
    return async (name, signal) => {
      opened ??= (await import('./machine-state-keys.ts')).machineStateKeys(env);
      return opened(name, signal);
    };
  },

  isWarming,
  endLaunch: async (hook, env, signal) => (await import('./end-launch.ts')).endLaunch(hook, env, signal),

  async openZone({ zone, provider }, { env, signal }) {
    if (provider.name !== 'Route53') return undefined;
    const region = await machineRegion(openMetadata(metadataEndpoint(env)), env, signal);
    return openDns({ provider: 'Route53', zones: [zone], region, isPrivate: provider.isPrivate });
  },
};
