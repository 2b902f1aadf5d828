import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than a minute, the slowest first. One that begins last keeps a whole phase waiting; vitest itself
 * knows how long a file takes only where it has run it before.
 */
const SLOWEST: readonly string[] = [
  'short-lives.simulation.test.ts',
  'terraform.recorded.integration.test.ts',
  'create-cluster.recorded.integration.test.ts',
  'holes.integration.test.ts',
  'long-lives.simulation.test.ts',
  'upgrade.simulation.test.ts',
  'in-place.simulation.test.ts',
  'aws-cluster.recorded.integration.test.ts',
  'adopt.recorded.integration.test.ts',
  'gce-cluster.recorded.integration.test.ts',
  'aws-root-device.integration.test.ts',
  'disk-faults.integration.test.ts',
  'upgrade-ladder.integration.test.ts',
  'store-faults.integration.test.ts',
  'process-faults.integration.test.ts',
  'data-faults.integration.test.ts',
  'paused-managers.integration.test.ts',
  'network-faults.integration.test.ts',
  'silent-changes.integration.test.ts',
  'no-space-alarm.integration.test.ts',
  'upgrades.integration.test.ts',
  'faults/src/members.integration.test.ts',
  'corrupt-alarm.integration.test.ts',
  'restores.integration.test.ts',
  'restore.integration.test.ts',
  'takeover.integration.test.ts',
  'addons.integration.test.ts',
  'nodeup.integration.test.ts',
  'reconcile-cluster.integration.test.ts',
  'aws-node.integration.test.ts',
  'verbs.integration.test.ts',
  'reconcile-revocation.integration.test.ts',
  'thousand-roll.integration.test.ts',
  'members-of-3-6.integration.test.ts',
  'members-of-3-5.integration.test.ts',
  'serf.integration.test.ts',
  'namespaces.integration.test.ts',
  'rolling-update.vm.test.ts',
  'security.vm.test.ts',
  'keyset-encryption.vm.test.ts',
  'broken-node.vm.test.ts',
  'addons.vm.test.ts',
];

/** The order in which the test files of a phase begin. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((left, right) => rank(left) - rank(right));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}`));
  return place === -1 ? SLOWEST.length : place;
}
