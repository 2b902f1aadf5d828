import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { jittered } from '@kopsctl/agent/wake.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { LatestNames } from './name-source.ts';

/** Load balancers of AWS rarely change their addresses; their names have a time to live of 60 seconds. */
const LOOK_AGAIN_MS = 30_000;

export interface LoadBalancerEnv {
  /** This machine's own. */
  readonly address: string;
  readonly names: LatestNames;
  /** All addresses of a name. */
  readonly lookUp: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly log: Log;
}

/**
 * Resolves names to the addresses of a load balancer, for machines that find the API neither by a zone nor by a list of
 * machines. While DNS does not answer, the last addresses stay.
 */
export async function followLoadBalancer(
  { names, loadBalancer }: NonNullable<ProtokubeConfig['balanced']>,
  env: LoadBalancerEnv,
  signal: AbortSignal,
): Promise<void> {
  let known = '';
  const fixed = addressesIn(loadBalancer);
  while (!signal.aborted) {
    const addresses = [...reachable(fixed ?? (await env.lookUp(loadBalancer, signal)), env.address)].sort();
    if (addresses.length > 0 && addresses.join(' ') !== known) {
      known = addresses.join(' ');
      env.names.set(names.map((name) => ({ name, addresses })));
      env.log.info('load balancer has new addresses', { loadBalancer, addresses });
    }
    await sleep(jittered(LOOK_AGAIN_MS), undefined, { signal });
  }
}

/** Its addresses, where the machine was told these: no name server has a name for them. */
function addressesIn(loadBalancer: string): readonly string[] | undefined {
  const parts = loadBalancer.split(' ');
  return parts.every((part) => isIP(part) !== 0) ? parts : undefined;
}

/** A machine that has only IPv6 cannot send anything to the IPv4 addresses of a load balancer that has both. */
function reachable(addresses: readonly string[], own: string): readonly string[] {
  const family = isIP(own);
  const alike = addresses.filter((address) => isIP(address) === family);
  return alike.length > 0 ? alike : addresses;
}

/** Asks name servers only: /etc/hosts is written from the answer. */
export async function lookUp(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 3 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const failure = answers.find((answer) => answer.status === 'rejected' && codeOf(answer.reason) !== 'ENODATA');
    throw new ActionableError({
      what: `look up the load balancer ${name}`,
      why: failure?.status === 'rejected' ? messageOf(failure.reason) : 'it has no address',
      next: 'check that it exists and that this machine reaches a name server (`getent ahosts NAME`)',
      ...(failure?.status === 'rejected' && { cause: failure.reason }),
    });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
