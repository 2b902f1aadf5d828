import { getKeypairs as get } from '@kopsctl/actions/get-keys.ts';
import type { ListedKeypair } from '@kopsctl/actions/keys/list-keys.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printedValue } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

export interface GetKeypairsOptions extends OutputOptions {
  readonly distrusted?: boolean;
}

/** Prints the key pairs of keysets, of all unless some are named; never a private key. */
export async function getKeypairs(
  global: GlobalOptions,
  keysets: readonly string[],
  { output, distrusted = false }: GetKeypairsOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const pairs = await get(actionContext(global, env), { keysets, distrusted });
  if (output !== 'table') {
    writeDocument(await printedValue(pairs.map(asInKops), output));
    return 0;
  }
  const rows = pairs.map((pair) => [
    pair.keyset,
    pair.id,
    pair.isPrimary ? 'yes' : '',
    pair.hasPrivateKey ? 'yes' : '',
    day(pair.issued),
    day(pair.expires),
    ...(distrusted ? [day(pair.distrusted)] : []),
  ]);
  const header = ['KEYSET', 'ID', 'PRIMARY', 'PRIVATE KEY', 'ISSUED', 'EXPIRES'];
  writeOut(table(distrusted ? [...header, 'DISTRUSTED'] : header, rows));
  return 0;
}

/** The fields of kops, which leaves out what is false (cmd/kops/get_keypairs.go). */
const asInKops = ({ keyset, id, isPrimary, hasPrivateKey, issued, expires, distrusted, ...rest }: ListedKeypair) => ({
  name: keyset,
  id,
  ...rest,
  ...(distrusted !== undefined && { distrustTimestamp: distrusted }),
  ...(isPrimary && { isPrimary }),
  ...(issued !== undefined && { notBefore: issued }),
  ...(expires !== undefined && { notAfter: expires }),
  ...(hasPrivateKey && { hasPrivateKey }),
});

const day = (iso: string | undefined): string => iso?.slice(0, 10) ?? '';
