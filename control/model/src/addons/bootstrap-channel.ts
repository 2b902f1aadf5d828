import { createHash } from 'node:crypto';
import { printObject, printObjects } from '@kopsctl/spec/print.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { managedFile } from '../keysets.ts';
import type { AddonObject } from './addon-object.ts';
import { limitRangeObjects } from './limit-range.ts';
import { rbacObjects } from './rbac.ts';

interface Addon {
  /** kops's name of it, which also names its folder. */
  readonly name: string;
  readonly id: string;
  readonly objects: readonly AddonObject[];
}

const ADDONS: readonly Addon[] = [
  { name: 'rbac.addons.k8s.io', id: 'k8s-1.8', objects: rbacObjects() },
  { name: 'limit-range.addons.k8s.io', id: 'v1.5.0', objects: limitRangeObjects() },
];

/** Marks an addon's objects (kops pkg/model/components/addonmanifests). */
function labelled(addon: Addon, object: AddonObject): AddonObject {
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: {
        'addon.kops.k8s.io/name': addon.name,
        'app.kubernetes.io/managed-by': 'kops',
        'k8s-addon': addon.name,
      },
    },
  };
}

/** kops's name for the objects that a person put beside the Cluster (upup/pkg/fi/cloudup/bootstrapchannelbuilder). */
const CLUSTER_ADDONS = { name: 'cluster-addons.kops.k8s.io', id: 'v0.0.0' };

/**
 * The channel that protokube keeps applied, and the manifests it points at, as files of the state store.
 *
 * @param additionalObjects a manifest of objects that a person wants in the cluster as well
 */
export function bootstrapChannel(additionalObjects: string | undefined): readonly Task[] {
  const place = ({ name, id }: { readonly name: string; readonly id: string }) => `${name}/${id}.yaml`;
  const manifests = [
    ...ADDONS.map((addon) => ({
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
        selector: { 'k8s-addon': addon.name },
      })),
    },
  };
  return [
    ...manifests.map(({ addon, path, text }) => managedFile(`addon-${addon.name}`, `addons/${path}`, text)),
    managedFile('bootstrap-channel', 'addons/bootstrap-channel.yaml', printObject(channel)),
  ];
}
