import { describe, expect, test } from 'vitest';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { awsFacts } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { waysOf } from '@kopsctl/model/addons/testdata/cloud-ways.ts';
import { fields, items, podsIn, text, texts } from '@kopsctl/model/addons/testdata/placed-pods.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { gceModelCloud } from '../model/model-cloud.ts';
import { gceCompleted, gceTasks, propsOf, type Wish } from '../testdata/gce-tasks.ts';

const DRIVER = 'gcp-pd-csi-driver.addons.k8s.io';

const objectsOn = (spec: ClusterSpec): readonly (AddonObject & { readonly addon: string })[] =>
  builtInAddons(awsFacts({ cloudProvider: 'gce', ...spec }), []).flatMap(({ name, objects }) =>
    objects.map((object) => ({ ...object, addon: name })),
  );

const driverText = (spec: ClusterSpec): string =>
  JSON.stringify(objectsOn(spec).filter(({ addon }) => addon === DRIVER));

/** The storage classes; an asterisk marks the default. */
const classes = (spec: ClusterSpec): readonly string[] =>
  objectsOn(spec)
    .filter(({ kind }) => kind === 'StorageClass')
    .map((object) => {
      const mark = JSON.stringify(object.metadata).includes('is-default-class":"true"') ? '*' : '';
      const { name } = object.metadata;
      return typeof name === 'string' ? `${name}${mark}` : '';
    });

test('the storage driver is installed where Kubernetes has migrated its disks to CSI, and only on GCE', () => {
  expect(driverText({ kubernetesVersion: '1.22.17' })).toBe('[]');
  expect(driverText({ kubernetesVersion: '1.23.0' })).toContain('csi-gce-pd-node');
  expect(driverText({ cloudConfig: { gcpPDCSIDriver: { enabled: false } } })).toBe('[]');
  expect(driverText({ cloudProvider: 'aws' })).toBe('[]');
});

test('exactly one storage class is the default, and the class of old clusters is kept', () => {
  expect(classes({ kubernetesVersion: '1.22.17' })).toEqual(['standard*']);
  const ours = ['standard-csi', 'balanced-csi*', 'balanced-storage', 'ssd-csi', 'standard'];
  expect(classes({})).toEqual(ours);
  expect(classes({ cloudConfig: { gcpPDCSIDriver: { defaultStorageClassName: 'balanced-storage' } } })).toEqual(
    ours.map((name) => ({ 'balanced-csi*': 'balanced-csi', 'balanced-storage': 'balanced-storage*' })[name] ?? name),
  );
});

test('a person who wants no default class gets none', () => {
  expect(classes({ cloudConfig: { gcpPDCSIDriver: { defaultStorageClassName: '' } } }).join()).not.toContain('*');
});

test('if the user manages storage classes, the driver is installed without any', () => {
  const spec = { cloudConfig: { manageStorageClasses: false } };
  expect(classes(spec)).toEqual([]);
  expect(driverText(spec)).toContain('csi-gce-pd-controller');
});

test('images follow the Kubernetes version, the driver also the spec, and both kinds of pods run the same image', () => {
  const image = (name: string) => `"registry.k8s.io/${name}"`;
  const driver = (version: string) => image(`cloud-provider-gcp/gcp-compute-persistent-disk-csi-driver:${version}`);
  const old = driverText({ kubernetesVersion: '1.27.16' });
  expect(old.split(driver('v1.10.13'))).toHaveLength(3);
  expect(old).toContain(image('sig-storage/csi-provisioner:v3.4.0'));
  const recent = driverText({ kubernetesVersion: '1.28.0' });
  expect(recent.split(driver('v1.22.1'))).toHaveLength(3);
  expect(recent).toContain(image('sig-storage/csi-provisioner:v6.0.0'));
  const wished = driverText({ cloudConfig: { gcpPDCSIDriver: { version: 'v1.26.0' } } });
  expect(wished.split(driver('v1.26.0'))).toHaveLength(3);
});

test.each([
  ['v1.10.13', false],
  ['v1.22.1', true],
  ['v1.23.1-gke.20', true],
  ['canary', true],
])('driver %s gets flags for hyperdisks and caches only if it supports them', (version, knows) => {
  const text = driverText({ cloudConfig: { gcpPDCSIDriver: { version } } });
  expect(text.includes('--supports-dynamic-iops-provisioning=')).toBe(knows);
  expect(text.includes('--node-name=$(KUBE_NODE_NAME)')).toBe(knows);
  expect(text).toContain('--extra-labels=k8s-io-cluster-name=demo-example-com');
});

test('the snapshotter is installed where the cluster has the snapshot CRDs', () => {
  expect(driverText({})).not.toContain('csi-snapshotter');
  const text = driverText({ snapshotController: { enabled: true } });
  expect(text).toContain('sig-storage/csi-snapshotter:v8.2.1');
  expect(text).toContain('csi-gce-pd-snapshotter-role');
});

