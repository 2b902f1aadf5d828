import { listKeypairs, listSshPublicKeys } from '@kopsctl/apply/list-keys.ts';
import { listSecrets } from '@kopsctl/apply/secrets.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

type Kind = 'secrets' | 'keypairs' | 'sshpublickeys';

/** Prints what a cluster keeps in secret by name, and never the secret itself. */
export async function getKeys(
  global: GlobalOptions,
  kind: Kind,
  { output }: { readonly output: 'table' | 'yaml' | 'json' },
): Promise<number> {
  const store = await openStateStore(global);
  const listed = await list(store, await chooseCluster(global, undefined, store), kind);
  process.stdout.write(output === 'table' ? table(listed.header, listed.rows) : await printed(listed.objects, output));
  return 0;
}

interface Listed {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly objects: readonly object[];
}

async function list(store: StateStore, cluster: string, kind: Kind): Promise<Listed> {
  switch (kind) {
    case 'secrets': {
      const names = await listSecrets(store, cluster);
      return { header: ['NAME'], rows: names.map((name) => [name]), objects: names.map((name) => ({ name })) };
    }
    case 'keypairs': {
      const pairs = await listKeypairs(store, cluster);
      return {
        header: ['KEYSET', 'ID', 'PRIMARY', 'PRIVATE KEY', 'ISSUED', 'EXPIRES', 'DISTRUSTED'],
        rows: pairs.map((pair) => [
          pair.keyset,
          pair.id,
          pair.isPrimary ? 'yes' : '',
          pair.hasPrivateKey ? 'yes' : '',
          day(pair.issued),
          day(pair.expires),
          day(pair.distrusted),
        ]),
        objects: pairs,
      };
    }
    case 'sshpublickeys': {
      const keys = await listSshPublicKeys(store, cluster);
      return {
        header: ['ID', 'KEY'],
        rows: keys.map(({ id, publicKey }) => [id, publicKey]),
        objects: keys,
      };
    }
  }
}

const day = (iso: string | undefined): string => iso?.slice(0, 10) ?? '';
