import { bindClusterRole, clusterRole, roleIn, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { SNAPSHOTS } from '@kopsctl/model/addons/snapshot-controller.ts';

export const NAMESPACE = 'gce-pd-csi-driver';
export const CONTROLLER = 'csi-gce-pd-controller-sa';
export const NODE = 'csi-gce-pd-node-sa';

const READ = ['get', 'list', 'watch'];
const EVENTS: Rule = { group: '', resources: ['events'], verbs: ['list', 'watch', 'create', 'update', 'patch'] };
/** Available from Kubernetes 1.34 on; older versions accept a role that names it. */
const ATTRIBUTE_CLASSES: Rule = { group: 'storage.k8s.io', resources: ['volumeattributesclasses'], verbs: READ };

interface Role {
  readonly name: string;
  readonly rules: readonly Rule[];
  /**
   * Service accounts by the names of their bindings. The names are those of kops, because the roleRef of a binding is
   * immutable.
   */
  readonly bindings: Readonly<Record<string, string>>;
}

/**
 * A role for each sidecar of the controller (kubernetes-csi.github.io, "Sidecars"), and for what the driver itself
 * reads.
 */
const ROLES: readonly Role[] = [
  {
    name: 'csi-gce-pd-attacher-role',
    bindings: { 'csi-gce-pd-controller-attacher-binding': CONTROLLER },
    rules: [
      { group: '', resources: ['persistentvolumes'], verbs: [...READ, 'update', 'patch'] },
      { group: '', resources: ['nodes'], verbs: READ },
      { group: 'storage.k8s.io', resources: ['csinodes'], verbs: READ },
      { group: 'storage.k8s.io', resources: ['volumeattachments'], verbs: [...READ, 'update', 'patch'] },
      { group: 'storage.k8s.io', resources: ['volumeattachments/status'], verbs: ['patch'] },
    ],
  },
  {
    name: 'csi-gce-pd-provisioner-role',
    bindings: { 'csi-gce-pd-controller-provisioner-binding': CONTROLLER },
    rules: [
      { group: '', resources: ['persistentvolumes'], verbs: [...READ, 'create', 'delete'] },
      { group: '', resources: ['persistentvolumeclaims'], verbs: [...READ, 'update'] },
      { group: '', resources: ['nodes'], verbs: READ },
      { group: 'storage.k8s.io', resources: ['storageclasses', 'csinodes', 'volumeattachments'], verbs: READ },
      ATTRIBUTE_CLASSES,
      { group: SNAPSHOTS, resources: ['volumesnapshots', 'volumesnapshotcontents'], verbs: ['get', 'list'] },
      EVENTS,
    ],
  },
  {
    name: 'csi-gce-pd-resizer-role',
    bindings: { 'csi-gce-pd-resizer-binding': CONTROLLER },
    rules: [
      { group: '', resources: ['persistentvolumes'], verbs: [...READ, 'update', 'patch'] },
      { group: '', resources: ['persistentvolumeclaims', 'pods'], verbs: READ },
      { group: '', resources: ['persistentvolumeclaims/status'], verbs: ['update', 'patch'] },
      ATTRIBUTE_CLASSES,
      EVENTS,
    ],
  },
  {
    name: 'csi-gce-pd-node-deploy',
    bindings: { 'csi-gce-pd-controller': CONTROLLER, 'csi-gce-pd-node': NODE },
    // Labels of the Node say how many volumes a machine supports, and whether it has a cache for them.
    rules: [{ group: '', resources: ['nodes'], verbs: ['get', 'list'] }],
  },
];

const SNAPSHOTTER: Role = {
  name: 'csi-gce-pd-snapshotter-role',
  bindings: { 'csi-gce-pd-controller-snapshotter-binding': CONTROLLER },
  rules: [
    { group: SNAPSHOTS, resources: ['volumesnapshotclasses'], verbs: READ },
    {
      group: SNAPSHOTS,
      resources: ['volumesnapshotcontents'],
      verbs: [...READ, 'create', 'update', 'delete', 'patch'],
    },
    { group: SNAPSHOTS, resources: ['volumesnapshotcontents/status'], verbs: ['update', 'patch'] },
    EVENTS,
  ],
};

/** The service accounts of the GCE storage driver and their permissions. */
export const pdCsiAccess = (takesSnapshots: boolean): readonly AddonObject[] => [
  ...[CONTROLLER, NODE].map((name): AddonObject => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: NAMESPACE },
  })),
  ...[...ROLES, ...(takesSnapshots ? [SNAPSHOTTER] : [])].flatMap(({ name, rules, bindings }) => [
    clusterRole(name, rules),
    ...Object.entries(bindings).map(([binding, holder]) => bindClusterRole(binding, name, holder, NAMESPACE)),
  ]),
  ...roleIn(
    'csi-gce-pd-leaderelection-role',
    CONTROLLER,
    [{ group: 'coordination.k8s.io', resources: ['leases'], verbs: [...READ, 'create', 'update', 'delete'] }],
    { namespace: NAMESPACE, binding: 'csi-gce-pd-controller-leaderelection-binding' },
  ),
];
