import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { kubernetesFacts } from '../kubernetes-versions.ts';
import { roleOf } from '../names.ts';
import { fault, type Fault } from './fault.ts';

type Systems = readonly (readonly [system: string, name: RegExp])[];

/** Systems whose C library is older than that of Node's executables (BUILDING.md of Node 24), by their images' names. */
const WITHOUT_AGENTS: Systems = [
  ['Amazon Linux 2', /(^|\/)amzn2-ami-/],
  ['Amazon Linux 1', /(^|\/)amzn-ami-/],
  ['Ubuntu 18.04', /(^|\/)ubuntu[-/].*(bionic|18\.?04)/],
  ['Ubuntu 16.04', /(^|\/)ubuntu[-/].*(xenial|16\.?04)/],
  ['Debian 9', /^debian-(9|stretch)\b/],
  ['Red Hat Enterprise Linux 7', /^rhel-7\b/i],
  ['CentOS 7', /^centos( linux)?[ -]7\b/i],
];

/** Systems that start with cgroup v1. */
const WITH_CGROUP_V1: Systems = [
  ['Ubuntu 20.04', /(^|\/)ubuntu[-/].*(focal|20\.?04)\b/],
  ['Debian 10', /^debian-(10|buster)\b/],
  ['Red Hat Enterprise Linux 8', /^rhel-8\b/i],
  ['Rocky Linux 8', /^rocky-(linux-)?8\b/i],
  ['CentOS 8', /^centos( linux| stream|-stream)?[ -]8\b/i],
];

/**
 * A group whose machines cannot run the agents or kubelet, as far as the name of the image tells.
 *
 * @param name of the image, without its owner, or of the parameter of Systems Manager that holds its id
 */
export function* oldSystem(
  { kubernetesVersion = '' }: ClusterSpec,
  group: InstanceGroup,
  name: string,
): Iterable<Fault> {
  if (roleOf(group) === 'Bastion') return;
  const withoutAgents = systemIn(WITHOUT_AGENTS, name);
  const withCgroupV1 = systemIn(WITH_CGROUP_V1, name);
  if (withoutAgents !== undefined) {
    const why = `'${name}' is ${withoutAgents}, and the agents need glibc 2.28: they would not start there`;
    yield fault('spec.image', why, HINT);
  } else if (withCgroupV1 !== undefined && kubernetesFacts(kubernetesVersion)?.needsCgroupV2 === true) {
    const why = `'${name}' is ${withCgroupV1}, and kubelet ${kubernetesVersion} needs cgroup v2: it would not start there`;
    yield fault('spec.image', why, HINT);
  }
}

const systemIn = (systems: Systems, name: string): string | undefined =>
  systems.find(([, start]) => start.test(name))?.[0];

const HINT = 'use a newer one, e.g. Ubuntu 24.04 or, on AWS, Debian 12 or Amazon Linux 2023';
