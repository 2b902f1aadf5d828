import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Ec2Query } from './ec2-query.ts';
import { type Element, itemsAt, textAt } from './xml.ts';

/** kubelet's own default: beyond this number of pods, addresses are not the limit. */
const MOST = 110;
/** Pods in the host's network, which need no address of their own: kube-proxy and the network itself. */
const WITHOUT_ADDRESS = 2;

/** How many pods a machine of a type has addresses for. */
export async function readPodLimit(ec2: Ec2Query, instanceType: string, signal: AbortSignal): Promise<number> {
  const answer = await ec2.call('DescribeInstanceTypes', { 'InstanceType.1': instanceType }, signal);
  return podLimitOf(answer, instanceType);
}

/** amazon-vpc-cni-k8s README, "Setup": the first address of each interface is the interface's own. */
export function podLimitOf(answer: Element, instanceType: string): number {
  const network = itemsAt(answer, 'instanceTypeSet')[0]?.inside.find(({ name }) => name === 'networkInfo');
  const numberAt = (name: string) => (network === undefined ? 0 : Number(textAt(network, name)));
  const interfaces = numberAt('maximumNetworkInterfaces');
  const addresses = numberAt('ipv4AddressesPerInterface');
  if (interfaces >= 1 && addresses >= 1) return Math.min(interfaces * (addresses - 1) + WITHOUT_ADDRESS, MOST);
  throw new ActionableError({
    what: 'find out how many pods this machine has addresses for',
    why: `EC2 does not say how many network interfaces and addresses ${instanceType} has`,
    next: 'set spec.kubelet.maxPods of the instance group',
  });
}
