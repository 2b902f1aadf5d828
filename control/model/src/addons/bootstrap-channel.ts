import { createHash } from 'node:crypto';
import { printObject, printObjects } from '@kopsctl/spec/print.ts';
import { isObject } from '@kopsctl/tasks/references.ts';
import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { managedFile } from '../keysets.ts';
import type { Addon } from './addon.ts';
import type { AddonObject } from './addon-object.ts';
import { cloudControllerObjects, storageObjects } from './aws.ts';
import { corednsObjects } from './coredns.ts';
import { ebsCsiObjects } from './ebs-csi.ts';
import { answersClusterDns, localDnsObjects } from './local-dns.ts';
import { limitRangeObjects } from './limit-range.ts';
import { networkAddons } from './networking/network-addons.ts';
import { rbacObjects } from './rbac.ts';

/** A driver that a person brings is not ours to apply. */
function usesEbsCsi({ spec }: ClusterFacts): boolean {
  const driver = spec.cloudConfig?.awsEBSCSIDriver;
  return driver?.enabled === true && driver.managed !== false;
}

/** A cluster's addons, by kops's names, in the order in which they are applied. */
export function builtInAddons(facts: ClusterFacts): readonly Addon[] {
  const { spec, cloud } = facts;
  return [
    { name: 'rbac.addons.k8s.io', id: 'k8s-1.8', objects: rbacObjects() },
    { name: 'limit-range.addons.k8s.io', id: 'v1.5.0', objects: limitRangeObjects() },
    // Nothing that is not on the machines' own network starts before this runs.
    ...networkAddons(facts),
    ...(cloud === 'aws' && spec.cloudControllerManager !== undefined
      ? [{ name: 'aws-cloud-controller.addons.k8s.io', id: 'k8s-1.18', objects: cloudControllerObjects(facts) }]
      : []),
    ...(answersClusterDns(facts)
      ? [{ name: 'coredns.addons.k8s.io', id: 'local', objects: localDnsObjects(facts) }]
      : []),
    // Local machines have no image of it.
    ...(cloud !== 'local' && spec.kubeDNS?.provider === 'CoreDNS'
      ? [{ name: 'coredns.addons.k8s.io', id: 'k8s-1.12', objects: corednsObjects(facts) }]
      : []),
    ...(cloud === 'aws' && usesEbsCsi(facts)
      ? [{ name: 'aws-ebs-csi-driver.addons.k8s.io', id: 'k8s-1.17', objects: ebsCsiObjects(facts) }]
      : []),
    ...(cloud === 'aws' && spec.cloudConfig?.manageStorageClasses === true
      ? [{ name: 'storage-aws.addons.k8s.io', id: 'v1.15.0', objects: storageObjects() }]
      : []),
  ];
}

/** Marks an addon's objects (kops pkg/model/components/addonmanifests). */
function labelled(addon: Addon, object: AddonObject): AddonObject {
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: {
        ...labelsOf(object),
        'addon.kops.k8s.io/name': addon.name,
        'app.kubernetes.io/managed-by': 'kops',
        ...selectorOf(addon),
      },
    },
  };
}

const selectorOf = ({ name, labels }: Pick<Addon, 'name' | 'labels'>) => labels ?? { 'k8s-addon': name };

const labelsOf = ({ metadata: { labels } }: AddonObject): JsonObject => (isObject(labels) ? labels : {});

/** kops's name for the objects that a person put beside the Cluster (upup/pkg/fi/cloudup/bootstrapchannelbuilder). */
const CLUSTER_ADDONS: Omit<Addon, 'objects'> = { name: 'cluster-addons.kops.k8s.io', id: 'v0.0.0' };

/**
 * The channel that protokube keeps applied, and the manifests it points at, as files of the state store.
 *
 * @param additionalObjects a manifest of objects that a person wants in the cluster as well
 */
export function bootstrapChannel(facts: ClusterFacts, additionalObjects: string | undefined): readonly Task[] {
  const place = ({ name, id }: Omit<Addon, 'objects'>) => `${name}/${id}.yaml`;
  const manifests: readonly { addon: Omit<Addon, 'objects'>; path: string; text: string }[] = [
    ...builtInAddons(facts).map((addon) => ({
      addon,
      path: place(addon),
      text: printObjects(addon.objects.map((object) => labelled(addon, object))),
    })),
    ...(additionalObjects === undefined
      ? []
      : [{ addon: CLUSTER_ADDONS, path: place(CLUSTER_ADDONS), text: additionalObjects }]),
  ];
  const channel = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Addons',
    metadata: { name: 'bootstrap' },
    spec: {
      addons: manifests.map(({ addon, path, text }) => ({
        id: addon.id,
        manifest: path,
        manifestHash: createHash('sha256').update(text).digest('hex'),
        name: addon.name,
        ...(addon.needsRollingUpdate === undefined ? {} : { needsRollingUpdate: addon.needsRollingUpdate }),
        selector: selectorOf(addon),
      })),
    },
  };
  return [
    ...manifests.map(({ addon, path, text }) => managedFile(`addon-${addon.name}`, `addons/${path}`, text)),
    managedFile('bootstrap-channel', 'addons/bootstrap-channel.yaml', printObject(channel)),
  ];
}
