import { execa } from 'execa';
import { testEtcds, type TestEtcd } from '@kopsctl/etcd-manager/restore/test-etcds.ts';

/** Every fault, also those of five members and those that take minutes: KOPSCTL_FAULTS=long. */
export const isLong = process.env['KOPSCTL_FAULTS'] === 'long';

/** The newest etcd of a minor version; undefined where none was unpacked. */
export function etcdOf(minor: string): TestEtcd | undefined {
  return testEtcds().findLast(({ version }) => version.startsWith(`${minor}.`));
}

/** The etcd that tests run on unless they are about others. */
export const ETCD = etcdOf('3.4');

/** Why these tests cannot run here; undefined: they can. */
export async function whyNot(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'machines of a test have network namespaces, which only root can make';
  if ((await execa('ip', ['netns', 'list'], { reject: false })).exitCode !== 0) return '`ip netns` does not work here';
  return ETCD === undefined
    ? 'there is no etcd 3.4: test/conformance unpacks it, or KOPSCTL_TEST_ETCD names it'
    : undefined;
}
