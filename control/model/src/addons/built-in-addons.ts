import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { Addon } from './addon.ts';
import { cloudControllerObjects } from './aws/cloud-controller.ts';
import { clusterAutoscalerObjects } from './aws/cluster-autoscaler.ts';
import { ebsCsiObjects } from './aws/ebs-csi.ts';
import { externalDnsObjects, usesExternalDns } from './aws/external-dns.ts';
import { loadBalancerControllerObjects } from './aws/load-balancer-controller.ts';
import { nodeTerminationHandlerObjects } from './aws/node-termination-handler.ts';
import { podIdentityWebhookObjects } from './aws/pod-identity-webhook.ts';
import { storageObjects } from './aws/storage-classes.ts';
import { certManagerObjects, managesCertManager } from './cert-manager.ts';
import { corednsObjects } from './coredns.ts';
import { kubeDnsObjects } from './kube-dns.ts';
import { gceCloudControllerObjects } from './gce/cloud-controller.ts';
import { pdCsiObjects } from './gce/pd-csi.ts';
import { gceStorageObjects, usesPersistentDiskDriver } from './gce/storage-classes.ts';
import { limitRangeObjects } from './limit-range.ts';
import { answersClusterDns, localDnsObjects } from './local-dns.ts';
import { metricsServerObjects } from './metrics-server.ts';
import { networkAddons } from './networking/network-addons.ts';
import { nodeLocalDnsObjects } from './node-local-dns.ts';
import { nodeProblemDetectorObjects } from './node-problem-detector.ts';
import { rbacObjects } from './rbac.ts';
import { snapshotControllerObjects } from './snapshot-controller.ts';

/** A driver that a person brings is not ours to apply. */
function usesEbsCsi({ spec }: ClusterFacts): boolean {
  const driver = spec.cloudConfig?.awsEBSCSIDriver;
  return driver?.enabled === true && driver.managed !== false;
}

/** A cluster's addons, by kops's names, in the order in which they are applied: what others need comes first. */
export function builtInAddons(facts: ClusterFacts, groups: readonly InstanceGroup[]): readonly Addon[] {
  const { spec, cloud } = facts;
  const addon = (isWanted: boolean, name: string, id: string, objects: () => Addon['objects']): readonly Addon[] =>
    isWanted ? [{ name, id, objects: objects() }] : [];
  const onAws = (isWanted: boolean | undefined): boolean => cloud === 'aws' && isWanted === true;
  const onGce = (isWanted: boolean | undefined): boolean => cloud === 'gce' && isWanted === true;
  return [
    { name: 'rbac.addons.k8s.io', id: 'k8s-1.8', objects: rbacObjects() },
    { name: 'limit-range.addons.k8s.io', id: 'v1.5.0', objects: limitRangeObjects() },
    // Nothing that is not on the machines' own network starts before this runs.
    ...networkAddons(facts),
    ...addon(onAws(spec.cloudControllerManager !== undefined), 'aws-cloud-controller.addons.k8s.io', 'k8s-1.18', () =>
      cloudControllerObjects(facts),
    ),
    ...addon(onGce(spec.cloudControllerManager !== undefined), 'gcp-cloud-controller.addons.k8s.io', 'k8s-1.23', () =>
      gceCloudControllerObjects(facts),
    ),
    ...addon(answersClusterDns(facts), 'coredns.addons.k8s.io', 'local', () => localDnsObjects(facts)),
    // Local machines have no image of it.
    ...addon(cloud !== 'local' && spec.kubeDNS?.provider === 'CoreDNS', 'coredns.addons.k8s.io', 'k8s-1.12', () =>
      corednsObjects(facts),
    ),
    ...addon(cloud !== 'local' && spec.kubeDNS?.provider === 'KubeDNS', 'kube-dns.addons.k8s.io', 'k8s-1.12', () =>
      kubeDnsObjects(facts),
    ),
    ...addon(
      cloud !== 'local' && spec.kubeDNS?.nodeLocalDNS?.enabled === true,
      'nodelocaldns.addons.k8s.io',
      'k8s-1.12',
      () => nodeLocalDnsObjects(facts),
    ),
    // Others wait for certificates, and for the kinds that it brings.
    ...addon(managesCertManager(spec), 'certmanager.io', 'k8s-1.16', () => certManagerObjects(facts)),
    ...addon(spec.snapshotController?.enabled === true, 'snapshot-controller.addons.k8s.io', 'k8s-1.20', () =>
      snapshotControllerObjects(facts),
    ),
    ...addon(onAws(usesEbsCsi(facts)), 'aws-ebs-csi-driver.addons.k8s.io', 'k8s-1.17', () => ebsCsiObjects(facts)),
    ...addon(onAws(spec.cloudConfig?.manageStorageClasses), 'storage-aws.addons.k8s.io', 'v1.15.0', storageObjects),
    ...addon(onGce(usesPersistentDiskDriver(facts)), 'gcp-pd-csi-driver.addons.k8s.io', 'k8s-1.23', () =>
      pdCsiObjects(facts),
    ),
    ...addon(onGce(spec.cloudConfig?.manageStorageClasses), 'storage-gce.addons.k8s.io', 'v1.7.0', () =>
      gceStorageObjects(facts),
    ),
    ...addon(onAws(usesExternalDns(facts)), 'external-dns.addons.k8s.io', 'k8s-1.19', () => externalDnsObjects(facts)),
    ...addon(onAws(spec.podIdentityWebhook?.enabled), 'eks-pod-identity-webhook.addons.k8s.io', 'k8s-1.16', () =>
      podIdentityWebhookObjects(facts),
    ),
    ...addon(
      onAws(spec.awsLoadBalancerController?.enabled),
      'aws-load-balancer-controller.addons.k8s.io',
      'k8s-1.19',
      () => loadBalancerControllerObjects(facts),
    ),
    ...addon(onAws(spec.nodeTerminationHandler?.enabled), 'node-termination-handler.aws', 'k8s-1.11', () =>
      nodeTerminationHandlerObjects(facts),
    ),
    ...addon(onAws(spec.clusterAutoscaler?.enabled), 'cluster-autoscaler.addons.k8s.io', 'k8s-1.15', () =>
      clusterAutoscalerObjects(facts, groups),
    ),
    ...addon(spec.metricsServer?.enabled === true, 'metrics-server.addons.k8s.io', 'k8s-1.11', () =>
      metricsServerObjects(facts),
    ),
    ...addon(spec.nodeProblemDetector?.enabled === true, 'node-problem-detector.addons.k8s.io', 'k8s-1.17', () =>
      nodeProblemDetectorObjects(facts),
    ),
  ];
}
