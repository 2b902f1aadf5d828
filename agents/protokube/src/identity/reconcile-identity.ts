import type { Log } from '@kopsctl/agent/log.ts';
import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import type { AuthoritySession } from '@kopsctl/node-identity/authority-session.ts';
import { awaitAuthorities } from '@kopsctl/node-identity/await-authorities.ts';
import { openMachineKey } from '@kopsctl/node-identity/machine-key.ts';
import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { answerAuthority, LastCall } from './answer-authority.ts';

export interface IdentityEnv {
  readonly cluster: string;
  readonly openIdentity: () => Promise<MachineIdentity>;
  readonly restartKubelet: (signal: AbortSignal) => Promise<void>;
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
    talk: async (session: AuthoritySession): Promise<void> => {
      const identity = await env.openIdentity();
      await answerAuthority(
        session,
        config,
        {
          key: () => openMachineKey(config.machineKey),
          evidence: (challenge, inner) => identity.evidence(challenge, inner),
          restartKubelet: env.restartKubelet,
          log: env.log,
        },
        last,
        signal,
      );
    },
    onFailure: (from: string, error: unknown) => env.log.warn('call failed', { from, error }),
  };
  await awaitAuthorities(answering, signal);
}
