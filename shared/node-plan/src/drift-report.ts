/** Where nodeup writes what its last check of this machine found. protokube reports it to the cluster. */
export const DRIFT_REPORT = '/var/lib/kops/drift-report.json';

/** The unit that checks this machine once. */
export const CHECK_SERVICE = 'nodeup-check.service';
/** The unit that starts that check from time to time. */
export const CHECK_TIMER = 'nodeup-check.timer';

/** A task of the plan for which a check found that the machine does not match it, or is not known to match it. */
export interface DriftedTask {
  readonly task: string;
  /** What would make the machine match the plan again, e.g. `write /etc/a (mode 0644)`. */
  readonly what: string;
  /**
   * `reported`: nobody asked for a repair. `held`: it is not repaired unless somebody asks. `failed`: the repair
   * failed. `unknown`: it could not be found out.
   */
  readonly outcome: 'reported' | 'held' | 'failed' | 'unknown';
  /** For the last three. */
  readonly why?: string;
}

/** What protokube reports of a check. Holds nothing secret. */
export interface NodeDrift {
  /** RFC 3339, like all times here. */
  readonly checkedAt: string;
  /** Hex SHA-256 of the plan that the machine was compared with. */
  readonly planHash: string;
  readonly differences: readonly DriftedTask[];
  /** How many there are beyond those. */
  readonly more?: number;
  /** When the machine last made itself match that plan again, and which tasks changed. */
  readonly repaired?: { readonly at: string; readonly tasks: readonly string[] };
}

/** What nodeup's last check of this machine found: drift-report.json. */
export interface DriftReport extends NodeDrift {
  readonly apiVersion: 'kopsctl.io/v1';
  readonly kind: 'DriftReport';
  readonly node: string;
}
