import { readAssetIndex } from '@kopsctl/actions/cloud/asset-index-file.ts';
import { makeAssets } from '@kopsctl/packaging-assets/prepare-assets.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { OTHER_VERSIONS } from '@kopsctl/test-peers/start-api-server.ts';
import type { TestProject } from 'vitest/node';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
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
  '1.29.0',
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
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const wants = { kubernetes: VERSIONS };
  project.provide('prepared', await prepare(wants, log));
  // The oldest and the newest are at hand for every test.
  const between = VERSIONS.slice(1, -1).map((version) => `kubernetes-${minorOf(version)}`);
  const programs = await makeAssets({ wants, only: between, log });
  process.env[OTHER_VERSIONS] = [...programs.values()].map(({ dir }) => dir).join(':');
  const { assets } = await readAssetIndex(ASSETS_DIR);
  const minors = new Set(VERSIONS.map(minorOf));
  const held = assets.filter(({ name, version }) => name === 'kubelet' && minors.has(minorOf(version)));
  project.provide(
    'versions',
    held.map(({ version }) => version).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })),
  );
}
