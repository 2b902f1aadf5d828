import { processLog } from '@kopsctl/agent/log.ts';
import { runUntilTold } from '@kopsctl/agent/run-until-told.ts';
import { keepEngineSmall, keepHeapSmall } from '@kopsctl/agent/small-engine.ts';
import { openNodeVerifier } from '@kopsctl/clouds/node.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import { openBroker } from './broker/broker.ts';
import { readConfig } from '@kopsctl/agent/read-config.ts';
import { parseConfig } from './config.ts';
import { runAgent } from './run-agent.ts';

/**
 * Runs the agent on this machine, with its real broker and API server, until SIGTERM or SIGINT.
 *
 * @returns the exit code of the process
 */
export async function start(configPath: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = processLog(env, 'node-authority');
  keepEngineSmall();
  keepHeapSmall();
  return runUntilTold(async (signal) => {
    const config = await readConfig(configPath, parseConfig);
    const { cluster, cloud, nodeName, kubeconfig } = config;
    log.info('started', { cluster, nodeName });
    const broker = openBroker(config.broker, log.about('broker'));
    const verifier = await openNodeVerifier(cloud, { cluster, facts: broker.verifierFacts });
    await runAgent(config, { broker, verifier, kube: kubeClient(kubeconfig), log }, signal);
    return 0;
  }, log);
}
