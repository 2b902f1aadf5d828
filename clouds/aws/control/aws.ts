import { cloudLayer, type Cloud } from '@kopsctl/model/cloud.ts';
import { machinesOfChannel } from '@kopsctl/model/create-cluster/machines-of-channel.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { AWS_ADOPTION_REASONS } from './adoption-reasons.ts';
import { awsRules } from './completion.ts';
import { awsCreation } from './create-cluster.ts';
import { AWS_FAILURE_WORDS } from './failure-words.ts';
import { gpuTaint } from './gpu-machines.ts';
import { cloudConfigLeftOut } from './cloud-config-left-out.ts';
import { karpenterLeftOut } from './karpenter-left-out.ts';
import { leftToPools } from './karpenter-lifetime.ts';
import { leastSpeeds } from './least-speeds.ts';
import { leftOpen } from './left-open.ts';
import { awsGroupRules } from './machine-rules.ts';
import { AWS_LIFECYCLES } from './lifecycles.ts';
import { isForbidden, isPassing } from './error-name.ts';
import { networkAlwaysEndsLast } from './pod-network-rules.ts';
import { refusedImages } from './refused-images.ts';
import { isAwsZone, regionOf } from './region.ts';
import { AWS_SETTINGS } from './settings.ts';
import { AWS_TRAITS } from './traits.ts';
import { validateAws } from './validate.ts';
import { AWS_WORDS } from './words.ts';

const spec = {
  name: 'aws',
  traits: AWS_TRAITS,
  features: [
    'pod addresses in the network',
    'IPv6 ranges of machines',
    'cluster autoscaler',
    'external-dns',
    'hosted zones of cert-manager',
    'IAM authenticator',
    'load balancer controller',
    'node termination handler',
    'pod identity webhook',
  ],
  clusterRules: awsRules,
  instanceGroupRules: [machinesOfChannel(awsCreation), ...awsGroupRules],
  leftOpen,
  leftOpenOfGroup: leftToPools,
  corrections: [leastSpeeds, gpuTaint, networkAlwaysEndsLast],
  settings: AWS_SETTINGS,
  words: AWS_WORDS,
  validate: validateAws,
  leftOut: (cluster, instanceGroups) => [...cloudConfigLeftOut(cluster), ...karpenterLeftOut(cluster, instanceGroups)],
  refusals: refusedImages,
} as const satisfies SpecCloud;

/** AWS. Its clients are large, so code that calls AWS is loaded on first use. */
export const aws: Cloud = {
  ...spec,
  creation: zonedCreation(spec, awsCreation, {
    storeScheme: 's3',
    ownsZone: isAwsZone,
    async findNetwork(named, { name, zones = [] }) {
      const [{ openAws }, { findSharedNetwork }] = await Promise.all([
        import('./handlers/aws-cloud.ts'),
        import('./handlers/shared-network.ts'),
      ]);
      const region = regionOf(name, { subnets: zones.map((zone) => ({ zone })) });
      return findSharedNetwork(openAws({ clusterName: name, region }), named);
    },
  }),
  openStateKey: async (name, env) => (await import('./state-keys.ts')).personsStateKey(name, env),
  isPassing,
  failureWords: AWS_FAILURE_WORDS,
  driver: {
    lifecycles: AWS_LIFECYCLES,
    isForbidden,
    adoptionReasons: AWS_ADOPTION_REASONS,
    async instanceTypes({ metadata: { name }, spec: of }, signal) {
      const [{ openAws }, { instanceTypes }] = await Promise.all([
        import('./handlers/aws-cloud.ts'),
        import('./instance-types.ts'),
      ]);
      return instanceTypes(openAws({ clusterName: name, region: regionOf(name, of) }), signal);
    },
    external: (name, region) => ({
      metadata: { name },
      spec: { cloudProvider: 'aws', subnets: [{ name: `${region}a`, zone: `${region}a`, type: 'Public' }] },
    }),
    endInstance: (instanceId) => `aws ec2 terminate-instances --instance-ids ${instanceId}`,
    model: async () => (await import('./model/aws-cluster.ts')).awsCluster,
    async open({ cluster, everything }) {
      const [{ awsHandlers }, { openAws }, { findVpcInfo }, { checkMachines }] = await Promise.all([
        import('./handlers/aws-handlers.ts'),
        import('./handlers/aws-cloud.ts'),
        import('./handlers/vpc-info.ts'),
        import('./handlers/check-machines.ts'),
      ]);
      const { name } = cluster.metadata;
      const env = openAws({ clusterName: name, region: regionOf(name, cluster.spec), everything, readsOnce: true });
      return cloudLayer(
        awsHandlers,
        { aws: env },
        {
          findVpcInfo: (id) => findVpcInfo(env, id),
          checkMachines: (groups, signal) => checkMachines(env, groups, signal),
        },
      );
    },
    running: async ({ completed, storeUrl }) =>
      (await import('./running/running-aws.ts')).runningAws(completed, storeUrl),
    fleet: async ({ completed, storeUrl, note }) =>
      (await import('./fleet/fleet-aws.ts')).awsFleet(completed, storeUrl, note),
    terraform: async () => (await import('./terraform/terraform-target.ts')).awsTerraform,
    factsForTools: async () => (await import('./facts-for-tools.ts')).awsFactsForTools,
    cloudFormation: async () => (await import('./cloudformation/template.ts')).cloudFormationTemplate,
  },
};
