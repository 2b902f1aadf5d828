import type { Log } from '@kopsctl/agent/log.ts';
import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import type { AuthoritySession } from '@kopsctl/node-identity/authority-session.ts';
import { awaitAuthorities } from '@kopsctl/node-identity/await-authorities.ts';
import { openMachineKey } from '@kopsctl/node-identity/machine-key.ts';
import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { answerAuthority, type AnswerEnv, LastCall } from './answer-authority.ts';
import type { Renewal } from './renewal.ts';

export interface IdentityEnv extends Pick<AnswerEnv, 'reporter' | 'restartKubelet'> {
  readonly cluster: string;
  readonly openIdentity: () => Promise<MachineIdentity>;
  readonly renewal: Renewal;
  readonly log: Log;
}

/** Answers the authorities that call, until the signal aborts. */
export async function reconcileIdentity(config: IdentityConfig, env: IdentityEnv, signal: AbortSignal): Promise<void> {
  const last = new LastCall();
  const answering = {
    port: config.port,
    trusted: {
      cluster: env.cluster,
      authorityCa: Buffer.from(config.authorityCa, 'base64').toString('utf8'),
    },
    talk: async (session: AuthoritySession, ended: AbortSignal): Promise<void> => {
      try {
        const identity = await env.openIdentity();
        const { restartKubelet, reporter, log } = env;
        const key = () => openMachineKey(config.machineKey);
        const evidence: AnswerEnv['evidence'] = (challenge, inner) => identity.evidence(challenge, inner);
        const answering = { key, evidence, restartKubelet, reporter, log };
        await answerAuthority(session, config, answering, last, ended);
        env.renewal.worked();
      } catch (error) {
        env.renewal.failed(error);
        throw error;
      }
    },
    onFailure: (from: string, error: unknown) => env.log.warn('call failed', { from, error }),
  };
  await awaitAuthorities(answering, signal);
}
