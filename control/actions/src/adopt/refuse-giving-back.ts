import { minorNumber } from '@kopsctl/spec/minor-version.ts';
import type { Operation } from '../upgrade/operation.ts';
import { isLeft } from '../upgrade/operation.ts';
import { isUnderWay, type Roll } from '../rolling/roll.ts';

/** One etcd cluster: what its members run, and what kops would run. */
export interface EtcdVersions {
  readonly name: string;
  readonly runs: readonly string[];
  /** Undefined where nothing says it. */
  readonly ofKops: string | undefined;
}

export interface GivingBack {
  readonly cluster: string;
  readonly roll: Roll | undefined;
  readonly operation: Operation | undefined;
  /** An object that kops reads and that is sealed, and the key's name. */
  readonly sealed: { readonly path: string; readonly sealedWith: string } | undefined;
  readonly etcds: readonly EtcdVersions[];
}

interface Hindrance {
  readonly why: string;
  readonly next: string;
}

/** Why kops could not go on with a cluster as it is, and what to do first. Undefined where it can. Pure. */
export function whyKopsCannot(around: GivingBack): Hindrance | undefined {
  return unfinished(around) ?? unreadable(around) ?? newerEtcd(around);
}

/** Machines that wait for their replacement are left to kops: the cloud makes the replacement. */
function unfinished({ cluster, roll, operation }: GivingBack): Hindrance | undefined {
  const next = `finish it with the command that began it, or end it with \`kopsctl rolling-update abort ${cluster}\``;
  if (isLeft(operation)) {
    const what = operation.kind === 'Upgrade' ? 'an upgrade' : 'a reconciliation';
    return { why: `${what} of it was left unfinished, and kops knows nothing of that`, next };
  }
  const open = roll?.turns.find((turn) => isUnderWay(turn) && turn.step !== 'validate');
  if (open === undefined) return undefined;
  return {
    why: `a rolling update was left at the step ${open.step} of ${open.name}, which may be cordoned or out of its load balancers`,
    next,
  };
}

function unreadable({ cluster, sealed }: GivingBack): Hindrance | undefined {
  if (sealed === undefined) return undefined;
  return {
    why: `${sealed.path} is sealed with ${sealed.sealedWith}, and kops cannot open it`,
    next: `have keysets and secrets written in the clear (docs/secrets.md), apply that with \`kopsctl update cluster ${cluster} --yes\`, and repeat the command`,
  };
}

/** An older etcd does not read newer data, and kops's manager does not start one. */
function newerEtcd({ cluster, etcds }: GivingBack): Hindrance | undefined {
  for (const { name, runs, ofKops } of etcds) {
    const newer = ofKops === undefined ? undefined : runs.find((version) => minorNumber(version) > minorNumber(ofKops));
    if (newer === undefined) continue;
    return {
      why: `etcd ${name} runs ${newer}, and kops would run ${ofKops}, which cannot read its data`,
      next: `name ${newer} in spec.etcdClusters[].version (\`kopsctl edit cluster ${cluster}\`), with a kops that has it; or restore a backup from before (docs/etcd.md)`,
    };
  }
  return undefined;
}
