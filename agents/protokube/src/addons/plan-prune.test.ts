import { expect, test } from 'vitest';
import type { AddonEntry, ObjectRef } from './inventory.ts';
import { planPrune } from './plan-prune.ts';

const object = (kind: string, name: string, apiVersion = 'v1'): ObjectRef => ({ apiVersion, kind, name });
const entry = (...objects: readonly ObjectRef[]): AddonEntry => ({ manifestHash: 'a', objects });
const [a, b, c] = [object('ConfigMap', 'a'), object('ConfigMap', 'b'), object('Service', 'c')];

test('objects that left the manifest are removed, the last first', () => {
  expect(planPrune(new Map([['net', entry(a, b, c)]]), new Map([['net', [b]]]))).toEqual([
    { addon: 'net', remove: [c, a], keep: [] },
  ]);
});

test('an addon that left the channels is removed, also from the inventory when it has no objects', () => {
  const inventory = new Map([
    ['net', entry(a)],
    ['empty', entry()],
  ]);
  expect(planPrune(inventory, new Map())).toEqual([
    { addon: 'net', remove: [a], keep: [] },
    { addon: 'empty', remove: [], keep: [] },
  ]);
});

test('an object that moved to another addon, or to another version of its kind, stays', () => {
  const old = object('Ingress', 'i', 'extensions/v1beta1');
  const inventory = new Map([['net', entry(a, object('Ingress', 'j', 'networking.k8s.io/v1beta1'))]]);
  const wanted = new Map([
    ['net', [object('Ingress', 'j', 'networking.k8s.io/v1')]],
    ['other', [a, old]],
  ]);
  expect(planPrune(inventory, wanted)).toEqual([]);
});

test('while the manifest of an addon is not known, none of its objects is removed, also not from other addons', () => {
  const inventory = new Map([
    ['net', entry(a)],
    ['old', entry(a, b)],
  ]);
  expect(planPrune(inventory, new Map([['net', undefined]]))).toEqual([{ addon: 'old', remove: [b], keep: [] }]);
});

test('namespaces, custom resource definitions and data are left for a person', () => {
  const namespace = object('Namespace', 'n');
  expect(planPrune(new Map([['net', entry(namespace, a)]]), new Map())).toEqual([
    { addon: 'net', remove: [a], keep: [namespace] },
  ]);
});
