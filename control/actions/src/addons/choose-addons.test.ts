import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { expect, test } from 'vitest';
import { chooseAddons } from './choose-addons.ts';

const HASH = 'a'.repeat(64);
const channel = (url: string, entries: readonly string[]) => ({
  url,
  path: 'addons/channel.yaml',
  text: `kind: Addons\nspec:\n  addons:\n${entries.map((entry) => `  - {${entry}}\n`).join('')}`,
  read: () => Promise.reject(new Error('choosing reads no manifest')),
});
const entry = (name: string, file: string, more = '') =>
  `name: ${name}, manifest: ${file}, manifestHash: ${HASH}${more}`;
const chosen = (channels: readonly ReturnType<typeof channel>[], version: string) =>
  chooseAddons(channels, version).map(({ addon }) => addon.manifest);
const refusal = (channels: readonly ReturnType<typeof channel>[]): string => {
  try {
    chooseAddons(channels, 'v1.30.2');
  } catch (error) {
    return error instanceof ActionableError ? error.message : 'another error';
  }
  return 'nothing is refused';
};

test('of the entries with one name, the one for the Kubernetes version of the cluster is chosen', () => {
  const one = channel('s3://b/c.yaml', [
    entry('net', 'old.yaml', ", kubernetesVersion: '<1.30.0'"),
    entry('net', 'new.yaml', ", kubernetesVersion: '>=1.30.0'"),
  ]);
  expect(chosen([one], 'v1.29.9')).toEqual(['addons/old.yaml']);
  expect(chosen([one], 'v1.30.2-eks-1')).toEqual(['addons/new.yaml']);
});

test('of the entries with one name that fit, the newest is chosen', () => {
  const one = channel('s3://b/c.yaml', [
    entry('net', 'second.yaml', ', version: 1.10.0'),
    entry('net', 'first.yaml', ', version: 1.9.0'),
  ]);
  expect(chosen([one], 'v1.30.2')).toEqual(['addons/second.yaml']);
});

test('an entry without a hash is refused, unless it is for another version', () => {
  expect(refusal([channel('s3://b/c.yaml', ['name: net, manifest: m.yaml'])])).toContain(
    's3://b/c.yaml: spec.addons[0] (net): manifestHash is missing',
  );
  const other = channel('s3://b/c.yaml', ["name: net, manifest: m.yaml, kubernetesVersion: '<1.20.0'"]);
  expect(chosen([other], 'v1.30.2')).toEqual([]);
});

test('a name belongs to the first channel that lists it', () => {
  const [a, b] = ['s3://b/a.yaml', 's3://b/b.yaml'].map((url) => channel(url, [entry('net', 'm.yaml')]));
  expect(refusal([a!, b!])).toContain('s3://b/b.yaml: net is an addon of s3://b/a.yaml too');
});
