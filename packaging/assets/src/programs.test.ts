import { expect, test } from 'vitest';
import { kubernetesRow } from './programs.ts';

const sources = (version: string) => kubernetesRow(version, 'amd64').sources.map(({ from }) => from);

test.each([
  ['1.36.3', 'the published Go module k8s.io/kubernetes'],
  ['1.20.2', "Debian's source package"],
  // The patch release that Debian has takes its place.
  ['1.20.15', "Debian's source package"],
])('Kubernetes %s comes from its release location, else from %s', (version, source) => {
  expect(sources(version)).toEqual(['its release location', source]);
});
