import type { Log } from '@kopsctl/agent/log.ts';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import { awaitAuthorities } from '@kopsctl/node-identity/await-authorities.ts';
import { openMachineKey } from '@kopsctl/node-identity/machine-key.ts';
import type { BootConfig, PlanThroughAuthority } from '@kopsctl/node-plan/node-plan.ts';

export interface AuthorityEnv {
  readonly openIdentity: () => Promise<MachineIdentity>;
  readonly log: Log;
}

/** protokube, which the plan brings, waits for the next call. */
const CALL_AGAIN_SECONDS = 1;

/**
 * Waits for an authority to call, proves which machine this is, and gets the plan that the user-data pins. Nobody has
 * verified its hash yet.
 */
export async function planFromAuthority(
  { cluster, planHash, authorityCa = '' }: BootConfig,
  { port, machineKey }: PlanThroughAuthority,
  { openIdentity, log }: AuthorityEnv,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const got = Promise.withResolvers<Uint8Array>();
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const waiting = awaitAuthorities(
    {
      port,
      trusted: { cluster, authorityCa: Buffer.from(authorityCa, 'base64').toString('utf8') },
      talk: async (session, hungUp) => {
        const identity = await openIdentity();
        const evidence = (challenge: Uint8Array, inner: AbortSignal) => identity.evidence(challenge, inner);
        const { nodeName } = await session.attest(await openMachineKey(machineKey), evidence, hungUp);
        const plan = await session.plan(planHash, hungUp);
        await session.goodbye({ againSeconds: CALL_AGAIN_SECONDS }, hungUp);
        log.info('plan received', { node: nodeName, bytes: plan.byteLength });
        got.resolve(plan);
      },
      onFailure: (from, error) => log.warn('call failed', { from, error }),
    },
    both,
  );
  log.info('waiting for an authority, which has the plan', { port });
  try {
    return await Promise.race([got.promise, waiting.then(neverEnds, (error: unknown) => refuse(error, port))]);
  } finally {
    ended.abort();
  }
}

const neverEnds = (): never => {
  throw new Error('the port for authorities was closed');
};

function refuse(error: unknown, port: number): never {
  if (codeOf(error) !== 'EADDRINUSE') throw error;
  throw new ActionableError({
    what: 'get the node plan from an authority',
    why: `port ${port} is taken: an agent of an earlier plan waits for authorities there`,
    next: 'run `systemctl stop protokube; systemctl restart nodeup`',
    cause: error,
  });
}
