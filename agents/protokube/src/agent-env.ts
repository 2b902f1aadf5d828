import type { Log } from '@kopsctl/agent/log.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { MachineIdentity, VerifierFacts } from '@kopsctl/node-cloud/machine-identity.ts';
import type { NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ClockEnv } from './clock/watch-clock.ts';
import type { UnitsEnv } from './units/watch-units.ts';

/** Starts a reconciler, which runs until the agent ends. */
export type Start = (name: string, run: (log: Log, signal: AbortSignal) => Promise<void>) => void;

/** Everything outside of the agent that it needs. */
export interface AgentEnv {
  readonly cloud: NodeCloud;
  /** Opens the state store when something needs it; most workers never do. */
  readonly openStore: () => Promise<StateStore>;
  /** Opens the DNS zone of the configuration. */
  readonly openZone: (zone: ZoneConfig, signal: AbortSignal) => Promise<DnsProvider>;
  /** The identity that this machine proves itself with in its cloud. */
  readonly openIdentity: () => Promise<MachineIdentity>;
  /** The facts that the node authority of this machine verifies evidence of its cloud with. */
  readonly openVerifierFacts: () => Promise<VerifierFacts>;
  /** Restarts kubelet, if it runs. */
  readonly restartKubelet: (signal: AbortSignal) => Promise<void>;
  /** Starts a unit of systemd, and waits until it has started; a oneshot has then ended. */
  readonly startUnit: (unit: string, signal: AbortSignal) => Promise<void>;
  /** What `systemctl show` prints of units. */
  readonly showUnits: UnitsEnv['showUnits'];
  /** What this machine's units and its API server logged recently, as lines of the journal. */
  readonly readLogs: (signal: AbortSignal) => Promise<string>;
  readonly isClockSynchronized: ClockEnv['isClockSynchronized'];
  /** Whether the machine is being shut down for good. */
  readonly isGoingDown: () => Promise<boolean>;
  /** Opens a bucket other than the cluster's, with the permissions of this machine. */
  readonly openOtherStore: (url: string, signal: AbortSignal) => Promise<StateStore>;
  readonly hostsPath: string;
  /** /etc/passwd */
  readonly accountsPath: string;
  /** Records formats in progress; it must survive a reboot. */
  readonly formatsFolder: string;
  readonly log: Log;
}
