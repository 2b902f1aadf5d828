import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { readConfig } from './config.ts';
import { journalLog } from './log.ts';
import { runAgent } from './run-agent.ts';
import { systemdUnits } from './units/systemd-units.ts';

/** Makes the real effects and runs the agent until it is told to end. */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = journalLog((line) => process.stderr.write(line), 'etcd-manager');
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    const config = await readConfig(configPath);
    log.info(`${config.etcdClusters.map(({ name }) => name).join(', ')} of ${config.cluster} on ${config.address}`);
    const store = await openStore(config.stateStore, env);
    await runAgent(config, { store, units: systemdUnits(), log }, ended.signal);
    return 0;
  } catch (error) {
    const next = error instanceof ActionableError ? `; next: ${error.next}` : '';
    log.error(`${messageOf(error)}${next}`);
    return 1;
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
  }
}
