import { readAssetIndex } from '@kopsctl/actions/cloud/asset-index-file.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { TestProject } from 'vitest/node';
import { ASSETS_DIR, prepare } from '../../../packaging/quickstart/src/prepare.ts';
import { cannotRunMachines } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The patch of each minor version of Kubernetes that can be had, oldest first. */
    readonly versions: readonly string[];
  }
}

/** A patch of every minor version that Debian or the Go module proxy has; a neighbour takes the place of one that it refuses. */
const VERSIONS = [
  '1.20.2',
  '1.29.6',
  '1.30.4',
  '1.31.14',
  '1.32.2',
  '1.33.13',
  '1.34.4',
  '1.35.4',
  RECOMMENDED_KUBERNETES,
];

/** Builds every version, which takes an hour the first time. */
export async function setup(project: TestProject): Promise<void> {
  if (cannotRunMachines() !== undefined) {
    project.provide('prepared', undefined);
    project.provide('versions', []);
    return;
  }
  project.provide('prepared', await prepare({ kubernetes: VERSIONS }, (line) => process.stderr.write(`${line}\n`)));
  const { assets } = await readAssetIndex(ASSETS_DIR);
  const minors = new Set(VERSIONS.map(minorOf));
  const held = assets.filter(({ name, version }) => name === 'kubelet' && minors.has(minorOf(version)));
  project.provide(
    'versions',
    held.map(({ version }) => version).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })),
  );
}

const minorOf = (version: string): string => version.replace(/\.\d+$/, '');
