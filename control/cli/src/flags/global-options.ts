import { usageError } from './usage-error.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly state?: string;
  readonly name?: string;
  /** The cluster, where it was given by --name and not by the environment. */
  readonly nameFlag?: string;
  /** Why specs are changed, for their history. */
  readonly why?: string;
  /** The state store, where it was given by --state and not by the environment: commands that are proposed have to repeat it. */
  readonly stateFlag?: string;
  /** How much is told, as -v says it: 0 unless given. */
  readonly verbosity: number;
}

/** The same, where a command names its cluster by position: that comes before --name. */
export const ofCluster = (global: GlobalOptions, cluster: string | undefined): GlobalOptions =>
  cluster === undefined || cluster === '' ? global : { ...global, name: cluster };

/**
 * As in kops, a cluster is not named by --name and otherwise by position: otherwise, the value of a switch would be taken
 * for the name of a cluster, as in `--internal false`. KOPS_CLUSTER_NAME says which cluster is usually meant, so that a
 * name by position comes before it.
 *
 * @throws ActionableError for such names
 */
export function refuseOtherNames({ nameFlag }: GlobalOptions, byPosition: readonly string[]): void {
  const other = nameFlag === undefined ? undefined : byPosition.find((name) => name !== '' && name !== nameFlag);
  if (other === undefined) return;
  throw usageError({
    what: 'say which cluster is meant',
    why: `it is named twice: ${nameFlag} by --name, and ${other} by position`,
    next: 'name it once; the value of a switch follows an equals sign, such as --bastion=true',
  });
}
