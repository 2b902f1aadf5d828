import { access } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openNodeStore } from '@kopsctl/clouds/node.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { readConfig } from '@kopsctl/agent/read-config.ts';
import { parseConfig } from '../config.ts';
import { clientFiles } from '../etcd/certificates.ts';
import { readMember } from '../read-member.ts';
import { verifyBackup } from './verify-backup.ts';

const USAGE = 'etcd-manager verify [BACKUP] [--etcd-cluster main] [--config /etc/kops/etcd-manager.json]';

/**
 * `etcd-manager verify BACKUP`: verifies a backup on this machine, beside the running manager, and prints the result as
 * JSON.
 *
 * @returns the exit code: 0 verified, 1 the backup cannot be restored or could not be verified, 3 wrong usage
 */
export async function verifyCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        config: { type: 'string', default: '/etc/kops/etcd-manager.json' },
        'etcd-cluster': { type: 'string', default: 'main' },
      },
    });
  } catch (error) {
    process.stderr.write(`etcd-manager: ${messageOf(error)}\nusage: ${USAGE}\n`);
    return 3;
  }
  const { values, positionals } = parsed;
  try {
    const config = await readConfig(values.config, parseConfig);
    const etcd = config.etcdClusters.find(({ name }) => name === values['etcd-cluster']);
    if (etcd === undefined) {
      throw new ActionableError({
        what: `verify a backup of etcd ${values['etcd-cluster']}`,
        why: `the etcd clusters of this machine are: ${config.etcdClusters.map(({ name }) => name).join(', ') || 'none'}`,
        next: 'name one of them with --etcd-cluster',
      });
    }
    const files = clientFiles(etcd.mountPoint);
    await access(files.key);
    const by = (await readMember(etcd.mountPoint))?.member ?? config.address;
    const stop = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort(new Error(signal)));
    const store = await openNodeStore(config, env, stop.signal);
    const result = await verifyBackup(positionals[0], etcd, { cluster: config.cluster, store, by, files }, stop.signal);
    process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
    return result.ok ? 0 : 1;
  } catch (error) {
    const next = error instanceof ActionableError ? `next: ${error.next}\n` : '';
    process.stderr.write(`etcd-manager: ${messageOf(error)}\n${next}`);
    return 1;
  }
}
