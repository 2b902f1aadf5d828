import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { type Addon, addonIf } from './addon.ts';
import { acmeSolverImage, certManagerObjects, managesCertManager } from './cert-manager.ts';
import { corednsObjects } from './coredns.ts';
import { kubeDnsObjects } from './kube-dns.ts';
import { limitRangeObjects } from './limit-range.ts';
import { metricsServerObjects } from './metrics-server.ts';
import { gatewayClass } from './networking/cilium-gateway.ts';
import { networkAddons } from './networking/network-addons.ts';
import { nodeLocalDnsObjects } from './node-local-dns.ts';
import { nodeProblemDetectorObjects } from './node-problem-detector.ts';
import { rbacObjects } from './rbac.ts';
import { runtimeClasses } from './runtime-classes.ts';
import { snapshotControllerObjects } from './snapshot-controller.ts';

/** The addons of a cluster under kops's names, in the order in which they are applied. */
export function builtInAddons(facts: ClusterFacts, groups: readonly InstanceGroup[]): readonly Addon[] {
  const { spec } = facts;
  const { addons: own } = facts.cloud;
  return [
    { name: 'rbac.addons.k8s.io', id: 'k8s-1.8', objects: rbacObjects(facts.kubernetesVersion) },
    { name: 'limit-range.addons.k8s.io', id: 'v1.5.0', objects: limitRangeObjects() },
    // Pods without hostNetwork cannot start before this runs.
    ...networkAddons(facts),
    ...gatewayClass(facts),
    ...(own.controller?.(facts) ?? []),
    ...addonIf(spec.kubeDNS?.provider === 'CoreDNS', 'coredns.addons.k8s.io', 'k8s-1.12', () => corednsObjects(facts), {
      askedBy: 'spec.kubeDNS.provider',
    }),
    ...addonIf(
      spec.kubeDNS?.provider === 'KubeDNS',
      'kube-dns.addons.k8s.io',
      'k8s-1.12',
      () => kubeDnsObjects(facts),
      {
        askedBy: 'spec.kubeDNS.provider',
      },
    ),
    ...addonIf(
      spec.kubeDNS?.nodeLocalDNS?.enabled,
      'nodelocaldns.addons.k8s.io',
      'k8s-1.12',
      () => nodeLocalDnsObjects(facts),
      { askedBy: 'spec.kubeDNS.nodeLocalDNS.enabled' },
    ),
    // Other addons need certificates and cert-manager's kinds.
    ...addonIf(managesCertManager(spec), 'certmanager.io', 'k8s-1.16', () => certManagerObjects(facts), {
      askedBy: 'spec.certManager.enabled',
      starts: [acmeSolverImage(facts)],
    }),
    ...addonIf(
      spec.snapshotController?.enabled,
      'snapshot-controller.addons.k8s.io',
      'k8s-1.20',
      () => snapshotControllerObjects(facts),
      { askedBy: 'spec.snapshotController.enabled' },
    ),
    ...(own.storage?.(facts) ?? []),
    ...(own.others?.(facts, groups) ?? []),
    ...addonIf(
      spec.metricsServer?.enabled,
      'metrics-server.addons.k8s.io',
      'k8s-1.11',
      () => metricsServerObjects(facts),
      { askedBy: 'spec.metricsServer.enabled' },
    ),
    ...addonIf(
      spec.nodeProblemDetector?.enabled,
      'node-problem-detector.addons.k8s.io',
      'k8s-1.17',
      () => nodeProblemDetectorObjects(facts),
      { askedBy: 'spec.nodeProblemDetector.enabled' },
    ),
    ...runtimeClasses(facts, groups),
  ];
}
