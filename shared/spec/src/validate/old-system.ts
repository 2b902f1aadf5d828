import type { InstanceGroup } from '../instance-group.ts';
import { roleOf } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** Systems whose C library is older than that of Node's executables (BUILDING.md of Node 24), by their images' names. */
const SYSTEMS: readonly (readonly [system: string, name: RegExp])[] = [
  ['Amazon Linux 2', /(^|\/)amzn2-ami-/],
  ['Amazon Linux 1', /(^|\/)amzn-ami-/],
  ['Ubuntu 18.04', /(^|\/)ubuntu[-/].*(bionic|18\.?04)/],
  ['Ubuntu 16.04', /(^|\/)ubuntu[-/].*(xenial|16\.?04)/],
  ['Debian 9', /^debian-(9|stretch)\b/],
  ['Red Hat Enterprise Linux 7', /^rhel-7\b/i],
  ['CentOS 7', /^centos( linux)?[ -]7\b/i],
];

/**
 * A group whose machines cannot run the agents, as far as the name of the image tells.
 *
 * @param name of the image, without its owner, or of the parameter of Systems Manager that holds its id
 */
export function* oldSystem(group: InstanceGroup, name: string): Iterable<Fault> {
  const [system] = SYSTEMS.find(([, start]) => start.test(name)) ?? [];
  if (system === undefined || roleOf(group) === 'Bastion') return;
  yield fault(
    'spec.image',
    `'${name}' is ${system}, and the agents need glibc 2.28: they would not start there`,
    'use a newer one, e.g. Ubuntu 24.04, Debian 12 or Amazon Linux 2023',
  );
}
