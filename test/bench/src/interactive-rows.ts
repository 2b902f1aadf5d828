import { execa } from 'execa';
import { markedRow, measure } from './measure.ts';

/** A person waits for these at each key press, or looks something up: the mark is what feels immediate. */
const MARK = { ms: 60 };

/** Measures what the completion scripts of shells ask, and `explain`. */
export async function interactiveRows(
  kopsctl: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const cluster = ['create', 'cluster', 'complete.example.com', '--cloud', 'aws', '--zones', 'us-east-1a', '--offline'];
  await execa(kopsctl, cluster, { env });
  const commands = [
    ['explain', 'cluster', 'spec.networking'],
    ['__complete', '--', 'get', 'clu'],
    ['__complete', '--', 'edit', 'cluster', 'c'],
    ['__complete', '--', 'edit', 'cluster', '--set', 'spec.netw'],
  ];
  const rows: string[] = [];
  for (const argv of commands) {
    rows.push(markedRow(`\`kopsctl ${argv.join(' ')}\``, await measure(kopsctl, argv, { runs: 20, env }), MARK));
  }
  await execa(kopsctl, ['delete', 'cluster', 'complete.example.com', '--unregister', '--yes'], { env });
  return rows;
}
