import type { TestProject } from 'vitest/node';
import { prepare, type Prepared } from '../../../packaging/quickstart/src/prepare.ts';
import { cannotRunMachines } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The build results for all clusters under test; undefined if no cluster can run. */
    readonly prepared: Prepared | undefined;
  }
}

/** Builds once what all tests of whole clusters share. */
export async function setup(project: TestProject): Promise<void> {
  const reason = cannotRunMachines();
  project.provide(
    'prepared',
    reason === undefined ? await prepare((line) => process.stderr.write(`${line}\n`)) : undefined,
  );
}
