import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import type { Etcds } from '../etcd/etcds.ts';
import type { DataView } from './compare-data.ts';

/** A voter, and its latest revision if it answers. */
export interface Voter {
  readonly id: string;
  readonly member: string;
  readonly revision?: number;
}

/** Asks every voter that answers for the hash of its data, up to the latest revision that all of them have. */
export async function observeData(
  config: EtcdClusterConfig,
  voters: readonly Voter[],
  { log, etcds }: { readonly log: Log; readonly etcds: Pick<Etcds, 'dataHash'> },
  signal: AbortSignal,
): Promise<readonly DataView[]> {
  const common = Math.min(...voters.flatMap(({ revision }) => revision ?? []));
  return Promise.all(
    voters.map(async ({ id, member, revision }): Promise<DataView> => {
      if (revision === undefined) return { id, member };
      try {
        return { id, member, data: { revision, ...(await etcds.dataHash(config, member, common, signal)) } };
      } catch (error) {
        signal.throwIfAborted();
        // It counts as one that does not answer; what etcdctl says is the only trace of why.
        log.warn('could not compare the data of a member', { member, error });
        return { id, member };
      }
    }),
  );
}
