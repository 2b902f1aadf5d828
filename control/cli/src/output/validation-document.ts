import { wordOfRole } from '../flags/machine-role.ts';
import { isReady, type ValidationFailure } from '@kopsctl/actions/validate/plan-validation.ts';
import type { ClusterFindings } from '@kopsctl/actions/validate/compare-cluster.ts';
import { table } from './table.ts';

interface ShownFailure {
  readonly type: string;
  readonly name: string;
  readonly message: string;
  readonly instanceGroup?: { readonly metadata: { readonly name: string } };
}

/** What `validate cluster -o json` prints: the fields of kops's ValidationCluster, and a few of our own. */
export interface ValidationDocument {
  readonly cluster: string;
  readonly valid: boolean;
  readonly failures: readonly ShownFailure[];
  /** What does not make the cluster invalid yet. */
  readonly warnings: readonly ShownFailure[];
  readonly nodes: readonly {
    readonly name: string;
    readonly zone?: string;
    /** As kops says it in this document: `control-plane`, `apiserver` or `node`. */
    readonly role: string;
    readonly hostname?: string;
    /** Whether it is Ready: `True`, `False` or `Unknown`. */
    readonly status: string;
  }[];
}

/** The findings as a document. Nodes without a machine of the cluster are left out, as they are by kops. */
export function validationDocument({
  cluster,
  failures,
  warnings,
  machines,
  nodes,
}: ClusterFindings & { readonly cluster: string }): ValidationDocument {
  const machineOf = new Map(machines.map((machine) => [machine.nodeName, machine]));
  return {
    cluster,
    valid: failures.length === 0,
    failures: failures.map(shown),
    warnings: warnings.map(shown),
    nodes: nodes.flatMap((node) => {
      const machine = machineOf.get(node.name);
      if (machine === undefined) return [];
      const ready = node.conditions.find(({ type }) => type === 'Ready');
      return [
        {
          name: node.name,
          ...(node.zone === undefined ? {} : { zone: node.zone }),
          role: wordOfRole(machine.role),
          ...(node.hostname === undefined ? {} : { hostname: node.hostname }),
          status: isReady(node) ? 'True' : (ready?.status ?? 'Unknown'),
        },
      ];
    }),
  };
}

const shown = ({ kind, name, message, instanceGroup }: ValidationFailure): ShownFailure => ({
  type: kind,
  name,
  message,
  ...(instanceGroup === undefined ? {} : { instanceGroup: { metadata: { name: instanceGroup } } }),
});

/** Failures as a table, or a line that says that there are none. */
export const validationText = ({ cluster, valid, failures }: ValidationDocument): string =>
  valid
    ? `Your cluster ${cluster} is ready\n`
    : table(
        ['KIND', 'NAME', 'MESSAGE'],
        failures.map(({ type, name, message }) => [type, name, message]),
      );
