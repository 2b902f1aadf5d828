import { expect, test } from 'vitest';
import { parseChannel, resolveLocation } from './channel.ts';

const HASH = 'a'.repeat(64);
const addon = { name: 'net', manifest: 'addons/net/k8s-1.12.yaml', manifestHash: HASH };

test('a channel in the format of kops is parsed, with manifests relative to its folder', () => {
  const text = `kind: Addons\nspec:\n  addons:\n  - name: net\n    id: k8s-1.12\n    manifest: net/k8s-1.12.yaml\n    manifestHash: ${HASH}\n    selector: {k8s-addon: net}\n`;
  expect(parseChannel('addons/bootstrap-channel.yaml', text, 'v1.20.2')).toEqual({
    addons: [{ ...addon, id: 'k8s-1.12', selector: 'k8s-addon=net' }],
    faults: [],
  });
});

test('an entry that cannot be used is reported and does not stop the others', () => {
  const text = `spec:\n  addons:\n  - {name: bad, manifest: x.yaml}\n  - {name: net, manifest: net/k8s-1.12.yaml, manifestHash: ${HASH}}\n`;
  const { addons, faults } = parseChannel('addons/bootstrap-channel.yaml', text, 'v1.20.2');
  expect(addons).toEqual([addon]);
  expect(faults).toEqual([
    'spec.addons[0] (bad): manifestHash is missing, so the manifest cannot be verified; set it to the SHA-256 that `sha256sum` prints for the manifest',
  ]);
});

test('fields of kops are parsed: nodes to replace, kinds to prune, and their labels', () => {
  const text = `
spec:
  addons:
  - name: net
    manifest: net/k8s-1.12.yaml
    manifestHash: ${HASH}
    needsRollingUpdate: worker
    prune:
      kinds:
      - {kind: ConfigMap, labelSelector: 'a=b,c=d'}
      - {group: apps, kind: DaemonSet, labelSelector: a=b, namespaces: [kube-system]}
      - {kind: Secret}
`;
  expect(parseChannel('addons/bootstrap-channel.yaml', text, 'v1.20.2').addons[0]).toEqual({
    ...addon,
    needsRollingUpdate: 'workers',
    prune: [
      { group: '', kind: 'ConfigMap', labelSelector: 'a=b,c=d', namespaces: [] },
      { group: 'apps', kind: 'DaemonSet', labelSelector: 'a=b', namespaces: ['kube-system'] },
    ],
  });
});

test('a kind to prune without a selector of its own uses that of the entry', () => {
  const text = `
spec:
  addons:
  - name: net
    manifest: net/k8s-1.12.yaml
    manifestHash: ${HASH}
    selector: {k8s-addon: net, app: "1"}
    prune: {kinds: [{kind: Secret}, {kind: ConfigMap, labelSelector: a=b}]}
`;
  expect(parseChannel('addons/bootstrap-channel.yaml', text, 'v1.20.2').addons[0]).toEqual({
    ...addon,
    selector: 'app=1,k8s-addon=net',
    prune: [
      { group: '', kind: 'Secret', labelSelector: 'app=1,k8s-addon=net', namespaces: [] },
      { group: '', kind: 'ConfigMap', labelSelector: 'a=b', namespaces: [] },
    ],
  });
});

test('of the entries with one name that fit the Kubernetes version, the newest is chosen', () => {
  const entry = (version: string, range: string, file: string) =>
    `  - {name: net, version: ${version}, kubernetesVersion: '${range}', manifest: ${file}, manifestHash: ${HASH}}\n`;
  const text = `spec:\n  addons:\n${entry('1.0.0', '<1.20.0', 'old')}${entry('1.1.0', '>=1.20.0', 'fits')}${entry('1.2.0', '>=1.20.0 <2.0.0', 'newest')}${entry('9.0.0', '>=1.30.0 || <1.10.0', 'later')}`;
  const { addons, faults } = parseChannel('https://example.com/a/channel.yaml', text, 'v1.20.2-eks');
  expect(faults).toEqual([]);
  expect(addons.map(({ manifest }) => manifest)).toEqual(['https://example.com/a/newest']);
});

test.each([
  ['kind: Addons', []],
  ['x: y', ['it is not a channel']],
  ['<html><body>Sign in</body></html>', ['it is not a channel']],
  [`spec: {addons: [{name: my addon, manifest: m, manifestHash: ${HASH}}]}`, ['a name has up to 63 letters']],
  ['spec: {addons: [{name: a, manifest: m, kubernetesVersion: latest}]}', ['is not a version range']],
  [`spec: {addons: [{name: a, manifest: m, manifestHash: ${HASH}, needsRollingUpdate: some}]}`, ['is not one of']],
  [`spec: {addons: [{name: a, manifest: m, manifestHash: ${HASH}, selector: mine}]}`, ['is not a map of labels']],
  [
    `spec: {addons: [{name: a, manifest: m, manifestHash: ${HASH}}, {name: a, manifest: n, manifestHash: ${HASH}}]}`,
    ['another entry has the same name'],
  ],
])('a channel with a fault is reported: %s', (text, expected) => {
  const { faults } = parseChannel('c.yaml', text, 'v1.20.2');
  expect(faults).toHaveLength(expected.length);
  for (const [index, part] of expected.entries()) expect(faults[index]).toContain(part);
});

test('a manifest is relative to its channel unless it is a URL', () => {
  expect(resolveLocation('addons/c.yaml', 'net/m.yaml')).toBe('addons/net/m.yaml');
  expect(resolveLocation('s3://bucket/a/c.yaml', 'net/m.yaml')).toBe('s3://bucket/a/net/m.yaml');
  expect(resolveLocation('addons/c.yaml', 'https://example.com/m.yaml')).toBe('https://example.com/m.yaml');
});
