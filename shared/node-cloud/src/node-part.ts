import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { LaunchHook } from '@kopsctl/node-plan/node-plan.ts';
import type { EvidenceVerifier, MachineIdentity, VerifierFacts } from './machine-identity.ts';
import type { OpenStateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { NodeCloud } from './node-cloud.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the plan says about the names of Nodes. */
export interface WantedNames {
  readonly namesFromAddresses?: boolean;
}

/** What a machine knows of its cluster before it asks the cloud. */
export interface NodeCloudOptions {
  readonly cluster: string;
  /** How Nodes are named can depend on the spec; a machine's own name shows it as well. */
  readonly naming: WantedNames | { readonly nodeName: string };
  /** Machines know each other by their IPv6 addresses: pods and Services have no others. */
  readonly isIpv6Only?: boolean;
  readonly env: Env;
  /** The state store with the rights of this machine, where it has any: it lists machines that no cloud lists. */
  readonly openStore: () => Promise<StateStore>;
}

/** What a machine uses to open its cluster's zone: its own rights. */
export interface NodeDnsEnv {
  readonly env: Env;
  /** What a secret of the cluster holds. */
  readonly readSecret: (name: string) => Promise<string>;
  readonly signal: AbortSignal;
}

export interface IdentityOptions {
  readonly cluster: string;
  readonly env: Env;
}

export interface VerifierFactsOptions extends IdentityOptions {
  /** It keeps what machines that no cloud lists use to prove their identity. */
  readonly openStore: () => Promise<StateStore>;
}

/** An authority has no rights in its cloud: it is told what it has to know about the cloud. */
export interface VerifierOptions {
  readonly cluster: string;
  /** What `openVerifierFacts` of the same cloud gave, through JSON. */
  readonly facts: (signal: AbortSignal) => Promise<unknown>;
}

/** A cloud as its machines know it: all that agents carry of it. */
export interface NodePart {
  readonly openCloud: (options: NodeCloudOptions) => NodeCloud;
  /** How a machine proves which one it is. */
  readonly openIdentity?: (options: IdentityOptions) => MachineIdentity;
  /** On a control plane, with its rights. */
  readonly openVerifierFacts?: (options: VerifierFactsOptions) => VerifierFacts;
  readonly openVerifier?: (options: VerifierOptions) => EvidenceVerifier;
  /** What the client of a state store needs on a machine in addition to its environment. */
  readonly storeEnv?: (stateStore: string, env: Env, signal: AbortSignal) => Promise<Env>;
  /** Opens sealed keysets and secrets with the rights of this machine. Absent if its machines get them already opened. */
  readonly openStateKeys?: (env: Env) => OpenStateKey;
  /** Whether this machine is prepared for later, and stopped until then. Absent where no machine is. */
  readonly isWarming?: (env: Env, signal: AbortSignal) => Promise<boolean>;
  /** Tells the group of this machine that it is prepared. It is not an error if nothing waits for that any more, or ever did. */
  readonly endLaunch?: (hook: LaunchHook, env: Env, signal: AbortSignal) => Promise<void>;
  /** Opens a zone that the cloud itself holds; undefined for a provider that is not the cloud's. */
  readonly openZone?: (zone: ZoneConfig, node: NodeDnsEnv) => Promise<DnsProvider | undefined>;
}
