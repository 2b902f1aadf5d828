import { describe, expect, test } from 'vitest';
import semver from 'semver';
import type { AddonObject } from './addon-object.ts';
import { builtInAddons } from './built-in-addons.ts';
import { awsFacts, GROUPS } from './testdata/aws-facts.ts';
import { localFacts } from './testdata/local-facts.ts';
import {
  EVERY_ADDON,
  EVERY_ADDON_ON_GCE,
  EVERY_ADDON_ON_LOCAL,
  KUBERNETES_VERSIONS,
  NETWORKS,
  OWN_ROLES,
} from './testdata/specs.ts';

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
const items = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => fields(inner)[key], value);

/** The text there; empty where there is none. */
const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

const nameOf = ({ metadata }: AddonObject): string => textAt(metadata, 'name');
const namespaceOf = ({ metadata }: AddonObject): string => textAt(metadata, 'namespace');
const idOf = (object: AddonObject): string =>
  [object.apiVersion.replace(/\/?[^/]+$/, ''), object.kind, namespaceOf(object), nameOf(object)].join(' ');

/** The kinds without a namespace, among those that addons bring. */
const OF_THE_CLUSTER = new Set([
  'APIService',
  'CSIDriver',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'GatewayClass',
  'IngressClass',
  'IngressClassParams',
  'MutatingWebhookConfiguration',
  'Namespace',
  'PriorityClass',
  'StorageClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'VolumeSnapshotClass',
]);

/** Kinds that people bring, as the documentation of the field says. */
const BROUGHT = new Set(['gateway.networking.k8s.io/v1']);

