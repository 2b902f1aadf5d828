import type { Addon } from '@kopsctl/model/addons/addon.ts';
import { addonIf } from '@kopsctl/model/addons/addon.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { usesExternalDns } from '@kopsctl/model/addons/external-dns-defaults.ts';
import type { CloudAddons } from '@kopsctl/model/cluster-facts.ts';
import { answersAcmeChallenges } from '../model/iam/acme-challenges.ts';
import { amazonVpcObjects } from './amazon-vpc.ts';
import { withRole } from './aws-identity.ts';
import { cloudControllerObjects } from './cloud-controller.ts';
import { awsAutoscalerObjects } from './cluster-autoscaler.ts';
import { ebsCsiObjects } from './ebs-csi.ts';
import { awsExternalDnsObjects } from './external-dns.ts';
import { iamAuthenticatorObjects } from './iam-authenticator.ts';
import { hasKarpenter } from '../karpenter-groups.ts';
import { karpenterObjects } from './karpenter.ts';
import { loadBalancerControllerObjects } from './load-balancer-controller.ts';
import { nodeTerminationHandlerObjects } from './node-termination-handler.ts';
import { podIdentityWebhookObjects } from './pod-identity-webhook.ts';
import { storageObjects } from './storage-classes.ts';

/** The addons of clusters in AWS, by kops's names. */
export const awsAddons: CloudAddons = {
  networks: {
    amazonvpc: { name: 'networking.amazon-vpc-routed-eni', id: 'k8s-1.16', objects: amazonVpcObjects },
  },
  controller: (facts) =>
    addonIf(facts.spec.cloudControllerManager !== undefined, 'aws-cloud-controller.addons.k8s.io', 'k8s-1.18', () =>
      cloudControllerObjects(facts),
    ),
  storage: (facts): readonly Addon[] => [
    ...addonIf(usesEbsCsi(facts), 'aws-ebs-csi-driver.addons.k8s.io', 'k8s-1.17', () => ebsCsiObjects(facts)),
    ...addonIf(facts.spec.cloudConfig?.manageStorageClasses, 'storage-aws.addons.k8s.io', 'v1.15.0', storageObjects),
  ],
  withRole: (facts, account, pod) =>
    account === 'cert-manager' && answersAcmeChallenges(facts) ? withRole(facts, account, pod) : pod,
  others: (facts, groups): readonly Addon[] => [
    ...addonIf(
      facts.spec.authentication?.aws !== undefined,
      'authentication.aws',
      'k8s-1.12',
      () => iamAuthenticatorObjects(facts, groups),
      { labels: { 'role.kubernetes.io/authentication': '1' } },
    ),
    ...addonIf(usesExternalDns(facts.spec), 'external-dns.addons.k8s.io', 'k8s-1.19', () =>
      awsExternalDnsObjects(facts),
    ),
    ...addonIf(facts.spec.podIdentityWebhook?.enabled, 'eks-pod-identity-webhook.addons.k8s.io', 'k8s-1.16', () =>
      podIdentityWebhookObjects(facts),
    ),
    ...addonIf(
      facts.spec.awsLoadBalancerController?.enabled,
      'aws-load-balancer-controller.addons.k8s.io',
      'k8s-1.19',
      () => loadBalancerControllerObjects(facts),
    ),
    ...addonIf(facts.spec.nodeTerminationHandler?.enabled, 'node-termination-handler.aws', 'k8s-1.11', () =>
      nodeTerminationHandlerObjects(facts),
    ),
    ...addonIf(hasKarpenter(facts.spec), 'karpenter.sh', 'k8s-1.19', () => karpenterObjects(facts)),
    ...addonIf(facts.spec.clusterAutoscaler?.enabled, 'cluster-autoscaler.addons.k8s.io', 'k8s-1.15', () =>
      awsAutoscalerObjects(facts, groups),
    ),
  ],
};

/** A driver that the user installs is not applied. */
function usesEbsCsi({ spec }: ClusterFacts): boolean {
  const driver = spec.cloudConfig?.awsEBSCSIDriver;
  return driver?.enabled === true && driver.managed === true;
}
