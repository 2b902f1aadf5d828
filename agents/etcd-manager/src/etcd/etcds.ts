import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { askEtcd, askIfThere } from './ask-etcd.ts';
import { clientFiles } from './certificates.ts';
import { dataHash, type DataHash } from './data-hash.ts';
import { clientUrl, memberHost } from './settings.ts';
import { whileAnswering } from './while-answering.ts';

/** The etcds of all machines, as a manager reaches them. The simulation has its own. */
export interface Etcds {
  ask: typeof askEtcd;
  askIfThere: typeof askIfThere;
  /** See `dataHash`. */
  dataHash(config: EtcdClusterConfig, member: string, revision: number, signal: AbortSignal): Promise<DataHash>;
}

export const etcdsOnNetwork: Etcds = {
  ask: askEtcd,
  askIfThere,
  dataHash(config, member, revision, signal) {
    const host = memberHost(config, member);
    const endpoint = clientUrl(config, host);
    const asked = { binDir: config.binDir, endpoint, files: clientFiles(config.mountPoint) };
    return whileAnswering(
      (until) => askEtcd(host, config, (etcd) => etcd.status(until)),
      (until) => dataHash(asked, revision, until),
      signal,
    );
  },
};
