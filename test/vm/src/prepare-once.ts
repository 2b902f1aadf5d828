import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { TestProject } from 'vitest/node';
import { prepare, type Prepared } from '../../../packaging/quickstart/src/prepare.ts';
import type { Wants } from '@kopsctl/packaging-assets/wants.ts';
import { cannotRunMachines } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The build results for all clusters under test; undefined if no cluster can run. */
    readonly prepared: Prepared | undefined;
  }
}

/** The newest Kubernetes; the oldest, on Debian's containerd and on Docker; and every image that can be built. */
const WANTS: Wants = {
  kubernetes: [RECOMMENDED_KUBERNETES, '1.20.2'],
  docker: true,
  images: ['metrics-server', 'snapshot-controller', 'flannel', 'flannel-cni-plugin'],
};

/** Builds once what all tests of whole clusters share. */
export async function setup(project: TestProject): Promise<void> {
  const reason = cannotRunMachines();
  project.provide(
    'prepared',
    reason === undefined ? await prepare(WANTS, (line) => process.stderr.write(`${line}\n`)) : undefined,
  );
}
