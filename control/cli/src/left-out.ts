import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { formatFieldError } from '@kopsctl/spec/field-error.ts';
import { wishesLeftOut } from '@kopsctl/spec/left-out.ts';

/** Tells on stderr what of a cluster's spec is not carried out. */
export function tellLeftOut(cluster: Cluster): void {
  for (const wish of wishesLeftOut(cluster)) process.stderr.write(`Left out: ${formatFieldError(wish)}\n`);
}