/** What each Kubernetes serves (its API deprecation guide); a version of an API not listed is served by all. */
const SERVED: readonly { readonly kind: string; readonly apiVersion: string; readonly range: string }[] = [
  { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1beta1', range: '<1.25' },
  { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', range: '>=1.21' },
  { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1', range: '>=1.16' },
  { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', range: '>=1.21' },
  { kind: 'ValidatingAdmissionPolicy', apiVersion: 'admissionregistration.k8s.io/v1', range: '>=1.30' },
  { kind: 'ValidatingAdmissionPolicyBinding', apiVersion: 'admissionregistration.k8s.io/v1', range: '>=1.30' },
];
const ALWAYS_SERVED = new Set([
  'v1',
  'apps/v1',
  'rbac.authorization.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'storage.k8s.io/v1',
  'networking.k8s.io/v1',
  'apiregistration.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
]);

/** Objects of Kubernetes itself, or of machines, that addons refer to. */
const SYSTEM_ROLES = /^(system:|extension-apiserver-authentication-reader$|cluster-admin$)/;
const SYSTEM_SUBJECTS = new Set(['User', 'Group']);

const POD_KINDS = new Set(['DaemonSet', 'Deployment', 'StatefulSet']);
const containersOf = (pod: unknown): readonly Fields[] => [
  ...items(at(pod, 'initContainers')),
  ...items(at(pod, 'containers')),
];

/** Every fault of a cluster's addons. */
function faultsOf(objects: readonly AddonObject[], kubernetesVersion: string): readonly string[] {
  const has = new Set(objects.map(idOf));
  const defined = new Map(
    objects
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map((object) => [`${textAt(object, 'spec', 'group')} ${textAt(object, 'spec', 'names', 'kind')}`, object]),
  );
  return objects.flatMap((object) => {
    const say = (what: string): string => `${idOf(object)}: ${what}`;
    return [
      ...shapeFaults(object, kubernetesVersion, defined).map(say),
      ...(POD_KINDS.has(object.kind) ? podFaults(object, objects, has).map(say) : []),
      ...(object.kind.endsWith('RoleBinding') ? bindingFaults(object, has).map(say) : []),
      ...(object.kind === 'Service' || object.kind === 'PodDisruptionBudget'
        ? selectorFaults(object, objects).map(say)
        : []),
    ];
  });
}

function shapeFaults(
  object: AddonObject,
  kubernetesVersion: string,
  defined: ReadonlyMap<string, AddonObject>,
): readonly string[] {
  const { apiVersion, kind } = object;
  const [group = ''] = apiVersion.split('/');
  const served = SERVED.filter((one) => one.kind === kind);
  const isServed =
    served.length > 0
      ? served.some((one) => one.apiVersion === apiVersion && semver.satisfies(kubernetesVersion, one.range))
      : ALWAYS_SERVED.has(apiVersion) || BROUGHT.has(apiVersion) || defined.has(`${group} ${kind}`);
  const isNamespaced = defined.has(`${group} ${kind}`)
    ? at(defined.get(`${group} ${kind}`), 'spec', 'scope') === 'Namespaced'
    : !OF_THE_CLUSTER.has(kind);
  return [
    ...(isServed ? [] : [`${apiVersion} is not served by ${kubernetesVersion}`]),
    ...(nameOf(object) === '' ? ['it has no name'] : []),
    ...(isNamespaced === (namespaceOf(object) !== '') ? [] : [`namespace '${namespaceOf(object)}'`]),
    ...(/undefined|\[object|NaN/.test(JSON.stringify(object)) ? ['a value is undefined'] : []),
  ];
}

function podFaults(object: AddonObject, objects: readonly AddonObject[], has: ReadonlySet<string>): readonly string[] {
  const template = at(object, 'spec', 'template');
  const labels = fields(at(template, 'metadata', 'labels'));
  const pod = at(template, 'spec');
  const namespace = namespaceOf(object);
  const volumes = new Set(items(at(pod, 'volumes')).map((volume) => textAt(volume, 'name')));
  const mounted = containersOf(pod).flatMap(({ volumeMounts }) =>
    items(volumeMounts).map((mount) => textAt(mount, 'name')),
  );
  const account = textAt(pod, 'serviceAccountName');
  const wantedMaps = [
    ...items(at(pod, 'volumes'))
      .filter((volume) => at(volume, 'configMap', 'optional') !== true)
      .map((volume) => textAt(volume, 'configMap', 'name')),
    ...containersOf(pod)
      .flatMap(({ env }) => items(env))
      .map((variable) => at(variable, 'valueFrom', 'configMapKeyRef'))
      .filter((ref) => at(ref, 'optional') !== true)
      .map((ref) => textAt(ref, 'name')),
  ].filter((name) => name !== '');
  const secrets = items(at(pod, 'volumes'))
    .filter((volume) => at(volume, 'secret', 'optional') !== true)
    .map((volume) => textAt(volume, 'secret', 'secretName'))
    .filter((name) => name !== '');
  const made = new Set([
    ...objects.filter(({ kind }) => kind === 'Certificate').map((one) => textAt(one, 'spec', 'secretName')),
    ...objects.filter(({ kind }) => kind === 'Secret').map((one) => textAt(one, 'metadata', 'name')),
  ]);
  return [
    ...Object.entries(fields(at(object, 'spec', 'selector', 'matchLabels')))
      .filter(([key, value]) => labels[key] !== value)
      .map(([key]) => `its selector's ${key} is not a label of its pods`),
    ...mounted.filter((name) => !volumes.has(name)).map((name) => `volume ${name} does not exist`),
    ...[...volumes].filter((name) => !mounted.includes(name)).map((name) => `volume ${name} is not used`),
    ...(account === '' || has.has(` ServiceAccount ${namespace} ${account}`)
      ? []
      : [`account ${account} does not exist`]),
    ...wantedMaps
      .filter((name) => !has.has(` ConfigMap ${namespace} ${name}`))
      .map((name) => `ConfigMap ${name} does not exist`),
    ...secrets.filter((name) => !made.has(name)).map((name) => `nobody makes the Secret ${name}`),
    ...containersOf(pod)
      .map((container) => textAt(container, 'image'))
      .filter((image) => !/^[\w.-]+(:\d+)?\/[\w./-]+(:[\w.-]+|@sha256:\w+)$/.test(image))
      .map((image) => `image ${image} says not where it is and of which version`),
    ...containersOf(pod)
      .flatMap(({ env }) => items(env))
      .filter(({ name, value }) => typeof name !== 'string' || (value !== undefined && typeof value !== 'string'))
      .map((variable) => `variable ${textAt(variable, 'name')} is not text`),
  ];
}

function bindingFaults(object: AddonObject, has: ReadonlySet<string>): readonly string[] {
  const role = textAt(object, 'roleRef', 'name');
  const kind = textAt(object, 'roleRef', 'kind');
  const namespace = kind === 'Role' ? namespaceOf(object) : '';
  return [
    ...(SYSTEM_ROLES.test(role) || has.has(`rbac.authorization.k8s.io ${kind} ${namespace} ${role}`)
      ? []
      : [`${kind} ${role} does not exist`]),
    ...items(at(object, 'subjects'))
      .filter((one) => !SYSTEM_SUBJECTS.has(textAt(one, 'kind')))
      .filter((one) => !has.has(` ServiceAccount ${textAt(one, 'namespace')} ${textAt(one, 'name')}`))
      .map((one) => `account ${textAt(one, 'name')} does not exist`),
  ];
}

/** A selector has to match at least one pod. */
function selectorFaults(object: AddonObject, objects: readonly AddonObject[]): readonly string[] {
  const wanted =
    object.kind === 'Service' ? at(object, 'spec', 'selector') : at(object, 'spec', 'selector', 'matchLabels');
  if (wanted === undefined) return [];
  const selects = objects
    .filter(({ kind }) => POD_KINDS.has(kind))
    .filter((one) => namespaceOf(one) === namespaceOf(object))
    .some((one) => {
      const labels = fields(at(one, 'spec', 'template', 'metadata', 'labels'));
      return Object.entries(fields(wanted)).every(([key, value]) => labels[key] === value);
    });
  return selects ? [] : ['it selects no pods'];
}

function objectsOf(spec: Parameters<typeof awsFacts>[0]): readonly AddonObject[] {
  return builtInAddons(awsFacts(spec), GROUPS).flatMap(({ objects }) => objects);
}

describe.each(KUBERNETES_VERSIONS)('with Kubernetes %s', (kubernetesVersion) => {
  // Components get roles of their own in the same way with every network, except those of AWS, which get some too.
  const withRoles = ['amazonvpc', 'cilium in the VPC', 'cni'];
  const specs = Object.entries(NETWORKS).flatMap(([name, networking]) => [
    [name, { ...EVERY_ADDON, networking, kubernetesVersion }] as const,
    ...(withRoles.includes(name)
      ? [[`${name}, with roles`, { ...OWN_ROLES, networking, kubernetesVersion }] as const]
      : []),
  ]);
  test.each(specs)('every object is well-formed with %s', (_, spec) => {
    const objects = objectsOf(spec);
    expect(objects.length).toBeGreaterThan(10);
    expect(faultsOf(objects, kubernetesVersion)).toEqual([]);
    const ids = objects.map(idOf);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

test.each(KUBERNETES_VERSIONS)('every object is well-formed on GCE, with Kubernetes %s', (kubernetesVersion) => {
  const objects = objectsOf({ ...EVERY_ADDON_ON_GCE, kubernetesVersion });
  expect(faultsOf(objects, kubernetesVersion)).toEqual([]);
  expect(objects.some(({ kind, metadata }) => kind === 'StorageClass' && metadata['name'] === 'standard')).toBe(true);
  const ids = objects.map(idOf);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(KUBERNETES_VERSIONS)(
  'every object is well-formed on local machines, with Kubernetes %s',
  (kubernetesVersion) => {
    const objects = builtInAddons(localFacts({ ...EVERY_ADDON_ON_LOCAL, kubernetesVersion }), []).flatMap(
      (addon) => addon.objects,
    );
    expect(faultsOf(objects, kubernetesVersion)).toEqual([]);
    const ids = objects.map(idOf);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  },
);

test('reports every kind of fault', () => {
  const pod = { labels: { app: 'b' } };
  const broken: AddonObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x', namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: pod,
        spec: {
          serviceAccountName: 'nobody',
          containers: [{ image: 'latest', volumeMounts: [{ name: 'v' }], env: [{ name: 'N', value: 1 }] }],
          volumes: [{ name: 'm', configMap: { name: 'none' } }],
        },
      },
    },
  };
  expect(faultsOf([broken], '1.30.0').map((fault) => fault.replace(/^.*?: /, ''))).toEqual([
    "its selector's app is not a label of its pods",
    'volume v does not exist',
    'volume m is not used',
    'account nobody does not exist',
    'ConfigMap none does not exist',
    'image latest says not where it is and of which version',
    'variable N is not text',
  ]);
});
