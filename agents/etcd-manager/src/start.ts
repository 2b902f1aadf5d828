import { processLog } from '@kopsctl/agent/log.ts';
import { runUntilTold } from '@kopsctl/agent/run-until-told.ts';
import { openNodeStore } from '@kopsctl/clouds/node.ts';
import { readConfig } from '@kopsctl/agent/read-config.ts';
import { parseConfig } from './config.ts';
import { runAgent } from './run-agent.ts';
import { systemdUnits } from './units/systemd-units.ts';

/**
 * Runs the agent on this machine, with its real state store and systemd, until SIGTERM or SIGINT.
 *
 * @returns the exit code of the process
 */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = processLog(env, 'etcd-manager');
  return runUntilTold(async (signal) => {
    const config = await readConfig(configPath, parseConfig);
    const { cluster, address, etcdClusters } = config;
    log.info('started', { cluster, address, etcdClusters: etcdClusters.map(({ name }) => name) });
    const store = await openNodeStore(config, env, signal);
    await runAgent(config, { store, units: systemdUnits(), log }, signal);
    return 0;
  }, log);
}
