/** Where nodeup writes what its last check of this machine found. protokube tells it to the cluster. */
export const DRIFT_REPORT = '/var/lib/kops/drift-report.json';

/** The unit that checks this machine once. */
export const CHECK_SERVICE = 'nodeup-check.service';
/** The unit that starts it now and then. */
export const CHECK_TIMER = 'nodeup-check.timer';

/** A task of the plan of which a check found that the machine is not, or not known to be, what it says. */
export interface DriftedTask {
  readonly task: string;
  /** What would make the machine again what the plan says, e.g. `write /etc/a (mode 0644)`. */
  readonly what: string;
  /**
   * `reported`: nobody asked for a repair. `held`: it is not repaired unasked. `failed`: the repair failed. `unknown`: it could
   * not be found out.
   */
  readonly outcome: 'reported' | 'held' | 'failed' | 'unknown';
  /** For the last three. */
  readonly why?: string;
}

/** What of a check protokube tells. Holds nothing secret. */
export interface NodeDrift {
  /** RFC 3339, like all times here. */
  readonly checkedAt: string;
  /** Hex SHA-256 of the plan that the machine was compared with. */
  readonly planHash: string;
  readonly differences: readonly DriftedTask[];
  /** How many there are beyond those. */
  readonly more?: number;
  /** When the machine last made itself again what that plan says, and which tasks changed. */
  readonly repaired?: { readonly at: string; readonly tasks: readonly string[] };
}

/** What nodeup's last check of this machine found: drift-report.json. */
export interface DriftReport extends NodeDrift {
  readonly apiVersion: 'kopsctl.io/v1';
  readonly kind: 'DriftReport';
  readonly node: string;
}
