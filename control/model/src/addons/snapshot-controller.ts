import type { ClusterFacts } from '../cluster-facts.ts';
import { accountWith, roleIn } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { byKubernetes, type ByKubernetes } from './by-kubernetes.ts';
import { customKind } from './custom-kind.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { spread } from './pod-parts.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '../pod-security.ts';

export const SNAPSHOTS = 'snapshot.storage.k8s.io';
const NAME = 'snapshot-controller';
const LABELS = { app: NAME };
const READ = ['get', 'list', 'watch'];
/** Kubernetes accepts CustomResourceDefinitions in groups of its own only with a link to their API review. */
const APPROVAL = {
  'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814',
};

const IMAGES: ByKubernetes<string> = [
  { since: '1.20.0', use: 'registry.k8s.io/sig-storage/snapshot-controller:v6.2.1' },
  { since: '1.25.0', use: 'registry.k8s.io/sig-storage/snapshot-controller:v8.0.1' },
  { since: '1.32.0', use: 'registry.k8s.io/sig-storage/snapshot-controller:v8.5.0' },
];

export const snapshotControllerImage = (kubernetesVersion: string): string => byKubernetes(IMAGES, kubernetesVersion);

/** The CustomResourceDefinitions of volume snapshots and their controller (kops addon snapshot-controller.addons.k8s.io). */
export function snapshotControllerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const { cloud, kubernetes, kubernetesVersion, spec } = facts;
  const snapshotClass = cloud.snapshotClass?.(facts);
  const kind = (name: string, scope: 'Cluster' | 'Namespaced', plural: string, shortNames: readonly string[]) =>
    customKind({
      group: SNAPSHOTS,
      kind: name,
      plural,
      scope,
      shortNames,
      hasStatus: name !== 'VolumeSnapshotClass',
      annotations: APPROVAL,
    });
  return [
    kind('VolumeSnapshot', 'Namespaced', 'volumesnapshots', ['vs']),
    kind('VolumeSnapshotClass', 'Cluster', 'volumesnapshotclasses', ['vsclass', 'vsclasses']),
    kind('VolumeSnapshotContent', 'Cluster', 'volumesnapshotcontents', ['vsc', 'vscs']),
    ...accountWith(NAME, 'snapshot-controller-runner', [
      { group: '', resources: ['nodes', 'persistentvolumes'], verbs: READ },
      { group: '', resources: ['persistentvolumeclaims'], verbs: [...READ, 'update'] },
      { group: '', resources: ['events'], verbs: ['create', 'list', 'patch', 'update', 'watch'] },
      { group: SNAPSHOTS, resources: ['volumesnapshotclasses'], verbs: READ },
      {
        group: SNAPSHOTS,
        resources: ['volumesnapshotcontents', 'volumesnapshots'],
        verbs: [...READ, 'create', 'delete', 'patch', 'update'],
      },
      {
        group: SNAPSHOTS,
        resources: ['volumesnapshotcontents/status', 'volumesnapshots/status'],
        verbs: ['patch', 'update'],
      },
    ]),
    ...roleIn('snapshot-controller-leaderelection', NAME, [
      { group: 'coordination.k8s.io', resources: ['leases'], verbs: [...READ, 'create', 'delete', 'patch', 'update'] },
    ]),
    disruptionBudget(kubernetes, NAME, LABELS),
    deployment(kubernetesVersion),
    ...(spec.snapshotController?.installDefaultClass === true && snapshotClass !== undefined
      ? [
          {
            apiVersion: `${SNAPSHOTS}/v1`,
            kind: 'VolumeSnapshotClass',
            metadata: {
              name: snapshotClass.name,
              annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' },
            },
            driver: snapshotClass.driver,
            deletionPolicy: 'Delete',
          },
        ]
      : []),
  ];
}

function deployment(kubernetesVersion: string): AddonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
    spec: {
      replicas: 2,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          priorityClassName: 'system-cluster-critical',
          securityContext: runAs(NOBODY),
          serviceAccountName: NAME,
          topologySpreadConstraints: spread(LABELS),
          containers: [
            {
              name: NAME,
              image: snapshotControllerImage(kubernetesVersion),
              imagePullPolicy: 'IfNotPresent',
              args: ['--leader-election=true', '--leader-election-namespace=kube-system', '--v=2'],
              resources: { requests: { cpu: '10m', memory: '20Mi' } },
              securityContext: UNPRIVILEGED,
            },
          ],
        },
      },
    },
  };
}
