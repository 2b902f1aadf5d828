import { randomUUID } from 'node:crypto';
import type { CheckedRequest } from './google-schema.ts';
import { notFound, Refusal, refuse } from './google-refusal.ts';

interface Account {
  readonly name: string;
  readonly email: string;
  readonly uniqueId: string;
  readonly displayName: string;
  readonly description: string;
  readonly etag: string;
}

interface Binding {
  readonly role: string;
  readonly members: readonly string[];
  readonly condition?: object;
}

export interface Bucket {
  /** Whether its objects have no lists of readers of their own. */
  readonly isUniform: boolean;
  /** What keeps everybody out, whatever policies and lists say; what an organization does, its buckets do not show. */
  readonly preventsPublicAccess?: 'itself' | 'organization';
}

interface Policy {
  readonly version: number;
  readonly bindings: readonly Binding[];
  readonly etag: string;
}

/**
 * Service accounts, and the policies of projects, buckets and keys, in memory. Only a caller that has read the last version of a
 * policy can write it, only existing accounts become members, and an account that is deleted stays in policies under another
 * name. A new account may be unknown for a while: "it can take 60 seconds or more before you can use the service account"
 * (https://cloud.google.com/iam/docs/service-accounts-create).
 */
export class PolicyState {
  readonly accounts = new Map<string, Account>();
  readonly policies = new Map<string, Policy>();
  /** By name. */
  readonly buckets = new Map<string, Bucket>();
  /** How long a new account is unknown. */
  lagMs = 0;
  /** Called for each request in which an account was unknown because it is new. */
  onUnknown: () => void = () => undefined;
  readonly #madeMs = new Map<string, number>();
  #numbers = 100;

  answer({ method, parameters, body }: CheckedRequest): object | Refusal {
    const given = (body ?? {}) as Readonly<Record<string, unknown>>;
    const { projectsId: project = '', serviceAccountsId: email = '', resource = '', bucket = '' } = parameters;
    switch (method.id) {
      case 'iam.projects.serviceAccounts.create':
        return this.#create(project, given);
      case 'iam.projects.serviceAccounts.get':
        return (this.#isTooNew(email) ? undefined : this.accounts.get(email)) ?? notFound(email);
      case 'iam.projects.serviceAccounts.list':
        return { accounts: [...this.accounts.values()] };
      case 'iam.projects.serviceAccounts.patch':
        return this.#change(email, given);
      case 'iam.projects.serviceAccounts.update':
        return this.#change(email, { serviceAccount: given, updateMask: 'displayName,description' });
      case 'iam.projects.serviceAccounts.delete':
        return this.#delete(email);
      case 'cloudresourcemanager.projects.getIamPolicy':
        return this.#policy(`projects/${resource}`);
      case 'cloudresourcemanager.projects.setIamPolicy':
        return this.#write(`projects/${resource}`, given['policy'] as Partial<Policy>, 409);
      case 'cloudkms.projects.locations.keyRings.cryptoKeys.getIamPolicy':
        return this.#policy(`keys/${keyOf(parameters)}`);
      case 'cloudkms.projects.locations.keyRings.cryptoKeys.setIamPolicy':
        return this.#write(`keys/${keyOf(parameters)}`, given['policy'] as Partial<Policy>, 409);
      case 'storage.buckets.get': {
        const found = this.buckets.get(bucket);
        if (found === undefined) return notFound(bucket);
        const publicAccessPrevention = found.preventsPublicAccess === 'itself' ? 'enforced' : 'inherited';
        const uniformBucketLevelAccess = { enabled: found.isUniform };
        return { name: bucket, iamConfiguration: { uniformBucketLevelAccess, publicAccessPrevention } };
      }
      case 'storage.buckets.getIamPolicy':
        return this.buckets.has(bucket) ? this.#policy(`buckets/${bucket}`) : notFound(bucket);
      case 'storage.buckets.setIamPolicy':
        return this.buckets.has(bucket) ? this.#write(`buckets/${bucket}`, given, 412) : notFound(bucket);
      default:
        throw new Error(`the server does not know ${method.id}`);
    }
  }

  #create(project: string, given: Readonly<Record<string, unknown>>): object | Refusal {
    const id = String(given['accountId']);
    const email = `${id}@${project}.iam.gserviceaccount.com`;
    if (!/^[a-z](?:[-a-z0-9]{4,28}[a-z0-9])$/.test(id)) return refuse(400, 'invalid', `${id} is not an account id`);
    if (this.accounts.has(email)) return refuse(409, 'alreadyExists', `Service account ${id} already exists.`);
    const { displayName = '', description = '' } = given['serviceAccount'] as Partial<Account>;
    const name = `projects/${project}/serviceAccounts/${email}`;
    const uniqueId = String((this.#numbers += 1));
    const made = { name, email, uniqueId, displayName, description, etag: etag() };
    this.accounts.set(email, made);
    this.#madeMs.set(email, performance.now());
    return made;
  }

  #isTooNew(email: string): boolean {
    const isNew = performance.now() - (this.#madeMs.get(email) ?? -Infinity) < this.lagMs;
    if (isNew) this.onUnknown();
    return isNew;
  }

  #change(email: string, given: Readonly<Record<string, unknown>>): object | Refusal {
    const found = this.accounts.get(email);
    if (found === undefined) return notFound(email);
    const wanted = given['serviceAccount'] as Readonly<Record<string, string>>;
    const fields = String(given['updateMask']).split(',');
    const changed = { ...found, ...Object.fromEntries(fields.map((one) => [one, wanted[one] ?? ''])), etag: etag() };
    this.accounts.set(email, changed);
    return changed;
  }

  #delete(email: string): object | Refusal {
    const found = this.accounts.get(email);
    if (found === undefined) return notFound(email);
    this.accounts.delete(email);
    const rename = (member: string) =>
      member === `serviceAccount:${email}` ? `deleted:${member}?uid=${found.uniqueId}` : member;
    for (const [owner, policy] of this.policies) {
      const bindings = policy.bindings.map((one) => ({ ...one, members: one.members.map(rename) }));
      this.policies.set(owner, { ...policy, bindings, etag: etag() });
    }
    return {};
  }

  #policy(owner: string): Policy {
    const found = this.policies.get(owner) ?? { version: 3, bindings: [], etag: etag() };
    this.policies.set(owner, found);
    return found;
  }

  /** @param stale the status with which this service refuses the change of an older policy */
  #write(owner: string, { bindings = [], etag: read }: Partial<Policy>, stale: number): object | Refusal {
    if (read !== this.#policy(owner).etag) return refuse(stale, 'conditionNotMet', 'the policy has changed meanwhile');
    const unknown = bindings
      .flatMap(({ members }) => members)
      .find((member) => {
        const email = member.split(':')[1] ?? '';
        return member.startsWith('serviceAccount:') && (!this.accounts.has(email) || this.#isTooNew(email));
      });
    if (unknown !== undefined) return refuse(400, 'badRequest', `Service account ${unknown} does not exist.`);
    if (bindings.some(({ members }) => members.length === 0))
      return refuse(400, 'badRequest', 'A binding has no members');
    const written = { version: 3, bindings, etag: etag() };
    this.policies.set(owner, written);
    return written;
  }
}

const keyOf = ({ locationsId, keyRingsId, cryptoKeysId }: CheckedRequest['parameters']): string =>
  [locationsId, keyRingsId, cryptoKeysId].join('/');

const etag = (): string => randomUUID().slice(0, 12);