test('the controller uses host ports and can still be replaced in a cluster with one control plane', () => {
  const controller = objectsOn({}).find(({ addon, kind }) => addon === DRIVER && kind === 'Deployment');
  expect(controller?.['spec']).toMatchObject({
    replicas: 1,
    strategy: { rollingUpdate: { maxUnavailable: 1 } },
    template: { spec: { hostNetwork: true } },
  });
});

/** The objects of one addon of a completed cluster. */
function addonOf(name: string, wish: Wish): readonly AddonObject[] {
  const { cluster, instanceGroups } = gceCompleted(wish);
  const addons = builtInAddons(clusterFacts(cluster, 'memfs://state', gceModelCloud), instanceGroups);
  return addons.find((addon) => addon.name === name)?.objects ?? [];
}

/** The pod of its only workload. */
function podOf(objects: readonly AddonObject[]) {
  const [placed, ...others] = podsIn(objects);
  if (placed === undefined || others.length > 0) throw new Error('the addon has one workload');
  const [container = {}] = items(placed.pod['containers']);
  return { placed, container, flags: [...texts(container['command']), ...texts(container['args'])] };
}

/** What it may do by its own roles, as `create events`. */
const rightsIn = (objects: readonly AddonObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    .flatMap((role) => items(role['rules']))
    .flatMap(({ verbs, resources }) =>
      texts(verbs).flatMap((verb) => texts(resources).map((resource) => `${verb} ${resource}`)),
    );

describe('the cluster autoscaler', () => {
  const AUTOSCALER = 'cluster-autoscaler.addons.k8s.io';
  const enabled = { clusterAutoscaler: { enabled: true } };
  const autoscaler = (groups: Readonly<Record<string, InstanceGroupSpec>> = {}, spec: ClusterSpec = {}) =>
    addonOf(AUTOSCALER, {
      spec: { ...spec, clusterAutoscaler: { ...enabled.clusterAutoscaler, ...spec.clusterAutoscaler } },
      groups,
    });
  const groupsOf = (objects: readonly AddonObject[]) =>
    podOf(objects).flags.filter((flag) => flag.startsWith('--nodes='));
  const inZone = (letter: string, group: string) =>
    `https://www.googleapis.com/compute/v1/projects/p/zones/us-east1-${letter}/instanceGroups/${letter}-${group}-demo-example-com`;

  test('is installed where the spec enables it', () => {
    expect(addonOf(AUTOSCALER, {})).toEqual([]);
    expect(podOf(autoscaler()).flags).toContain('--cloud-provider=gce');
  });

  test('knows the managed group of each zone, and all of them together have the bounds of the group', () => {
    const zones = ['us-east1-d', 'us-east1-b', 'us-east1-c'];
    expect(groupsOf(autoscaler({ nodes: { role: 'Node', minSize: 2, maxSize: 7, zones } }))).toEqual([
      `--nodes=1:3:${inZone('b', 'nodes')}`,
      `--nodes=1:2:${inZone('c', 'nodes')}`,
      `--nodes=0:2:${inZone('d', 'nodes')}`,
    ]);
  });

  test('does not know zones for which the bounds leave no machine', () => {
    expect(
      groupsOf(autoscaler({ nodes: { role: 'Node', minSize: 0, maxSize: 1, zones: ['us-east1-c', 'us-east1-b'] } })),
    ).toEqual([`--nodes=0:1:${inZone('b', 'nodes')}`]);
  });

  test('has the groups whose sizes a change of the cluster leaves to it, and starts at the sizes that this gives them', () => {
    const groups = { fixed: { role: 'Node', zones: ['us-east1-b'], autoscale: false } } as const;
    const managed = Object.values(propsOf(gceTasks({ spec: enabled, groups }), 'gce/InstanceGroupManager'));
    expect(managed).toHaveLength(4);
    expect(groupsOf(autoscaler(groups)).map((flag) => flag.replace(/:\d+:.*\//, ' '))).toEqual(
      managed
        .filter(({ isScaledByOthers }) => isScaledByOthers)
        .map(({ name, targetSize }) => `--nodes=${targetSize} ${name}`),
    );
  });

  test('chooses by the priorities of groups, which it finds by the ids that every release gives them', () => {
    const objects = autoscaler(
      {
        nodes: { role: 'Node', autoscalePriority: 10, zones: ['us-east1-b', 'us-east1-c'] },
        spot: { role: 'Node', zones: ['us-east1-b'] },
      },
      { project: 'example.com:acme', clusterAutoscaler: { expander: 'priority' } },
    );
    const config = objects.find(({ kind }) => kind === 'ConfigMap')?.['data'];
    const patterns: Readonly<Record<string, readonly string[]>> = JSON.parse(text(fields(config)['priorities']));
    expect(Object.entries(patterns).map(([priority, { length }]) => [priority, length])).toEqual([
      ['0', 1],
      ['10', 2],
    ]);
    const [url = ''] = groupsOf(objects).map((flag) => flag.replace(/^--nodes=\d+:\d+:/, ''));
    for (const host of ['www', 'content']) {
      const id = url.replace('www', host);
      expect(patterns['10']?.filter((pattern) => new RegExp(pattern).test(id))).toHaveLength(1);
      expect(patterns['10']?.filter((pattern) => new RegExp(pattern).test(`${id}-2`))).toEqual([]);
      expect(patterns['0']?.filter((pattern) => new RegExp(pattern).test(id))).toEqual([]);
    }
  });

  test('asks Google as the control plane it runs on, and needs no variable for it', () => {
    const { placed, container } = podOf(autoscaler());
    expect(waysOf(placed)).toContain('as a control plane');
    expect(container).not.toHaveProperty('env');
  });

  test('may read what it decides by, evict pods, and hold its lease', () => {
    expect(rightsIn(autoscaler())).toEqual(
      expect.arrayContaining([
        'list pods',
        'update nodes',
        'create pods/eviction',
        'update leases',
        'create configmaps',
      ]),
    );
  });

  test.each([
    ['1.28.15', 'v1.28.0'],
    ['1.35.0', 'v1.35.1'],
  ])('is a release for Kubernetes %s, or the image of the spec', (kubernetesVersion, release) => {
    const image = `registry.k8s.io/autoscaling/cluster-autoscaler:${release}`;
    expect(podOf(autoscaler({}, { kubernetesVersion })).container).toMatchObject({ image });
    const own = { clusterAutoscaler: { image: 'example.com/autoscaler:1' } };
    expect(podOf(autoscaler({}, own)).container).toMatchObject({ image: 'example.com/autoscaler:1' });
  });

  test.each([
    ['1.21.14', []],
    ['1.22.17', ['--emit-per-nodegroup-metrics=false']],
    ['1.26.15', ['--emit-per-nodegroup-metrics=false']],
    ['1.27.0', ['--emit-per-nodegroup-metrics=false', '--skip-nodes-with-custom-controller-pods=true']],
  ])(
    'gets no flag that its release for Kubernetes %s does not know, with which it would not start',
    (version, known) => {
      const { flags } = podOf(autoscaler({}, { kubernetesVersion: version }));
      expect(flags.filter((flag) => /^--(emit-per|skip-nodes-with-custom)/.test(flag))).toEqual(known);
    },
  );
});

describe('external-dns', () => {
  const externalDns = (spec: ClusterSpec = {}, name = 'demo.example.com') =>
    addonOf('external-dns.addons.k8s.io', {
      name,
      spec: { ...spec, externalDns: { provider: 'external-dns', ...spec.externalDns } },
    });
  const zoneFlags = (spec?: ClusterSpec, name?: string) =>
    podOf(externalDns(spec, name)).flags.filter((flag) => /^--(provider|google|domain|zone)/.test(flag));

  test('is installed where the spec chooses it', () => {
    expect(externalDns({ externalDns: { provider: 'dns-controller' } })).toEqual([]);
    expect(externalDns({ externalDns: { disable: true } })).toEqual([]);
    expect(externalDns()).not.toEqual([]);
  });

  test('manages no zone but the one of the cluster, given by domain or by name', () => {
    const usual = ['--provider=google', '--google-project=p', '--google-zone-visibility=public'];
    expect(zoneFlags()).toEqual([...usual, '--domain-filter=example.com']);
    expect(zoneFlags({ dnsZone: 'k8s.example.com.' })).toEqual([...usual, '--domain-filter=k8s.example.com']);
    expect(zoneFlags({ dnsZone: 'our-zone' })).toEqual([...usual, '--zone-id-filter=our-zone']);
  });

  test('tells a private zone from a public one of the same name', () => {
    expect(zoneFlags({ topology: { dns: { type: 'Private' } } })).toContain('--google-zone-visibility=private');
  });

  test('where names of the cluster are in no zone, it manages those that the spec names', () => {
    const topology = { dns: { type: 'None' } } as const;
    const usual = ['--provider=google', '--google-project=p'];
    expect(zoneFlags({ topology })).toEqual(usual);
    expect(zoneFlags({ topology, dnsZone: 'example.org' })).toEqual([...usual, '--domain-filter=example.org']);
    expect(zoneFlags({ topology: {} }, 'demo.k8s.local')).toEqual(usual);
  });

  test('asks Google as the control plane it runs on', () => {
    expect(waysOf(podOf(externalDns()).placed)).toContain('as a control plane');
  });

  test('may read what asks for names, and watches what the spec says', () => {
    expect(rightsIn(externalDns())).toEqual(expect.arrayContaining(['list services', 'watch pods', 'list ingresses']));
    const { flags } = podOf(externalDns({ externalDns: { watchIngress: true, watchNamespace: 'shop' } }));
    expect(flags).toEqual(expect.arrayContaining(['--source=ingress', '--namespace=shop']));
  });

  test('publishes the names of Ingresses unless the spec says that it does not, as in kops', () => {
    expect(podOf(externalDns()).flags).toContain('--source=ingress');
    expect(podOf(externalDns({ externalDns: { watchIngress: false } })).flags).not.toContain('--source=ingress');
  });
});
