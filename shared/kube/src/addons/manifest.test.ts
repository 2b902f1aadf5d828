import { expect, test } from 'vitest';
import { parseManifest } from './manifest.ts';

const object = (kind: string, name: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`;

test('objects come after those they depend on, lists are expanded, empty documents skipped', () => {
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
