import { execa } from 'execa';
import { measure } from './measure.ts';
import type { Row } from './row.ts';

/** A person waits for these at each key press, or looks something up: the mark is what feels immediate. */
const MARK = { ms: 60 };

/** Measures what the completion scripts of shells ask, `get` and `explain`. */
export async function interactiveRows(kopsctl: string, env: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const cluster = ['create', 'cluster', 'complete.example.com', '--cloud', 'aws', '--zones', 'us-east-1a', '--offline'];
  await execa(kopsctl, cluster, { env });
  const commands = [
    ['get', 'all', '--name', 'complete.example.com'],
    ['explain', 'cluster', 'spec.networking'],
    ['__complete', '--', 'get', 'clu'],
    ['__complete', '--', 'edit', 'cluster', 'c'],
    ['__complete', '--', 'edit', 'cluster', '--set', 'spec.netw'],
  ];
  const rows: Row[] = [];
  for (const argv of commands) {
    const measured = await measure(kopsctl, argv, { runs: 20, env });
    rows.push({ what: `\`kopsctl ${argv.join(' ')}\``, measured, mark: MARK });
  }
  await execa(kopsctl, ['delete', 'cluster', 'complete.example.com', '--unregister', '--yes'], { env });
  return rows;
}
