import type { FieldChange, Handler, JsonObject, Owned } from '@kopsctl/tasks/task.ts';
import { differences } from '@kopsctl/tasks/differences.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { GceKind, PropsOf } from '../kinds/gce-kinds.ts';
import { clusterAccounts, ofOwnAccounts } from './cluster-accounts.ts';
import type { GceCloud, GceEnv } from './gce-cloud.ts';
import { doing, isNotFound } from './google-error.ts';
import { type Binding, type Membership, membershipsIn, type Policy, withMember, withoutMember } from './iam-policy.ts';

/** A resource with a policy that says who may do what with it: a project, a bucket. */
export interface PolicyOwner {
  readonly read: (gce: GceCloud, signal: AbortSignal) => Promise<Policy>;
  /** Google refuses it when somebody has changed the policy meanwhile. */
  readonly write: (gce: GceCloud, policy: Policy, signal: AbortSignal) => Promise<void>;
}

interface MembershipKind<Kind extends GceKind> {
  readonly kind: Kind;
  readonly ownerOf: (props: PropsOf<Kind>) => PolicyOwner;
  readonly wanted: (props: PropsOf<Kind>) => Membership;
  /** Whether a membership is an earlier form of the wanted one, which it replaces. */
  readonly isFormer: (one: Membership, wanted: Membership) => boolean;
  /** Every policy in which the cluster's accounts may be. */
  readonly owners: (gce: GceCloud) => readonly OwnerOfMembers[];
}

interface OwnerOfMembers {
  readonly owner: PolicyOwner;
  readonly what: string;
  /** The name of the task that made a membership. */
  readonly taskOf: (one: Membership) => string;
  /** Whether kopsctl, or kops before it, gives the role to the account with this name. Others may give accounts more roles. */
  readonly isMade: (one: Membership, account: string) => boolean;
}

/** A member that was deleted stays in policies: `deleted:serviceAccount:a@b?uid=1`. */
const emailIn = (member: string): string => member.replace(/^(deleted:)?serviceAccount:/, '').replace(/\?uid=.*$/, '');

export const memberOf = (email: string): string => `serviceAccount:${email}`;

const describe = ({ role, condition }: Membership): JsonObject => ({
  role,
  ...(condition && { condition: condition.expression }),
});

const keyOf = ({ role, member, condition }: Membership): string =>
  JSON.stringify([role, member, condition?.title, condition?.expression]);

/**
 * Members of roles. Everyone else who has a role keeps it: a policy is read, gets one member more or less, and is written
 * only if nobody has changed it meanwhile.
 */
export function membershipHandler<Kind extends GceKind>({
  kind,
  ownerOf,
  wanted,
  isFormer,
  owners,
}: MembershipKind<Kind>): Handler<GceEnv, PropsOf<Kind>, readonly Membership[]> {
  const former = async (props: PropsOf<Kind>, gce: GceCloud, signal: AbortSignal) => {
    const wish = wanted(props);
    const policy = await ownerOf(props).read(gce, signal);
    const found = membershipsIn(policy, (one) => one.member === wish.member && isFormer(one, wish));
    return { policy, found };
  };
  const changesOf = (props: PropsOf<Kind>, found: readonly Membership[]): readonly FieldChange[] =>
    differences([describe(wanted(props))], found.map(describe));
  return {
    kind,
    // Changes to one policy are made one after another.
    concurrency: 1,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by gceTask, which holds it to the same contract
    parse: (props) => props as PropsOf<Kind>,

    find: (name, props, { gce }, signal) =>
      doing(`look for the role of ${name}`, async () => {
        const { found } = await former(props, gce, signal);
        return found.length === 0 ? undefined : found;
      }),

    plan(name, props, found) {
      const { role, member } = wanted(props);
      if (found === undefined) return [{ action: 'create', summary: `give ${role} to ${member} (${name})` }];
      const changes = changesOf(props, found);
      return changes.length === 0
        ? []
        : [{ action: 'update', summary: `change the role of ${member} (${name})`, changes }];
    },

    apply: (_step, name, props, { gce }, signal) =>
      doing(`give the role of ${name}`, async () => {
        const { policy, found } = await former(props, gce, signal);
        const without = found.reduce<readonly Binding[]>(withoutMember, policy.bindings);
        const bindings = withMember(without, wanted(props));
        await ownerOf(props).write(gce, { ...policy, bindings }, signal);
      }),

    async listOwned({ gce }, signal) {
      const lists = owners(gce).map((place) =>
        doing(`list who has roles of ${place.what}`, async () =>
          (await ofOwnAccounts(gce, () => ownIn(place, gce, signal))).map((one): Owned => ({
            name: place.taskOf(one),
            description: `${one.role} of ${one.member} in ${place.what}`,
            handle: { what: place.what, key: keyOf(one) },
          })),
        ),
      );
      return (await Promise.all(lists)).flat();
    },

    remove: ({ description, handle }, { gce }, signal) =>
      doing(`remove ${description}`, async () => {
        const place = owners(gce).find(({ what }) => what === Reflect.get(Object(handle), 'what'));
        if (place === undefined) throw new Error(`${description} is nowhere`);
        const policy = await place.owner.read(gce, signal);
        const key: unknown = Reflect.get(Object(handle), 'key');
        const gone = membershipsIn(policy, (one) => keyOf(one) === key);
        if (gone.length === 0) return;
        const bindings = gone.reduce<readonly Binding[]>(withoutMember, policy.bindings);
        await place.owner.write(gce, { ...policy, bindings }, signal);
      }),
  };
}

/** A resource that is gone gives no rights. */
export const unlessGone = ({ read, write }: PolicyOwner): PolicyOwner => ({
  write,
  async read(gce, signal): Promise<Policy> {
    try {
      return await read(gce, signal);
    } catch (thrown) {
      if (thrown instanceof PermanentError && isNotFound(thrown.cause)) return { bindings: [], etag: '' };
      throw thrown;
    }
  },
});

/**
 * The roles of the cluster's accounts. Those that others gave go with the cluster alone; a deleted account has no use for any.
 */
async function ownIn(
  { owner, isMade }: OwnerOfMembers,
  gce: GceCloud,
  signal: AbortSignal,
): Promise<readonly Membership[]> {
  const names = new Map([...clusterAccounts(gce)].map(([name, email]) => [email, name]));
  return membershipsIn(await owner.read(gce, signal), (one) => {
    const account = names.get(emailIn(one.member));
    if (account === undefined) return false;
    return gce.everything || one.member.startsWith('deleted:') || isMade(one, account);
  });
}
