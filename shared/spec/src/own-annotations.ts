/**
 * Settings of this suite that kops's API has no field for. They are annotations of the Cluster, so that kops can still read
 * the spec.
 */
export const WORKER_PLANS_ANNOTATION = 'kopsctl.io/worker-plans';
/** The key that keysets and secrets are sealed with in the state store: state-key.ts. Without it they lie there in the clear. */
export const STATE_KEY_ANNOTATION = 'kopsctl.io/state-key';

/** How a worker gets its plan: it reads it in the state store, or an authority gives it. The first is the default. */
export const WORKER_PLAN_WAYS = ['bucket', 'authority'] as const;
