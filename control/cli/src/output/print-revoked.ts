import type { RevokedNode } from '@kopsctl/actions/revoke-node.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { withState } from './next-command.ts';
import { writeErr, writeOut } from './terminal.ts';

/** Says what was revoked and what that does not reach. Returns the exit code. */
export function printRevoked(global: GlobalOptions, revoked: RevokedNode): number {
  const { outcome, node, instanceId, instanceGroup, address, revokedAt = '', reason } = revoked;
  const machine = `${node} (instance ${instanceId}, group ${instanceGroup}, address ${address})`;
  if (outcome === 'shown') {
    writeOut(`Would revoke ${machine}\n`);
    writeErr('nothing was changed; add --yes to do it\n');
    return 0;
  }
  const because = reason === undefined ? '' : `: ${reason}`;
  writeOut(
    outcome === 'revoked' ? `Revoked ${machine}\n` : `${machine} was revoked already, at ${revokedAt}${because}\n`,
  );
  const lines = [
    'It gets no certificates, plans or secrets from authorities any more, whatever it presents. Its Node is deleted within a minute.',
    ...remains(revoked),
  ];
  writeErr(withState(lines.map((line) => `- ${line}\n`).join(''), global.stateFlag));
  return 0;
}

/** What a revocation leaves to the machine, and to the person. */
export function remains(revoked: RevokedNode): readonly string[] {
  const { node, deniesWrites, heldKeys, gossiped, certificatesEnd, endCommand } = revoked;
  const end = certificatesEnd ?? 'its certificate ends (Kubernetes before 1.22 decides when: a year, unless set)';
  return [
    deniesWrites
      ? `The API server denies its writes within a minute. Until ${end}, it can still read what every node may read.`
      : `Until ${end}, it can read and write in the API what every node may: only Kubernetes 1.30 and newer deny the writes. Its Node is deleted whenever it appears.`,
    ...(gossiped
      ? [
          'It stays a member of the ring of gossip until control planes have changed its key, within an hour. Until then it can flood the ring and declare members dead, but it cannot move a name of the API or of etcd.',
        ]
      : []),
    'Its pods keep running until the machine is terminated.',
    ...(heldKeys
      ? [
          "It is an API server, and had keys of the cluster's CAs: an attacker who has the machine controls the whole cluster.",
          'Until it is terminated, it reads new keys too, by the rights of its machine in the cloud: terminate it before you rotate keysets.',
        ]
      : []),
    endCommand === undefined ? 'Next: terminate the machine itself.' : `Next: terminate it with \`${endCommand}\`.`,
    certificatesEnd === undefined
      ? `Give the name ${node} to no other machine before its certificate ends.`
      : `Another machine may have the name ${node} from ${certificatesEnd} on; earlier after \`kopsctl toolbox re-enroll ${node} --unrevoke\`, which trusts these certificates again.`,
  ];
}
