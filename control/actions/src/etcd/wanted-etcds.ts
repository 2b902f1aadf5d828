import type { Cluster } from '@kopsctl/spec/cluster.ts';

export interface WantedMember {
  readonly name: string;
  /** The instance group whose machine has it. */
  readonly instanceGroup: string;
}

/** An etcd cluster as the spec asks for it. */
export interface WantedEtcd {
  readonly name: string;
  readonly members: readonly WantedMember[];
}

/** The etcd clusters of a completed spec. */
export const wantedEtcds = ({ spec }: Pick<Cluster, 'spec'>): readonly WantedEtcd[] =>
  (spec.etcdClusters ?? []).map(({ name = '', etcdMembers = [] }) => ({
    name,
    members: etcdMembers.map((member) => ({ name: member.name ?? '', instanceGroup: member.instanceGroup ?? '' })),
  }));
