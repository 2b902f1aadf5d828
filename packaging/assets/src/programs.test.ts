import { expect, test } from 'vitest';
import { publishedHashes } from '@kopsctl/assets/published-hashes.ts';
import { FLANNEL_IMAGE } from '@kopsctl/model/addons/networking/flannel.ts';
import { kubernetesFacts, RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { imageRows } from './images.ts';
import { programRecipe } from './program-recipe.ts';
import { containerdFor, kubernetesRow, programRows } from './programs.ts';

const sources = (version: string) => kubernetesRow(version, 'amd64').sources.map(({ from }) => from);

test.each([
  ['1.36.3', 'the published Go module k8s.io/kubernetes'],
  ['1.20.2', "Debian's source package"],
  // The patch release that Debian has takes its place.
  ['1.20.15', "Debian's source package"],
])('Kubernetes %s comes from its release location, else from %s', (version, source) => {
  expect(sources(version)).toEqual(['its release location', source]);
});

test.each([
  ['1.20.2', 'containerd-1'],
  ['1.22.17', 'containerd-1'],
  ['1.23.0', 'containerd-2'],
  ['1.31.14', 'containerd-2'],
  [RECOMMENDED_KUBERNETES, 'containerd-2'],
])('Kubernetes %s runs on %s', (version, containerd) => {
  expect(containerdFor(version)).toBe(containerd);
});

/** kops pins no etcd and no CoreDNS, from whose table ours comes: their hashes are read beside them. */
const READ_BESIDE = /^programs\/(etcd|coredns)-/;

test.each(['amd64', 'arm64'] as const)('what is released for %s is in the table of hashes', (arch) => {
  const rows = [kubernetesRow(RECOMMENDED_KUBERNETES, arch), ...programRows(arch)];
  const released = rows.flatMap(({ thing, sources }) =>
    sources
      .filter(({ from }) => from === 'its release location')
      .flatMap(({ inputs }) => inputs.map((url) => ({ thing, isKnown: publishedHashes().has(url) }))),
  );
  const unknown = released.filter(({ thing, isKnown }) => isKnown === READ_BESIDE.test(thing));
  expect(unknown).toEqual([]);
  expect(released.length).toBeGreaterThan(10);
});

test('registries and release locations are asked for what clusters want, whatever version is compiled here', () => {
  const versions = new Map(programRows('amd64').map(({ thing, version, released }) => [thing, [released, version]]));
  const versionsOf = (thing: string) => {
    const [release = '', module = release] = versions.get(thing) ?? [];
    return { release, module };
  };
  const flannel = imageRows('amd64', versionsOf, '').find(({ published }) => published.thing === 'image/flannel');
  expect(flannel?.published.reference).toBe(FLANNEL_IMAGE);
  expect(flannel?.packed?.version).toBe('0.26.7');
  expect(versionsOf('programs/etcd-3.6')).toEqual({
    release: kubernetesFacts(RECOMMENDED_KUBERNETES)?.etcdVersion,
    module: '3.6.16',
  });
  // A thing is named by the minor version that is compiled. For etcd it must be the wanted one too.
  const etcds = [...versions].filter(
    ([thing, [release]]) => thing.startsWith('programs/etcd-') && release !== undefined,
  );
  expect(etcds.map(([thing]) => thing)).toEqual(etcds.map(([, [release = '']]) => `programs/etcd-${minorOf(release)}`));
});

test('the etcd of the oldest Kubernetes comes from its release location, else from Debian, which has another patch', () => {
  const row = programRows('amd64').find(({ thing }) => thing === 'programs/etcd-3.4');
  const recipes = row?.sources.map((source) => programRecipe(row, source, 'amd64')) ?? [];
  const wanted = kubernetesFacts('1.20.2')?.etcdVersion;
  expect(recipes.map(({ version, from }) => `${version} of ${from}`)).toEqual([
    `${wanted} of its release location`,
    "3.4 of Debian's etcd-server, etcd-client",
  ]);
});

test('a released program is named after its own version, also where the module is of another', () => {
  const row = programRows('amd64').find(({ thing }) => thing === 'programs/runc');
  const recipes = row?.sources.map((source) => programRecipe(row, source, 'amd64')) ?? [];
  expect(recipes.map(({ version, from }) => `${version} of ${from}`)).toEqual([
    '1.4.3 of its release location',
    '1.5.2 of the published Go module github.com/opencontainers/runc',
  ]);
});
