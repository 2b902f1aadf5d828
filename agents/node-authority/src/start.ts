import { processLog } from '@kopsctl/agent/log.ts';
import { runUntilTold } from '@kopsctl/agent/run-until-told.ts';
import { openNodeCloud, openNodeStore, openNodeVerifier } from '@kopsctl/clouds/node.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readConfig } from './config.ts';
import { runAgent } from './run-agent.ts';

/**
 * Runs the agent on this machine, with its real cloud, state store and API server, until SIGTERM or SIGINT.
 *
 * @returns the exit code of the process
 */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = processLog(env, 'node-authority');
  return runUntilTold(async (signal) => {
    const config = await readConfig(configPath);
    const { cluster, cloud, nodeName, kubeconfig } = config;
    log.info('started', { cluster, nodeName });
    const store = await openNodeStore(config, env, signal);
    const openStore = async (): Promise<StateStore> => store;
    const opened = {
      cloud: await openNodeCloud(cloud, { cluster, naming: { nodeName }, env, openStore }),
      verifier: await openNodeVerifier(cloud, { cluster, env, openStore }),
      store,
      kube: kubeClient(kubeconfig),
    };
    await runAgent(config, { ...opened, log }, signal);
    return 0;
  }, log);
}
