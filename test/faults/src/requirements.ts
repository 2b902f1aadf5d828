import { execa } from 'execa';
import { findEtcdLadder, findTestEtcds, type TestEtcd, type TestEtcds } from '@kopsctl/test-peers/etcd.ts';

/** The etcds for the clusters of a test. If machines of a test cannot run here, prints why and resolves with undefined. */
export async function findClusterEtcds(): Promise<TestEtcds | undefined> {
  const reason = await whyNoMachines();
  if (reason !== undefined) console.log(`SKIPPED: faults of etcd: ${reason}`);
  return reason === undefined ? findTestEtcds() : undefined;
}

/** One etcd of each minor version, each of which can be upgraded to the next; otherwise as above. */
export async function findClusterLadder(): Promise<readonly [TestEtcd, ...TestEtcd[]] | undefined> {
  const reason = await whyNoMachines();
  if (reason !== undefined) console.log(`SKIPPED: faults of etcd: ${reason}`);
  return reason === undefined ? findEtcdLadder() : undefined;
}

async function whyNoMachines(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'the machines of a test are network namespaces, which only root can create';
  const asked = await execa('ip', ['netns', 'list'], { reject: false });
  return asked.exitCode === 0 ? undefined : '`ip netns` does not work here';
}
