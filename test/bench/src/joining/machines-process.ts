import { InstanceIdentity } from '@kopsctl/clouds/local/control/metadata/instance-identity.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { AuthoritySession, Evidence, TrustedAuthority } from '@kopsctl/node-identity/authority-session.ts';
import { awaitAuthorities } from '@kopsctl/node-identity/await-authorities.ts';
import { flood, type FloodKind } from './flood.ts';
import { joiningMachine, joinOnce } from './join-machine.ts';
import type { BadMachine } from './machine-list.ts';
import { ownKey } from './own-key.ts';

/** What this process is told once: which machines it is. */
export interface Simulation {
  readonly trusted: TrustedAuthority;
  /** What serving certificates of kubelets are signed with, PEM. */
  readonly servingCa: string;
  readonly port: number;
  readonly good: readonly CloudMachine[];
  readonly bad: readonly BadMachine[];
}

/** What it tells. */
export type Told =
  /** All of them listen. The key is the public half of the cloud's: base64url of DER. */
  | { readonly type: 'listening'; readonly cloudKey: string }
  | { readonly type: 'joined'; readonly nodeName: string }
  /** A good machine, which is called again. */
  | { readonly type: 'failed'; readonly nodeName: string; readonly why: string }
  /** An attacker was called, or was taken for his machine. */
  | { readonly type: 'called' | 'taken'; readonly kind: FloodKind };

/** All machines of the bench in a process of their own, each at its own address. It is the cloud that vouches for them too. */
const cloud = new InstanceIdentity();
const ended = new AbortController();

const tell = (told: Told): void => void process.send?.(told);

process.once('disconnect', () => ended.abort());
// What the parent sends is a Simulation: it runs this file for nothing else.
process.once('message', (simulation: Simulation) => void simulate(simulation, ended.signal));

async function simulate({ trusted, servingCa, port, good, bad }: Simulation, signal: AbortSignal): Promise<void> {
  const evidenceOf =
    ({ instanceId }: CloudMachine): Evidence =>
    async (challenge) => {
      const question = { challenge: Buffer.from(challenge).toString('base64url') };
      const document = cloud.document(trusted.cluster, { name: instanceId }, question);
      if (document === undefined) throw new Error(`${question.challenge} is not a challenge`);
      return document;
    };
  const joining = await inTurn(good, (machine) => joiningMachine(machine, evidenceOf(machine), servingCa));
  for (const machine of joining) {
    const { nodeName, ipAddresses } = machine.subject;
    const answering = {
      port,
      address: ipAddresses[0] ?? '',
      trusted,
      talk: async (session: AuthoritySession) => {
        if (await joinOnce(session, machine, signal)) tell({ type: 'joined', nodeName });
      },
      onFailure: (_from: string, error: unknown) => tell({ type: 'failed', nodeName, why: messageOf(error) }),
    };
    // A port that is taken ends this process.
    void awaitAuthorities(answering, signal);
  }
  for (const machine of bad) {
    const { address, kind } = machine;
    const attacker = { trusted, key: await ownKey(), otherKey: await ownKey(), evidence: evidenceOf(machine) };
    const onCall = (): void => tell({ type: 'called', kind });
    const onTaken = (): void => tell({ type: 'taken', kind });
    await flood({ address, port, kind, attacker, onCall, onTaken }, signal);
  }
  tell({ type: 'listening', cloudKey: cloud.publicKey });
}

/** One after the other: each needs the processor, and memory while it is made. */
async function inTurn<From, To>(items: readonly From[], make: (item: From) => Promise<To>): Promise<readonly To[]> {
  const made: To[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}
