import { expect, test } from 'vitest';
import { parseChannel, parseManifest } from './channel.ts';
import { planAddons, REPAIR_MS } from './plan-addons.ts';

const HASH = 'a'.repeat(64);
const addon = { name: 'net', manifest: 'addons/net/k8s-1.12.yaml', manifestHash: HASH };

test('a channel in the form of kops is read, manifests relative to its folder', () => {
  const text = `kind: Addons\nspec:\n  addons:\n  - name: net\n    id: k8s-1.12\n    manifest: net/k8s-1.12.yaml\n    manifestHash: ${HASH}\n    selector: {k8s-addon: net}\n`;
  expect(parseChannel('addons/bootstrap-channel.yaml', text)).toEqual({
    addons: [{ ...addon, id: 'k8s-1.12' }],
    faults: [],
  });
});

test('an entry that cannot be used is reported and stops no other', () => {
  const text = `spec:\n  addons:\n  - {name: bad, manifest: x.yaml}\n  - {name: net, manifest: net/k8s-1.12.yaml, manifestHash: ${HASH}}\n`;
  const { addons, faults } = parseChannel('addons/bootstrap-channel.yaml', text);
  expect(addons).toEqual([addon]);
  expect(faults).toEqual([
    'spec.addons[0] (bad): manifestHash is not a SHA-256, so what is fetched could not be verified',
  ]);
});

const object = (kind: string, name: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`;

test('objects are ordered by what they stand on, lists are opened, empty documents skipped', () => {
  const text = [
    object('Deployment', 'd'),
    '# nothing\n',
    object('ServiceAccount', 's'),
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: n}}\n`,
    object('DaemonSet', 'e'),
  ].join('---\n');
  expect(parseManifest(text).map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'Namespace/n',
    'ServiceAccount/s',
    'Deployment/d',
    'DaemonSet/e',
  ]);
});

test('what is recorded is applied once by each leader, and again only to repair', () => {
  const steps = (
    applied: [string, { manifestHash: string; appliedMs: number }][],
    recorded: [string, string][],
    nowMs: number,
  ) => planAddons([addon], new Map(applied), new Map(recorded), nowMs).map(({ action }) => action);
  expect(steps([], [], 0)).toEqual(['apply']);
  expect(steps([], [['net', 'b'.repeat(64)]], 0)).toEqual(['apply']);
  expect(steps([], [['net', HASH]], 0)).toEqual(['reapply']);
  const mine = { manifestHash: HASH, appliedMs: 1000 };
  expect(steps([['net', mine]], [['net', HASH]], 1000 + REPAIR_MS - 1)).toEqual([]);
  expect(steps([['net', mine]], [['net', HASH]], 1000 + REPAIR_MS)).toEqual(['reapply']);
});
