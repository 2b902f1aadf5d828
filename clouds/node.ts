import { openDns } from '@kopsctl/dns/open-dns.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { LaunchHook } from '@kopsctl/node-plan/node-plan.ts';
import type { NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import type { EvidenceVerifier, MachineIdentity, VerifierFacts } from '@kopsctl/node-cloud/machine-identity.ts';
import type {
  IdentityOptions,
  NodeCloudOptions,
  NodeDnsEnv,
  NodePart,
  VerifierFactsOptions,
  VerifierOptions,
} from '@kopsctl/node-cloud/node-part.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { openPlaced, type StorePlace } from '@kopsctl/state-store/placed/placed-store.ts';
import { AS_IT_IS, openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { NODE_PARTS } from './node-registry.ts';

/** Opens the cloud that this machine runs in. */
export async function openNodeCloud(cloud: string, options: NodeCloudOptions): Promise<NodeCloud> {
  return (await partOf(cloud)).openCloud(options);
}

/** Opens the verifier for evidence of machines in this cloud. */
export async function openNodeVerifier(cloud: string, options: VerifierOptions): Promise<EvidenceVerifier> {
  return (await identityOf(cloud, (part) => part.openVerifier))(options);
}

/** The facts that a control plane gives to verifiers. */
export async function openNodeVerifierFacts(cloud: string, options: VerifierFactsOptions): Promise<VerifierFacts> {
  return (await identityOf(cloud, (part) => part.openVerifierFacts))(options);
}

/** The identity with which this machine proves itself in its cloud. */
export async function openNodeIdentity(cloud: string, options: IdentityOptions): Promise<MachineIdentity> {
  return (await identityOf(cloud, (part) => part.openIdentity))(options);
}

/** Whether this machine is prepared for later, and stopped until then. */
export async function isNodeWarming(
  cloud: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<boolean> {
  const { isWarming } = await partOf(cloud);
  return isWarming === undefined ? false : isWarming(env, signal);
}

/** Tells the group of this machine that it is prepared. */
export async function endNodeLaunch(
  cloud: string,
  hook: LaunchHook,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const { endLaunch } = await partOf(cloud);
  if (endLaunch !== undefined) return endLaunch(hook, env, signal);
  throw new ActionableError({
    what: `tell ${hook.group} that this machine is prepared`,
    why: `instance groups in the cloud ${cloud} do not wait for machines`,
    next: 'check spec.warmPool of the instance group',
  });
}

async function identityOf<T>(cloud: string, pick: (part: NodePart) => T | undefined): Promise<T> {
  const found = pick(await partOf(cloud));
  if (found !== undefined) return found;
  throw new ActionableError({
    what: `attest machines in the cloud ${cloud}`,
    why: 'machines in that cloud have no way yet to prove their identity',
    next: 'check spec.cloudProvider of the cluster',
  });
}

export interface NodeStoreConfig {
  readonly cloud: string;
  readonly stateStore: string;
  /** Folders of the cluster's state that lie elsewhere. */
  readonly storePlaces?: readonly StorePlace[];
}

/** Opens the state store with the permissions of this machine. Sealed objects are opened, and stay sealed there. */
export async function openNodeStore(
  { cloud, stateStore, storePlaces = [] }: NodeStoreConfig,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<StateStore> {
  const { storeEnv, openStateKeys } = await partOf(cloud);
  const open = async (url: string) => openStore(url, storeEnv === undefined ? env : await storeEnv(url, env, signal));
  const store = openPlaced(await open(stateStore), { placesOf: async () => storePlaces, open });
  const openKey = openStateKeys?.(env) ?? (async (name) => Promise.reject(cannotOpenKeys(cloud, name)));
  return openSealed(store, { openKey, sealingOf: AS_IT_IS });
}

const cannotOpenKeys = (cloud: string, name: string): ActionableError =>
  new ActionableError({
    what: `open what is sealed with ${JSON.stringify(name)}`,
    why: `machines in the cloud ${cloud} have no key to open it`,
    next: 'check kopsctl.io/state-key of the cluster, then repeat `kopsctl apply --yes`',
  });

/** Opens the DNS zone of the cluster with the permissions of this machine. */
export async function openNodeDns(cloud: string, config: ZoneConfig, node: NodeDnsEnv): Promise<DnsProvider> {
  const { zone, provider } = config;
  if (provider.name === 'RFC2136') {
    const { address, port, keySecret } = provider;
    const tsigKey = await node.readSecret(keySecret);
    return openDns({ provider: 'RFC2136', zones: [zone], server: { host: address, port }, tsigKey });
  }
  const opened = await (await partOf(cloud)).openZone?.(config, node);
  if (opened !== undefined) return opened;
  throw new ActionableError({
    what: `manage DNS names in the zone ${zone}`,
    why: `machines in the cloud ${cloud} cannot access zones of ${provider.name}`,
    next: 'check spec.topology.dns and spec.cloudProvider of the cluster',
  });
}

async function partOf(cloud: string): Promise<NodePart> {
  const load = Object.hasOwn(NODE_PARTS, cloud) ? NODE_PARTS[cloud] : undefined;
  if (load !== undefined) return load();
  throw new ActionableError({
    what: `run in the cloud ${cloud}`,
    why: `this build does not support machines in that cloud (supported: ${Object.keys(NODE_PARTS).join(', ')})`,
    next: 'check spec.cloudProvider of the cluster',
  });
}
