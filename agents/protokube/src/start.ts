import { openNodeCloud } from './open-cloud.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { readConfig } from './config.ts';
import { journalLog } from './log.ts';
import { runAgent } from './run-agent.ts';

const HOSTS = '/etc/hosts';
const FORMATS = '/var/lib/kops/formatting';

/** Makes the real effects and runs the agent until it is told to end. */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = journalLog((line) => process.stderr.write(line), 'protokube');
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    const config = await readConfig(configPath);
    log.info(`${config.nodeName} (${config.address}), ${config.role} of ${config.cluster} in ${config.cloud}`);
    let store: Promise<StateStore> | undefined;
    await runAgent(
      config,
      {
        cloud: await openNodeCloud(config.cloud),
        openStore: () => (store ??= openStore(config.stateStore, env)),
        hostsPath: HOSTS,
        formatsFolder: FORMATS,
        log,
      },
      ended.signal,
    );
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
