import { existsSync } from 'node:fs';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { watchByAsking } from '@kopsctl/node-cloud/watch-by-asking.ts';
import { attachVolume } from './attach-volume.ts';
import { detachVolume } from './detach-volume.ts';
import { machineCredentials } from './credentials.ts';
import { deviceOnMachine } from './device-names.ts';
import { describeAll, type Ec2Query, Ec2Refusal, type Filters, openEc2Query } from './ec2-query.ts';
import { readAccount, readFacts } from './facts.ts';
import { addressOf, instanceFilters, machinesAmong, readInstances } from './instances.ts';
import { metadataEndpoint, openMetadata } from './metadata.ts';
import type { NodeNaming } from './node-name.ts';
import { readPodLimit } from './pod-limit.ts';
import { podRanges } from './pod-ranges.ts';
import { interfaceWithAddress } from './interface-with-address.ts';
import { machineRegion, serviceEndpoint } from './region.ts';
import { readVolumes, volumeFilters, volumesAmong } from './volumes.ts';
import type { Element } from './xml.ts';

export interface AwsNodeCloudOptions {
  readonly cluster: string;
  readonly naming: NodeNaming;
  /** Machines know each other by their IPv6 addresses. */
  readonly isIpv6Only?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether this machine runs on Xen. */
  readonly isXen?: boolean;
}

/** Exists on machine types before Nitro (EC2 user guide, "Identify EC2 instances"). */
const XEN = '/sys/hypervisor/uuid';

/** AWS as a machine sees it: its metadata service, and EC2 with the permissions of its role. */
export function createAwsNodeCloud(options: AwsNodeCloudOptions): NodeCloud {
  const { cluster, naming, isIpv6Only = false, env, isXen = existsSync(XEN) } = options;
  const metadata = openMetadata(metadataEndpoint(env));
  let opened: Ec2Query | undefined;
  let ownId: string | undefined;
  const instanceId = async (signal: AbortSignal) => (ownId ??= await metadata.read('instance-id', signal));
  const open = async (signal: AbortSignal): Promise<Ec2Query> => {
    if (opened !== undefined) return opened;
    const region = await machineRegion(metadata, env, signal);
    const endpoint = await serviceEndpoint('ec2', region, { metadata, env }, signal);
    const credentials = machineCredentials(metadata, env, Date.now);
    return (opened = openEc2Query({ endpoint, region, credentials, nowMs: Date.now }));
  };
  const describe = async (action: string, list: string, filters: Filters, signal: AbortSignal) => {
    try {
      return await describeAll(await open(signal), { action, list, filters }, signal);
    } catch (thrown) {
      throw thrown instanceof Ec2Refusal ? explained(action, thrown) : thrown;
    }
  };
  const instances = async (signal: AbortSignal) =>
    readInstances(await describe('DescribeInstances', 'reservationSet', instanceFilters(cluster), signal));
  const volumes = (signal: AbortSignal): Promise<readonly Element[]> =>
    describe('DescribeVolumes', 'volumeSet', volumeFilters(cluster), signal);

  const lookAtVolumes = async (signal: AbortSignal): Promise<readonly CloudVolume[]> => {
    const [found, machines, own] = await Promise.all([volumes(signal), instances(signal), instanceId(signal)]);
    const addresses = new Map(machines.map((machine) => [machine.instanceId, addressOf(machine, isIpv6Only)]));
    const deviceHere = (id: string, attachedAs: string) => deviceOnMachine(isXen, id, attachedAs);
    return volumesAmong(readVolumes(found), { cluster, instanceId: own, deviceHere, addresses });
  };
  const machineWatch = watchByAsking(
    async (signal) => machinesAmong(await instances(signal), { cluster, naming, isIpv6Only }),
    Math.random,
  );
  const volumeWatch = watchByAsking(lookAtVolumes, Math.random);

  return {
    facts: (signal) => readFacts(metadata, { naming, isIpv6Only }, signal),
    account: (signal) => readAccount(metadata, signal),
    podLimit: async (signal) => {
      try {
        return await readPodLimit(await open(signal), await metadata.read('instance-type', signal), signal);
      } catch (thrown) {
        throw thrown instanceof Ec2Refusal ? explained('DescribeInstanceTypes', thrown) : thrown;
      }
    },
    primaryInterface: async (signal) => interfaceWithAddress(await metadata.read('mac', signal)),
    podRanges: podRanges(open),
    machines: (after, signal) => machineWatch.newerThan(after, signal),
    volumes: (after, signal) => volumeWatch.newerThan(after, signal),
    async attachVolume(volumeId, signal) {
      const [ec2, own] = await Promise.all([open(signal), instanceId(signal)]);
      const attachedAs = await attachVolume(volumeId, { ec2, cluster, instanceId: own }, signal);
      return { device: deviceOnMachine(isXen, volumeId, attachedAs) };
    },
    async detachVolume(volumeId, signal) {
      const [ec2, own] = await Promise.all([open(signal), instanceId(signal)]);
      await detachVolume(volumeId, { ec2, cluster, instanceId: own }, signal);
    },
  };
}

/** Only the role of control planes may call EC2. */
function explained(action: string, cause: Ec2Refusal): ActionableError {
  const isForbidden = /Unauthorized|AccessDenied/.test(cause.code);
  return new ActionableError({
    what: `ask EC2 for the machines and volumes of the cluster (${action})`,
    why: isForbidden ? `the role of this machine does not allow it: ${cause.message}` : cause.message,
    next: isForbidden
      ? "only control-plane machines may do this; a worker finds the API by its name or its load balancer. On the control plane, run `kopsctl update cluster --yes`, which renews the role's policy"
      : 'check the role and the keys of this machine: `aws sts get-caller-identity` on it',
    cause,
  });
}
