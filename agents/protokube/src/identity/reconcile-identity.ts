import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import type { AuthoritySession } from '@kopsctl/node-identity/authority-session.ts';
import { awaitAuthorities } from '@kopsctl/node-identity/await-authorities.ts';
import { openMachineKey } from '@kopsctl/node-identity/machine-key.ts';
import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { answerAuthority, SentReport } from './answer-authority.ts';

export interface IdentityEnv {
  readonly cluster: string;
  readonly openIdentity: () => Promise<MachineIdentity>;
  readonly restartKubelet: (signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

/** Answers the authorities that call, until the signal aborts. */
export async function reconcileIdentity(config: IdentityConfig, env: IdentityEnv, signal: AbortSignal): Promise<void> {
  const reportChanged = await watchReport(config.bootReport, signal);
  const sent = new SentReport();
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
          reportChanged,
          log: env.log,
        },
        sent,
        signal,
      );
    },
    onFailure: (from: string, error: unknown) => env.log.warn('call failed', { from, error }),
  };
  await awaitAuthorities(answering, signal);
}

/** nodeup replaces its report, so the folder is watched. */
async function watchReport(path: string, signal: AbortSignal): Promise<Wake> {
  const wake = new Wake();
  await mkdir(dirname(path), { recursive: true });
  const watcher = watch(dirname(path), { signal }, (_event, name) => {
    if (name === basename(path)) wake.ring();
  });
  // The folder is looked at now and then anyway.
  watcher.on('error', () => undefined);
  return wake;
}
