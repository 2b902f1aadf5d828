import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { TestProject } from 'vitest/node';
import { prepare } from '../../../packaging/quickstart/src/prepare.ts';
import { cannotRunMachines } from './cluster.ts';

/** Patches of three minor versions that the Go module proxy has, and the etcd that the oldest of them ran before. */
const WANTS = { kubernetes: ['1.34.4', '1.35.4', RECOMMENDED_KUBERNETES], etcd: ['3.5'] };

/** Builds what clusters run before, during and after an upgrade: half an hour the first time. */
export async function setup(project: TestProject): Promise<void> {
  const prepared = cannotRunMachines() === undefined;
  project.provide('prepared', prepared ? await prepare(WANTS, (line) => process.stderr.write(`${line}\n`)) : undefined);
}
