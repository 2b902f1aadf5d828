import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import type { EtcdStatus } from './etcd/client.ts';
import { etcdsOnNetwork } from './etcd/etcds.ts';
import { memberHost } from './etcd/settings.ts';
import { memberOf } from './membership/member-of.ts';

/** A machine that shuts down does not wait for etcds that are silent. */
const WITHIN_MS = 2_000;
/** A healthy etcd answers in milliseconds. */
const ANSWERS_WITHIN_MS = 700;

const NOT_HANDED_OVER = 'did not hand over the leadership before etcd stops';

/**
 * Moves the leadership from this machine's etcd to another voter, if it leads. etcd hands over by itself as it stops, but only
 * when its clients have gone, and the watches of an API server never end: it waits for seven seconds (embed/etcd.go, Close).
 * By then it has been killed, and the others notice only after a second of silence, in which no write succeeds.
 * Where this fails, etcd stops all the same, so that is said and not thrown.
 */
export async function handOver(
  config: EtcdClusterConfig,
  { address, log }: { readonly address: string; readonly log: Log },
): Promise<void> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  try {
    await etcdsOnNetwork.ask(address, config, async (etcd) => {
      const own = await etcd.status(signal);
      if (own.leaderId !== own.memberId) return;
      const voters = (await etcd.members(signal)).filter(({ id, isLearner }) => id !== own.memberId && !isLearner);
      if (voters.length === 0) return;
      const heir = await mostAdvanced(
        config,
        own,
        voters.map((voter) => memberOf(config, voter)),
      );
      if (heir === undefined) {
        log.warn(NOT_HANDED_OVER, { reason: 'no other voter follows it and answers' });
        return;
      }
      await etcd.moveLeader(heir.memberId, signal);
      log.info('handed over the leadership before etcd stops', { to: heir.member });
    });
  } catch (error) {
    log.warn(NOT_HANDED_OVER, { error });
  }
}

/** The voter that follows this leader and has most of its data; undefined if none answers. */
async function mostAdvanced(
  config: EtcdClusterConfig,
  own: EtcdStatus,
  members: readonly string[],
): Promise<{ readonly member: string; readonly memberId: string } | undefined> {
  const answers = await Promise.all(
    members.map(async (member) => {
      const within = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const ask = etcdsOnNetwork.ask(memberHost(config, member), config, (etcd) => etcd.status(within));
      return { member, status: await ask.catch(() => undefined) };
    }),
  );
  const followers = answers.flatMap(({ member, status }) =>
    status?.leaderId === own.memberId ? [{ member, memberId: status.memberId, revision: status.revision }] : [],
  );
  return followers.toSorted((a, b) => b.revision - a.revision)[0];
}
