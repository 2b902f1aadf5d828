import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { podRangeName, serviceRangeName } from '../alias-ranges.ts';
import { change, read, resourcePath, type ResourcePath } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { networkProject } from './own-names.ts';
import type { OwnedResource } from './resource-handler.ts';

/** The secondary ranges of a subnet, by name. */
export type Ranges = Readonly<Record<string, string>>;

export const secondaryRangesIn = (answer: AnswerFields): Ranges =>
  Object.fromEntries(
    answer.list('secondaryIpRanges').map((range) => [range.text('rangeName'), range.text('ipCidrRange')]),
  );

export const rangesOf = (ranges: Ranges) =>
  Object.entries(ranges).map(([rangeName, ipCidrRange]) => ({ rangeName, ipCidrRange }));

/** The subnets of others that the cluster uses. They are never deleted. */
export const sharedSubnets = (gce: GceCloud): readonly { readonly name: string; readonly path: ResourcePath }[] =>
  (gce.cluster.spec.subnets ?? []).flatMap(({ id }) =>
    id === undefined || id === ''
      ? []
      : [{ name: id, path: resourcePath(networkProject(gce), `regions/${gce.region}`, 'subnetworks', id) }],
  );

const ownRanges = ({ clusterName }: GceCloud): readonly string[] => [
  podRangeName(clusterName),
  serviceRangeName(clusterName),
];

/** What the cluster has added to subnets of others: the ranges of its pods and Services. */
export async function rangesInSharedSubnets(gce: GceCloud, signal: AbortSignal): Promise<readonly OwnedResource[]> {
  const found = sharedSubnets(gce).map(async ({ name, path }) => {
    const answer = await read(gce, path, signal);
    const own = answer && ownRanges(gce).filter((range) => range in secondaryRangesIn(answer));
    return own === undefined || own.length === 0
      ? []
      : [{ name, description: `ranges ${own.join(' and ')} of the subnet ${name}`, handle: path }];
  });
  return (await Promise.all(found)).flat();
}

/** Takes the cluster's ranges out of a subnet of others, and leaves every other range there. */
export async function giveBackRanges(gce: GceCloud, path: string, signal: AbortSignal): Promise<void> {
  const subnet = sharedSubnets(gce).find((one) => one.path === path);
  const answer = subnet && (await read(gce, subnet.path, signal));
  if (answer === undefined) return;
  const own = ownRanges(gce);
  const kept = Object.entries(secondaryRangesIn(answer)).filter(([name]) => !own.includes(name));
  const body = { secondaryIpRanges: rangesOf(Object.fromEntries(kept)), fingerprint: answer.text('fingerprint') };
  await change(gce, { method: 'PATCH', path, body }, signal);
}
