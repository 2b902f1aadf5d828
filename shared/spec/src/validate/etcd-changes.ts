import type { EtcdClusterSpec, EtcdMemberSpec } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** An etcd cluster, and where its members are. */
export interface PlacedEtcd extends Pick<EtcdClusterSpec, 'name'> {
  readonly etcdMembers?: readonly Pick<EtcdMemberSpec, 'name' | 'instanceGroup'>[] | undefined;
}

/**
 * What may not become of etcd clusters that hold data (kops pkg/apis/kops/validation/cluster.go): none is taken out, and no
 * member moves to another group, where its volume would not follow. Members may come and go.
 */
export function* validateEtcdChanges(applied: readonly PlacedEtcd[], wanted: readonly PlacedEtcd[]): Iterable<Fault> {
  for (const { name, etcdMembers = [] } of applied) {
    const index = wanted.findIndex((one) => one.name === name);
    if (index === -1) {
      const message = `the etcd cluster ${name} holds data of this cluster, but is no longer listed`;
      yield fault('spec.etcdClusters', message, `list ${name} again`);
      continue;
    }
    const groups = new Map(etcdMembers.map((member) => [member.name, member.instanceGroup]));
    for (const [place, member] of (wanted[index]?.etcdMembers ?? []).entries()) {
      const before = groups.get(member.name);
      if (before === undefined || before === member.instanceGroup) continue;
      yield fault(
        `spec.etcdClusters[${index}].etcdMembers[${place}].instanceGroup`,
        `the member ${member.name} of ${name} is in the group ${before}, where its volume is`,
        `leave it there, and add a member of another name in ${member.instanceGroup ?? 'the other group'}`,
      );
    }
  }
}
