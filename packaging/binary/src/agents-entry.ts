import path from 'node:path';

import packageJson from '../../../package.json' with { type: 'json' };
import { chooseAgent } from './choose-agent.ts';
import type { AgentName } from './choose-agent.ts';

type Main = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** Imports the code of an agent only when that agent is started. */
const AGENTS: Readonly<Record<AgentName, () => Promise<{ readonly main: Main }>>> = {
  nodeup: () => import('@kopsctl/nodeup/main.ts'),
  protokube: () => import('@kopsctl/protokube/main.ts'),
  'etcd-manager': () => import('@kopsctl/etcd-manager/main.ts'),
  'node-authority': () => import('@kopsctl/node-authority/main.ts'),
};

/** The agents in one file. The name under which it is started selects the agent. */
async function start(): Promise<void> {
  const choice = chooseAgent(path.basename(process.argv0), process.argv.slice(2));
  switch (choice.kind) {
    case 'agent': {
      const agent = await AGENTS[choice.name]();
      process.exitCode = await agent.main(choice.argv, process.env);
      break;
    }
    case 'version':
      process.stdout.write(`kops-agents ${packageJson.version}\n`);
      break;
    case 'usage':
      process.stderr.write(choice.message);
      process.exitCode = 3;
      break;
  }
}

void start();
