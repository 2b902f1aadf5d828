import type { TestProject } from 'vitest/node';
import { prepare, type Prepared } from '../../../packaging/quickstart/src/prepare.ts';
import { cannotRunMachines } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What every cluster under test is made of; undefined where none can run. */
    readonly prepared: Prepared | undefined;
  }
}

/** Builds what all tests of whole clusters share, once for all of them. */
export async function setup(project: TestProject): Promise<void> {
  const reason = cannotRunMachines();
  project.provide(
    'prepared',
    reason === undefined ? await prepare((line) => process.stderr.write(`${line}\n`)) : undefined,
  );
}
