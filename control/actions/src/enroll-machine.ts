import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { NODE_AUTHORITY_CA } from '@kopsctl/model/node/certificates.ts';
import { enrolmentPath, nodesFolder, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { type HostRecord, hostPath, isHostPath, parseHost, printHost } from '@kopsctl/node-identity/host-record.ts';
import { AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import { userDataFile } from '@kopsctl/node-plan/user-data-file.ts';
import { createKeyPair } from '@kopsctl/pki/key-pair.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { parseKeyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { installScript, NAME_SCRIPT } from './hosts/install-script.ts';
import { nodeNameOf, planHost } from './hosts/plan-host.ts';
import { runBySsh, type RunThere, type SshTarget } from './hosts/ssh-host.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
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
  const userData = await userDataFor(context, store, name, instanceGroup);
  const address = await addressOf(request.address ?? host);
  const hostName = await inPhase(context, 'ask the machine for its name', () =>
    runThere(target, NAME_SCRIPT, context.signal),
  );
  const { privateKeyPem, publicKey } = await createKeyPair();
  const recorded = await withClusterLock(store, name, 'enroll', context, (signal) =>
    inPhase(context, 'store the machine', () =>
      keepHost({ store, cluster: name }, nodeNameOf(hostName), signal, (namesake) =>
        planHost(
          {
            cluster: name,
            group,
            spec: completed.cluster.spec,
            hostName,
            address,
            instanceId: randomUUID(),
            publicKey: publicKey.export({ type: 'spki', format: 'der' }),
            nowMs: Date.now(),
          },
          namesake,
        ),
      ),
    ),
  );
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

/** What ssh could take for an option or a command is refused. @throws ActionableError */
function checkedTarget({ host, user, port }: SshTarget): SshTarget {
  const isName = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.:%-]*$/.test(text);
  if (isName(host) && isName(user) && Number.isInteger(port) && port > 0 && port < 65_536) return { host, user, port };
  throw new ActionableError({
    what: `reach ${JSON.stringify(host)} by SSH`,
    why: `--host, --ssh-user or --ssh-port (${JSON.stringify(user)}, ${port}) is not valid`,
    next: 'write them like --host 192.0.2.10 --ssh-user root --ssh-port 22',
  });
}

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

/**
 * The user-data of a group, with the certificates by which its machines know authorities. Root runs it on the machine, so it
 * is worked out again, and only used if it is what the cluster was applied with: write access to the store does not decide
 * what machines run.
 */
async function userDataFor(context: ActionContext, store: StateStore, cluster: string, group: string): Promise<string> {
  const { signal } = context;
  const missing = (path: string): ActionableError =>
    new ActionableError({
      what: `enroll a machine of the instance group ${group}`,
      why: `${path} is not in ${store.url}: either the cluster was not applied, or its cloud makes the machines of its groups itself`,
      next: `run \`kopsctl update cluster ${cluster} --yes\`; a cloud that makes machines itself needs no enrolling`,
    });
  const path = `${cluster}/${userDataFile(group)}`;
  const stored = await store.read(path, signal);
  if (stored === undefined) throw missing(path);
  const caPath = publishedKeysetPath(cluster, NODE_AUTHORITY_CA);
  const ca = await store.read(caPath, signal);
  if (ca === undefined) throw missing(caPath);
  const certificates = trustedCertificates(parseKeyset(Buffer.from(ca.bytes).toString('utf8'), caPath));
  const text = await wantedUserData(context, store, cluster, group);
  if (text !== Buffer.from(stored.bytes).toString('utf8')) {
    throw new ActionableError({
      what: `enroll a machine of the instance group ${group}`,
      why: `${path} in ${store.url} is not what the spec of the cluster makes of it: the spec, the files that machines download or kopsctl have changed since it was applied, or somebody else wrote it`,
      next: `\`kopsctl update cluster ${cluster}\` shows what differs, and with --yes writes it`,
    });
  }
  return text.replaceAll(AUTHORITY_CA, Buffer.from(certificates).toString('base64'));
}

/** What is to be in the store, by the spec there and by hashes that are known. */
async function wantedUserData(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  group: string,
): Promise<string | undefined> {
  const wanted = await storedCluster(store, cluster);
  const { tasks } = await prepareCluster(context, {
    store,
    wanted,
    assets: undefined,
    asksCloud: false,
    offline: true,
  });
  const file = tasks.find(({ kind, props }) => kind === 'ManagedFile' && props['path'] === userDataFile(group));
  const content = file?.props['content'];
  return typeof content === 'string' ? content : undefined;
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

/** Plans the record of a machine with what the store has, and writes it over exactly that. */
async function keepHost(
  { store, cluster }: { readonly store: StateStore; readonly cluster: string },
  node: string,
  signal: AbortSignal,
  plan: (namesake: Parameters<typeof planHost>[1]) => HostRecord,
): Promise<HostRecord> {
  const path = hostPath(cluster, node);
  const [stored, enrolment, entries] = await Promise.all([
    store.read(path, signal),
    store.read(enrolmentPath(cluster, node), signal),
    store.list(nodesFolder(cluster), signal),
  ]);
  const others = await Promise.all(
    entries
      .filter((entry) => isHostPath(cluster, entry.path) && entry.path !== path)
      .map(async (entry) => store.read(entry.path, signal)),
  );
  const textOf = (of: { readonly bytes: Uint8Array }): string => Buffer.from(of.bytes).toString('utf8');
  const hosts = others.flatMap((other) => (other === undefined ? [] : [parseHost(textOf(other))]));
  const planned = plan({
    host: stored && parseHost(textOf(stored)),
    enrolment: enrolment && parseEnrolment(textOf(enrolment)),
    others: hosts,
  });
  const condition = ifUnchanged(stored?.version);
  await store.write(path, Buffer.from(printHost(planned)), condition, signal);
  return planned;
}
