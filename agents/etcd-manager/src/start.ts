import { processLog } from '@kopsctl/agent/log.ts';
import { runUntilTold } from '@kopsctl/agent/run-until-told.ts';
import { openNodeStore } from '@kopsctl/clouds/open-node-store.ts';
import { readConfig } from './config.ts';
import { runAgent } from './run-agent.ts';
import { systemdUnits } from './units/systemd-units.ts';

/** Makes the real effects and runs the agent until it is told to end. */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = processLog(env, 'etcd-manager');
  return runUntilTold(async (signal) => {
    const config = await readConfig(configPath);
    log.info(`${config.etcdClusters.map(({ name }) => name).join(', ')} of ${config.cluster} on ${config.address}`);
    const store = await openNodeStore(config, env, signal);
    await runAgent(config, { store, units: systemdUnits(), log }, signal);
    return 0;
  }, log);
}
