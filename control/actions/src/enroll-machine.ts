import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { HostRecord } from '@kopsctl/node-identity/host-record.ts';
import { createKeyPair } from '@kopsctl/pki/key-pair.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { installScript, NAME_SCRIPT } from './hosts/install-script.ts';
import { keepHost } from './hosts/keep-host.ts';
import { type HostInput, nodeNameOf, planHost } from './hosts/plan-host.ts';
import { checkedTarget, runBySsh, type RunThere, type SshTarget } from './hosts/ssh-host.ts';
import { userDataOfHosts } from './hosts/user-data-of-hosts.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { completeAndValidate } from './spec/complete.ts';
import { readCluster } from './store/cluster-store.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

export interface EnrollRequest extends SshTarget {
  readonly cluster?: string | undefined;
  readonly instanceGroup: string;
  /** Where other machines reach it; that of `host` unless given. */
  readonly address?: string | undefined;
}

export interface EnrolledMachine {
  readonly cluster: string;
  readonly node: string;
  readonly address: string;
  readonly instanceGroup: string;
  /** Until when it may prove itself for the first time, RFC 3339; absent for control planes. */
  readonly goodUntil?: string;
}

/**
 * Makes a machine that no cloud lists a member of a cluster: keeps its identity and the public half of a key in the store,
 * puts the other half on the machine by SSH with what clouds give their machines as user-data, and runs that. It can be
 * repeated.
 */
export async function enrollMachine(
  context: ActionContext,
  request: EnrollRequest,
  runThere: RunThere = runBySsh,
): Promise<EnrolledMachine> {
  const { instanceGroup, host } = request;
  const target = checkedTarget(request);
  const { store, cluster: name } = await chooseCluster(context, request.cluster);
  const { cluster, instanceGroups } = await readCluster(store, name);
  const completed = completeAndValidate(cluster, instanceGroups, store.url);
  const group = groupNamed(completed.instanceGroups, instanceGroup);
  const userData = await inPhase(context, 'work out what the machine runs', () =>
    userDataOfHosts(context, store, name, instanceGroup),
  );
  const address = await addressOf(request.address ?? host);
  const hostName = await inPhase(context, 'ask the machine for its name', () =>
    runThere(target, NAME_SCRIPT, context.signal),
  );
  const { privateKeyPem, publicKey } = await createKeyPair();
  const identity = {
    cluster: name,
    group,
    spec: completed.cluster.spec,
    hostName,
    address,
    instanceId: randomUUID(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  };
  const recorded = await inPhase(context, 'store the machine', () => storeHost(context, store, identity));
  const { node, firstKey } = recorded;
  const script = installScript(recorded, firstKey && privateKeyPem, userData);
  await inPhase(context, 'put the key and the bootstrap script on the machine', () =>
    runThere(target, script, context.signal),
  );
  return {
    cluster: name,
    node,
    address,
    instanceGroup,
    ...(firstKey !== undefined && { goodUntil: new Date(firstKey.goodUntilMs).toISOString() }),
  };
}

/** Two machines that are enrolled at once must not get the same name, or the same members of etcd. */
const storeHost = (
  context: ActionContext,
  store: StateStore,
  identity: Omit<HostInput, 'nowMs'>,
): Promise<HostRecord> =>
  withClusterLock(store, identity.cluster, 'enroll', context, (signal) =>
    keepHost({ store, cluster: identity.cluster }, nodeNameOf(identity.hostName), signal, (namesake) =>
      planHost({ ...identity, nowMs: Date.now() }, namesake),
    ),
  );

function groupNamed(groups: readonly InstanceGroup[], name: string): InstanceGroup {
  const found = groups.find(({ metadata }) => metadata.name === name);
  if (found !== undefined) return found;
  const names = groups.map(({ metadata }) => metadata.name);
  const near = nearestName(name, names);
  throw new ActionableError({
    what: `enroll a machine of the instance group ${name}`,
    why: 'the cluster has no such group',
    next: near === undefined ? `choose one of ${names.join(', ')}` : `did you mean ${near}?`,
  });
}

/** Authorities call an address, not a name, which could lead elsewhere by then. */
async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    throw new ActionableError({
      what: `find the address of ${host}`,
      why: messageOf(cause),
      next: 'name the address at which other machines reach it with --address',
      cause,
    });
  }
}
