import type { Machine } from '@kopsctl/model/cloud.ts';
import type { ReadBootReport, UnreadableReport } from '../follow/read-boot-report.ts';
import type { KeptReport } from '../follow/read-machine-report.ts';
import { isReady } from '../validate/plan-validation.ts';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import type { NodeLease } from '../access/node-lease.ts';

/** Something that could not be asked, and why. */
export interface NotKnown {
  readonly failure: string;
  /** What to do about it, where that is known. */
  readonly next?: string;
}

/** What the API server says that concerns one Node. */
export interface NodeObjects {
  /** Undefined if there is no such Node. */
  readonly node: NodeStatus | undefined;
  /** Warnings of the last hour, the newest last. */
  readonly events: readonly { readonly reason: string; readonly message: string }[];
  /** Pods of the cluster's own that run there and are not ready, with what their containers wait for. */
  readonly pods: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  /** The names of all pods of the cluster's own there, ready or not. */
  readonly podNames?: readonly string[];
  /** No new pods come to it, because a person or a command wants that. */
  readonly isCordoned?: true;
  /** The keys of its taints. */
  readonly taints?: readonly string[];
  /** Absent if it has no lease, or one whose renewals the API server does not time. */
  readonly lease?: SeenLease;
}

/** By which kubelet tells that it runs. */
export interface SeenLease extends NodeLease {
  /** How long ago kubelet renewed it, by the API server's clock. */
  readonly ageMs: number;
}

/** What is known of one machine, from every source that can say something. Texts can be printed. */
export interface NodeEvidence {
  readonly node: string;
  readonly atMs: number;
  /** Undefined if the cloud has no such machine. */
  readonly machine: Machine | NotKnown | undefined;
  readonly report: ReadBootReport | UnreadableReport | undefined;
  /** Only workers enrol. */
  readonly enrolment:
    | { readonly enrolledAt: string; readonly revokedAt?: string; readonly reason?: string }
    | undefined;
  readonly objects: NodeObjects | NotKnown;
  /** What its protokube stored in the state store; undefined if it stored nothing that can be read. */
  readonly kept?: KeptReport;
  /** By how much its clock is ahead of the store's (or behind, if negative), as its reports in the store show. */
  readonly clockAheadMs?: number;
  /** The last lines that its units logged, where this computer can read them. */
  readonly journal: readonly string[];
  /** The last lines of its console, where this computer or its cloud can read them. */
  readonly console: readonly string[];
}

/** A reason why a node is not as it should be. */
export interface Finding {
  /** A sentence. */
  readonly what: string;
  /** What it is concluded from. */
  readonly because: readonly string[];
  /** What to do about it. */
  readonly next: string;
}

export const isKnown = <T extends object>(value: T | NotKnown | undefined): value is T =>
  value !== undefined && !('failure' in value);

/** Whether the Node says that all is well with it. */
export const isReadyNow = ({ objects }: NodeEvidence): boolean =>
  isKnown(objects) && objects.node !== undefined && isReady(objects.node);
