import { isIPv6 } from 'node:net';
import { processLog } from '@kopsctl/agent/log.ts';
import { runUntilTold } from '@kopsctl/agent/run-until-told.ts';
import { keepEngineSmall } from '@kopsctl/agent/small-engine.ts';
import {
  openNodeCloud,
  openNodeDns,
  openNodeIdentity,
  openNodeStore,
  openNodeVerifierFacts,
} from '@kopsctl/clouds/node.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readConfig } from '@kopsctl/agent/read-config.ts';
import { parseConfig } from './parse-config.ts';
import { readSecret } from './read-secret.ts';
import { restartKubelet } from './identity/restart-kubelet.ts';
import { runAgent } from './run-agent.ts';
import { startUnit } from './drift/start-unit.ts';
import { isClockSynchronized } from './clock/watch-clock.ts';
import { readApiServerLog } from './units/api-server-log.ts';
import { readJournal } from './units/last-errors.ts';
import { showUnits } from './units/show-units.ts';
import { isGoingDown } from './volumes/going-down.ts';

const HOSTS = '/etc/hosts';
const ACCOUNTS = '/etc/passwd';
const FORMATS = '/var/lib/kops/formatting';

/** Opens the cloud, the state store and the log, and runs the agent until it is stopped. */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = processLog(env, 'protokube');
  keepEngineSmall();
  return runUntilTold(async (signal) => {
    const config = await readConfig(configPath, parseConfig);
    const { nodeName, address, role, cluster, cloud } = config;
    log.info('started', { nodeName, address, role, cluster, cloud });
    let store: Promise<StateStore> | undefined;
    // After a failure the next caller opens it again.
    const openStore = () => (store ??= openNodeStore(config, env, signal).catch(forget));
    const forget = (error: unknown): never => {
      store = undefined;
      throw error;
    };
    await runAgent(
      config,
      {
        cloud: await openNodeCloud(config.cloud, {
          cluster: config.cluster,
          naming: { nodeName: config.nodeName },
          isIpv6Only: isIPv6(config.address),
          env,
          openStore,
        }),
        openStore,
        openZone: (zone, signal) =>
          openNodeDns(config.cloud, zone, {
            env,
            signal,
            readSecret: async (name) => readSecret(config.cluster, name, await openStore()),
          }),
        openIdentity: () => openNodeIdentity(config.cloud, { cluster: config.cluster, env }),
        openVerifierFacts: () => openNodeVerifierFacts(config.cloud, { cluster: config.cluster, env, openStore }),
        restartKubelet,
        startUnit,
        showUnits,
        readLogs: async (inner) => [await readApiServerLog(config.nodeName), await readJournal(inner)].join('\n'),
        isClockSynchronized,
        isGoingDown,
        openOtherStore: (url, inner) => openNodeStore({ cloud: config.cloud, stateStore: url }, env, inner),
        hostsPath: HOSTS,
        accountsPath: ACCOUNTS,
        formatsFolder: FORMATS,
        log,
      },
      signal,
    );
    return 0;
  }, log);
}
