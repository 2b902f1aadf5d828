/** The phases in which a cluster can be made, in this order (kops update cluster --phase). */
export const PHASES = ['network', 'security', 'cluster'] as const;
export type Phase = (typeof PHASES)[number];

/** A kind of task, its name in kops, and the phase in which it is made. */
export interface KindLifecycle {
  readonly kind: string;
  readonly kopsName: string;
  readonly phase: Phase;
}
