/**
 * Settings of this suite that kops's API has no field for. They are annotations of the Cluster, some of an InstanceGroup as
 * well, so that kops can still read the spec.
 */
export const WORKER_PLANS_ANNOTATION = 'kopsctl.io/worker-plans';
/** The key that keysets and secrets are sealed with in the state store: state-key.ts. Without it they lie there in the clear. */
export const STATE_KEY_ANNOTATION = 'kopsctl.io/state-key';

/** How a worker gets its plan: it reads it in the state store, or an authority gives it. The first is the default. */
export const WORKER_PLAN_WAYS = ['bucket', 'authority'] as const;

/** What is done about a machine that differs from its plan: heal-settings.ts. Of the Cluster, or of an InstanceGroup. */
export const NODE_DRIFT_ANNOTATION = 'kopsctl.io/node-drift';
/** The first is the default. */
export const NODE_DRIFT_WAYS = ['report', 'repair'] as const;
/** After how long a machine that stays NotReady is replaced: heal-settings.ts. Of the Cluster, or of an InstanceGroup. */
export const REPLACE_UNREADY_ANNOTATION = 'kopsctl.io/replace-unready';
/** Says that the machines of a group are not replaced, where those of the others are. */
export const NEVER_REPLACED = 'never';
