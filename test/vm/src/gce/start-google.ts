import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Answers, type GoogleOptions, OWN_METADATA_PORTS, PORTS, type Question } from './google-protocol.ts';

export interface Google {
  /** The variables by which programs in the namespace reach it in place of Google. */
  readonly env: Readonly<Record<string, string>>;
  ask<Ask extends Question['ask']>(question: Question & { readonly ask: Ask }): Promise<Answers[Ask]>;
  stop(): Promise<void>;
}

/** Starts what stands for Google in the network namespace of a local cluster, where its machines reach it. */
export async function startGoogle(netns: string, options: GoogleOptions): Promise<Google> {
  const main = join(import.meta.dirname, 'google-in-namespace.ts');
  const child = spawn('nsenter', [`--net=${netns}`, process.execPath, main, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...agentsAt(options.gateway) },
  });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), ended]);
  if (first[0] !== 'ready') throw new Error('what stands for Google did not start: its output says why');
  await atGooglesAddress(netns);
  let questions = 0;
  return {
    env: { ...addressesAt(options.gateway), ...agentsAt(options.gateway) },
    async ask(question) {
      const id = (questions += 1);
      child.send({ id, question });
      for (;;) {
        const [message] = (await once(child, 'message')) as [{ readonly id: number; readonly answer: never }];
        if (message.id === id) return message.answer;
      }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await ended;
    },
  };
}

/** Machines ask at the address of Google's metadata server, which is that of local machines' own as well. */
async function atGooglesAddress(netns: string): Promise<void> {
  const rule = `iifname "br0" ip daddr 169.254.169.254 tcp dport 80 tcp sport != ${OWN_METADATA_PORTS} redirect to :${PORTS.metadata}`;
  const table = `table ip google {
  chain metadata {
    type nat hook prerouting priority dstnat;
    ${rule}
  }
}
`;
  await execa('nsenter', [`--net=${netns}`, 'nft', '-f', '-'], { input: table });
}

function addressesAt(gateway: string): Readonly<Record<string, string>> {
  const [google, storage] = [PORTS.google, PORTS.storage].map((port) => `http://${gateway}:${port}`);
  return {
    CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${google}/compute/v1`,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_IAM: google ?? '',
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER: google ?? '',
    CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE: storage ?? '',
    KOPS_GOOGLE_KEYS_URL: `http://${gateway}:${PORTS.keys}/oauth2/v3/certs`,
  };
}

/** Where the agents are published. */
const agentsAt = (gateway: string) => ({ KOPSCTL_BASE_URL: `http://${gateway}:${PORTS.files}` });
