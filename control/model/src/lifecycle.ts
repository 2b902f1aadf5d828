/** The parts that a cluster can be made in, one after the other (kops update cluster --phase). */
export const PHASES = ['network', 'security', 'cluster'] as const;
export type Phase = (typeof PHASES)[number];

/** A kind of task, what kops calls it, and the phase in which it is made. */
export interface KindLifecycle {
  readonly kind: string;
  readonly kopsName: string;
  readonly phase: Phase;
}
