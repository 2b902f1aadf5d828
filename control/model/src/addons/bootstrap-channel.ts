import { createHash } from 'node:crypto';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { printObject, printObjects } from '@kopsctl/spec/print.ts';
import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { managedFile } from '../store/keysets.ts';
import { addonsFolder, channelPath } from '../store/places.ts';
import type { Addon } from './addon.ts';
import type { AddonObject } from './addon-object.ts';
import { labelsContainers, withMachineLabel } from './machine-label.ts';
import { runnableAddons } from './runnable-addons.ts';

interface Manifest {
  readonly addon: Omit<Addon, 'objects'>;
  readonly path: string;
  readonly text: string;
  /** Values that only the cloud or a secret knows; the machine that applies the manifest fills them in. */
  readonly needsFacts: readonly string[];
}

/** Adds the labels of an addon to an object (kops pkg/model/components/addonmanifests). */
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

const labelsOf = ({ metadata: { labels } }: AddonObject): JsonObject => (isRecord(labels) ? labels : {});

/** What protokube's leader has to fill in, by the placeholders of a manifest, such as `@{account}`. */
const factsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/@\{(\w+)\}/g)].flatMap(([, fact]) => fact ?? [])),
];

/** kops's addon for other objects in the user's files (upup/pkg/fi/cloudup/bootstrapchannelbuilder). */
const CLUSTER_ADDONS: Omit<Addon, 'objects'> = { name: 'cluster-addons.kops.k8s.io', id: 'v0.0.0' };

/**
 * The channel that protokube applies, and its manifests, as files of the state store.
 *
 * @param addonsOfMachines addons that depend on what machines boot with, and bring no pods
 * @param additionalObjects a manifest of other objects that the user wants in the cluster. kops stores an empty one where there are none
 */
export function bootstrapChannel(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
  additionalObjects: string | undefined,
  addonsOfMachines: readonly Addon[] = [],
): readonly Task[] {
  const isLabelled = labelsContainers(facts, groups);
  const place = ({ name, id }: Omit<Addon, 'objects'>) => `${name}/${id}.yaml`;
  const manifests: readonly Manifest[] = [
    ...[...runnableAddons(facts, groups).addons, ...addonsOfMachines].map((addon) => {
      const text = printObjects(
        addon.objects.map((object) => labelled(addon, isLabelled ? withMachineLabel(object) : object)),
      );
      return { addon, path: place(addon), text, needsFacts: addon.needsFacts ?? factsIn(text) };
    }),
    ...(additionalObjects === undefined || additionalObjects.trim() === ''
      ? []
      : [{ addon: CLUSTER_ADDONS, path: place(CLUSTER_ADDONS), text: additionalObjects, needsFacts: [] }]),
  ];
  const channel = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Addons',
    metadata: { name: 'bootstrap' },
    spec: {
      addons: manifests.map(({ addon, path, text, needsFacts }) => ({
        id: addon.id,
        manifest: path,
        manifestHash: createHash('sha256').update(text).digest('hex'),
        name: addon.name,
        ...(needsFacts.length === 0 ? {} : { needsFacts }),
        ...(addon.needsRollingUpdate === undefined ? {} : { needsRollingUpdate: addon.needsRollingUpdate }),
        selector: selectorOf(addon),
      })),
    },
  };
  return [
    ...manifests.map(({ addon, path, text }) =>
      managedFile(`addon-${addon.name}`, `${addonsFolder(facts)}/${path}`, text),
    ),
    managedFile('bootstrap-channel', channelPath(facts), printObject(channel)),
  ];
}
