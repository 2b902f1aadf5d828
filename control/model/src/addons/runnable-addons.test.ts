import { describe, expect, test } from 'vitest';
import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { clusterFacts } from '../cluster-facts.ts';
import { entry } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { addonRemarks } from './addon-remarks.ts';
import { runnableAddons } from './runnable-addons.ts';
import { awsFacts } from './testdata/aws-facts.ts';

const COREDNS = 'registry.k8s.io/coredns/coredns';

/** The addons of a local cluster whose prepared assets hold these images. */
function local(spec: ClusterSpec, ...images: readonly string[]) {
  const { cluster, origins } = completedCluster({ spec });
  const assets = { assets: images.map((image) => entry(`image/${image}`, '1', `${image}.tar`, image)) };
  const found = runnableAddons(clusterFacts(cluster, 'memory://store', localModelCloud, assets), []);
  return { ...found, ...addonRemarks(found, origins.cluster), text: JSON.stringify(found.addons) };
}

const names = ({ addons }: Pick<ReturnType<typeof local>, 'addons'>) => addons.map(({ name }) => name);

describe('an addon on machines that cannot reach a registry', () => {
  test('runs the nearest version that the assets hold, and a note says so', () => {
    const found = local({ kubernetesVersion: '1.34.4' }, `${COREDNS}:v1.15.0`);
    expect(names(found)).toContain('coredns.addons.k8s.io');
    expect(found.text).toContain(`"image":"${COREDNS}:v1.15.0"`);
    expect(found.faults).toEqual([]);
    expect(found.notes).toContain(
      `Replaced: ${COREDNS}:v1.14.2 by ${COREDNS}:v1.15.0, the nearest version that the prepared assets hold`,
    );
  });

  test('runs the wanted version without a note if the assets hold it', () => {
    const found = local({ kubernetesVersion: '1.34.4' }, `${COREDNS}:v1.15.0`, `${COREDNS}:v1.14.2`);
    expect(found.text).toContain(`"image":"${COREDNS}:v1.14.2"`);
    expect(found.notes.filter((line) => line.includes('coredns'))).toEqual([]);
  });

  test('does not run a version that is incompatible with the Kubernetes version', () => {
    const found = local({ kubernetesVersion: '1.20.2' }, `${COREDNS}:v1.15.0`);
    expect(names(found)).not.toContain('coredns.addons.k8s.io');
  });

  test('is left out if the assets hold no version of an image, and a note says so', () => {
    const found = local({ kubernetesVersion: '1.34.4' });
    expect(names(found)).not.toContain('coredns.addons.k8s.io');
    expect(found.faults).toEqual([]);
    expect(found.notes).toContain(
      `Left out: coredns.addons.k8s.io needs ${COREDNS}:v1.14.2, which the prepared assets do not hold (prepare it with \`npm run assets\`)`,
    );
  });

  test('is refused if the user asked for it and the assets hold no version of an image', () => {
    const found = local({ kubernetesVersion: '1.34.4', metricsServer: { enabled: true } });
    expect(found.faults).toEqual([
      {
        path: 'spec.metricsServer.enabled',
        message:
          'metrics-server.addons.k8s.io needs registry.k8s.io/metrics-server/metrics-server:v0.8.0, which the prepared assets do not hold',
        hint: 'prepare it with `npm run assets -- --images metrics-server`, or leave it out',
      },
    ]);
    expect(found.notes.filter((line) => line.includes('metrics-server'))).toEqual([]);
  });

  test.each([
    [
      { certManager: { enabled: true } },
      'cert-manager-controller,cert-manager-cainjector,cert-manager-webhook,cert-manager-acmesolver',
    ],
    [{ kubeDNS: { nodeLocalDNS: { enabled: true } } }, 'k8s-dns-node-cache'],
    [{ kubeDNS: { provider: 'KubeDNS' } }, 'k8s-dns-kube-dns,k8s-dns-dnsmasq-nanny,k8s-dns-sidecar'],
  ])('is refused with the names of what can be prepared: %j', (spec, images) => {
    const [first] = local({ kubernetesVersion: '1.34.4', ...spec }).faults;
    expect(first?.hint).toBe(`prepare it with \`npm run assets -- --images ${images}\`, or leave it out`);
  });

  test('is refused with another hint where it has an image of your own, which nothing prepares', () => {
    const own = { enabled: true, image: 'registry.example.com/metrics-server:v0.8.0' };
    const [first] = local({ kubernetesVersion: '1.34.4', metricsServer: own }).faults;
    expect(first?.hint).toBe('leave out the image, so that it is the one that can be prepared, or leave out the addon');
  });

  test('counts an image under another name as the same', () => {
    const found = local(
      { kubernetesVersion: '1.34.4' },
      'rancher/local-path-provisioner:v0.0.30',
      'busybox:1.37.0',
      `${COREDNS}:v1.14.2`,
    );
    expect(names(found)).toContain('storage-local.addons.k8s.io');
    expect(found.text).toContain('image: busybox:1.37.0');
    expect(found.notes).toEqual([]);
  });

  test('runs two CoreDNS servers if the assets hold no image of the autoscaler', () => {
    const autoscaler = 'registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.9.0';
    const without = local({ kubernetesVersion: '1.34.4' }, `${COREDNS}:v1.14.2`);
    expect(without.text).not.toContain('coredns-autoscaler');
    expect(without.text).toContain('"replicas":2');
    const found = local({ kubernetesVersion: '1.34.4' }, `${COREDNS}:v1.14.2`, autoscaler);
    expect(found.text).toContain('coredns-autoscaler');
    expect(found.text).not.toContain('"replicas"');
  });
});

describe('a mirror of registries', () => {
  const EVERY = { certManager: { enabled: true }, metricsServer: { enabled: true }, networking: { cilium: {} } };
  const addonsWith = (spec: ClusterSpec) => runnableAddons(awsFacts({ ...EVERY, ...spec }), []);

  test('serves every image of every addon', () => {
    const { addons, leftOut, replaced } = addonsWith({ assets: { containerRegistry: 'mirror.example.com/kops' } });
    const images = [...JSON.stringify(addons).matchAll(/"image":"([^"]+)"/g)].map(([, image]) => image ?? '');
    expect(images.length).toBeGreaterThan(10);
    expect(images.filter((image) => !image.startsWith('mirror.example.com/kops/'))).toEqual([]);
    expect({ leftOut, replaced }).toEqual({ leftOut: [], replaced: [] });
  });

  test('serves the images of pods that an addon creates itself', () => {
    const { addons } = addonsWith({ assets: { containerProxy: 'proxy.example.com' } });
    expect(JSON.stringify(addons)).toContain(
      '--acme-http01-solver-image=proxy.example.com/jetstack/cert-manager-acmesolver:',
    );
  });

  test('serves static pods too', () => {
    const { spec } = awsFacts({ kubernetesVersion: '1.35.0', assets: { containerRegistry: 'mirror.example.com' } });
    expect(spec.kubeAPIServer?.image).toBe('mirror.example.com/kube-apiserver:v1.35.0');
    expect(spec.kubeProxy?.image).toBe('mirror.example.com/kube-proxy:v1.35.0');
  });
});

test('without a mirror, addons keep their images', () => {
  const plain = runnableAddons(awsFacts(), []);
  expect(plain.replaced).toEqual([]);
  expect(JSON.stringify(plain.addons)).toContain(`"image":"${COREDNS}:v1.14.2"`);
});
