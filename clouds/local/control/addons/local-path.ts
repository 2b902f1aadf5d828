import { printObject } from '@kopsctl/spec/print.ts';
import { accountWith, roleIn } from '@kopsctl/model/addons/access.ts';
import type { Addon } from '@kopsctl/model/addons/addon.ts';
import { addonIf } from '@kopsctl/model/addons/addon.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { ON_CONTROL_PLANES } from '@kopsctl/model/addons/control-plane-only.ts';
import { fieldVariable } from '@kopsctl/model/addons/pod-parts.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { DEFAULT_SYSTEM_CALLS, NOBODY, runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

const NAMESPACE = 'local-path-storage';
const NAME = 'local-path-provisioner';
const CONFIG = 'local-path-config';
export const LOCAL_PATH_IMAGE = 'docker.io/rancher/local-path-provisioner:v0.0.30';
/** The image of the pods that create and delete the folder of a volume. */
const HELPER_IMAGE = 'docker.io/library/busybox:1.37.0';
/** The folder of volumes on a machine. It exists as long as the machine does. */
const FOLDER = '/opt/local-path-provisioner';
/** The service account of those pods. They run on every machine, so it has no rights. */
const HELPER = 'local-path-helper';
const LABELS = { app: NAME };
const READ = ['get', 'list', 'watch'];
const WRITE = [...READ, 'create', 'delete', 'patch', 'update'];

/** Dynamic volumes in folders of the machines (github.com/rancher/local-path-provisioner), as the default StorageClass. */
export const localStorage = ({ spec }: ClusterFacts): readonly Addon[] =>
  addonIf(spec.cloudConfig?.manageStorageClasses, 'storage-local.addons.k8s.io', 'k8s-1.20', localPathObjects, {
    askedBy: 'spec.cloudConfig.manageStorageClasses',
    starts: [HELPER_IMAGE],
  });

const localPathObjects = (): readonly AddonObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  ...accountWith(
    NAME,
    NAME,
    [
      { group: '', resources: ['configmaps', 'nodes', 'persistentvolumeclaims', 'pods', 'pods/log'], verbs: READ },
      { group: '', resources: ['persistentvolumes'], verbs: WRITE },
      { group: '', resources: ['events'], verbs: ['create', 'patch'] },
      { group: 'storage.k8s.io', resources: ['storageclasses'], verbs: READ },
    ],
    NAMESPACE,
  ),
  ...roleIn(NAME, NAME, [{ group: '', resources: ['pods'], verbs: WRITE }], { namespace: NAMESPACE }),
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: HELPER, namespace: NAMESPACE },
    automountServiceAccountToken: false,
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'local-path', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'rancher.io/local-path',
    reclaimPolicy: 'Delete',
    // The volume is created on the machine that the pod is scheduled to.
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CONFIG, namespace: NAMESPACE },
    data: {
      'config.json': JSON.stringify({ nodePathMap: [{ node: 'DEFAULT_PATH_FOR_NON_LISTED_NODES', paths: [FOLDER] }] }),
      setup: '#!/bin/sh\nset -eu\nmkdir -m 0777 -p "$VOL_DIR"\n',
      teardown: '#!/bin/sh\nset -eu\nrm -rf "$VOL_DIR"\n',
      'helperPod.yaml': printObject(HELPER_POD),
    },
  },
  deployment(),
];

/** Only root may create folders there, and delete files of all users. */
const HELPER_POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'helper-pod' },
  spec: {
    priorityClassName: 'system-node-critical',
    securityContext: DEFAULT_SYSTEM_CALLS,
    tolerations: [{ key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' }],
    containers: [
      {
        name: 'helper-pod',
        image: HELPER_IMAGE,
        imagePullPolicy: 'IfNotPresent',
        securityContext: {
          ...UNPRIVILEGED,
          capabilities: { add: ['DAC_OVERRIDE', 'FOWNER'], drop: ['ALL'] },
          runAsUser: 0,
        },
      },
    ],
  },
};

function deployment(): AddonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS },
    spec: {
      replicas: 1,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          securityContext: runAs(NOBODY),
          serviceAccountName: NAME,
          // A volume of its making can be any folder of a machine.
          ...ON_CONTROL_PLANES,
          containers: [
            {
              name: NAME,
              image: LOCAL_PATH_IMAGE,
              imagePullPolicy: 'IfNotPresent',
              command: [NAME, 'start', '--config=/etc/config/config.json', `--service-account-name=${HELPER}`],
              env: [
                fieldVariable('POD_NAMESPACE', 'metadata.namespace'),
                // It watches this folder for changes of its configuration.
                { name: 'CONFIG_MOUNT_PATH', value: '/etc/config/' },
              ],
              resources: { requests: { cpu: '10m', memory: '20Mi' } },
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: '/etc/config', name: 'config-volume', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config-volume', configMap: { name: CONFIG } }],
        },
      },
    },
  };
}
