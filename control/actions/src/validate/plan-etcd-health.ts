import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { isHeard } from '../etcd/etcd-diagnosis.ts';
import type { ValidationFailure } from './plan-validation.ts';

/** An etcd cluster of the completed spec, and what its managers say in the state store. */
export interface ObservedEtcd {
  readonly name: string;
  /** The names of the members that the spec asks for. */
  readonly members: readonly string[];
  readonly statuses: readonly MemberStatus[];
  /** Members that machines of kops serve, whose managers write no status. */
  readonly servedByKops?: readonly string[];
}

/**
 * What etcd lacks: members that are not heard or do not answer, alarms, and a quorum. Pure. An API server that answers
 * proves a quorum of `main`, so where no manager has ever said anything (a cluster that kops made, or one that is just
 * starting) nothing is missed.
 */
export function etcdFailures(etcds: readonly ObservedEtcd[], nowMs: number): readonly ValidationFailure[] {
  return etcds.flatMap((etcd) =>
    etcd.statuses.length === 0 ? [] : [...quorumFailure(etcd, nowMs), ...memberFailures(etcd, nowMs)],
  );
}

function quorumFailure(
  { name, members, statuses, servedByKops = [] }: ObservedEtcd,
  nowMs: number,
): readonly ValidationFailure[] {
  const heard = statuses.filter((status) => members.includes(status.member) && isHeard(status, nowMs));
  // A member that knows a leader is one of a majority, and so is one that an API server reads from.
  if (servedByKops.length > 0 || heard.some(({ etcd }) => etcd?.leaderId !== undefined)) return [];
  const answering = heard.filter(({ etcd }) => etcd !== undefined).length;
  const message = `has no quorum: ${answering} of ${members.length} members answer, and none knows a leader; see \`kopsctl etcd doctor\``;
  return [{ kind: 'Etcd', name, message }];
}

const memberFailures = (
  { name, members, statuses, servedByKops = [] }: ObservedEtcd,
  nowMs: number,
): readonly ValidationFailure[] =>
  members.flatMap((member): readonly ValidationFailure[] => {
    if (servedByKops.includes(member)) return [];
    const fail = (message: string): readonly ValidationFailure[] => [
      { kind: 'Etcd', name: `${name}/${member}`, message },
    ];
    const status = statuses.find((one) => one.member === member);
    if (status === undefined) return fail('its manager has never written its status');
    if (!isHeard(status, nowMs)) return fail(`its manager was last heard at ${status.updatedAt}`);
    if (status.etcd === undefined) return fail(`does not answer; its manager says "${status.decision}"`);
    if (status.problem !== undefined) return fail(status.problem);
    if (status.etcd.isLearner) return fail('is still learning, and has no vote');
    return status.etcd.alarms.length === 0 ? [] : fail(`has raised ${status.etcd.alarms.join(', ')}`);
  });
