import { redactor } from '@kopsctl/agent/redact.ts';
import { execa } from 'execa';

/** What makes the machine a node and keeps it one. */
const UNITS = ['nodeup', 'protokube', 'kubelet', 'containerd', 'docker', 'etcd-manager', 'etcd-*', 'node-authority'];
/** For each program: what explains the present state is at the end. */
const MAX_LINES = 5;
const MAX_CHARS = 300;

/** klog's E and F, logrus's and zap's levels, and what everybody else writes. */
const IS_ERROR =
  /\]: [EF]\d{4} |level=(?:error|fatal)|"level":"(?:error|fatal|panic)"|\b(?:errors?|fail(?:ed|ure|s)?|fatal|panic|cannot|refused|denied|expired|invalid)\b/i;
/** klog's information and warnings, which quote errors that were overcome. */
const INFORMS = /\]: [IW]\d{4} \d\d:\d\d:\d\d|level=(?:info|debug|warning)|"level":"(?:info|debug|warn)"/;
/** `May 01 12:00:00 nodes-1 kubelet[123]: ` */
const HEAD = /^\w{3} [ \d]\d [\d:]{8} \S+ ([^[\s]+)\[\d+\]: /;

const withoutSecrets = redactor([]);

/**
 * The last errors of each program in lines of the journal, in the journal's order: without secrets, of a bounded length, and each
 * only once. Pure.
 */
export function lastErrors(journal: string): readonly string[] {
  const counts = new Map<string, number>();
  const said = new Set<string>();
  const kept: string[] = [];
  for (const line of journal.split('\n').toReversed()) {
    const [head, program] = HEAD.exec(line) ?? [];
    if (head === undefined || program === undefined || INFORMS.test(line) || !IS_ERROR.test(line)) continue;
    const count = counts.get(program) ?? 0;
    // Numbers are times, counters and process ids in most texts.
    const text = `${program} ${line.slice(head.length).replaceAll(/\d+/g, '')}`;
    if (count >= MAX_LINES || said.has(text)) continue;
    said.add(text);
    counts.set(program, count + 1);
    kept.push(withoutSecrets(line).slice(0, MAX_CHARS));
  }
  return kept.toReversed();
}

/** The last lines that the units that make this machine a node logged, of the last hour. */
export async function readJournal(signal: AbortSignal): Promise<string> {
  const units = UNITS.flatMap((unit) => ['-u', unit]);
  // If the journal is full of one program's lines, a thousand more would show nothing else.
  // Backwards: with --since, systemd before 256 counts the lines from that time on, which are the oldest.
  const asked = ['--no-pager', '--quiet', '--output=short', '--reverse', '--since=-1h', '--lines=1000', ...units];
  const { stdout } = await execa('journalctl', asked, {
    cancelSignal: signal,
    // The times are compared with others, by those who know nothing of the time zone of this machine.
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  return stdout.split('\n').toReversed().join('\n');
}
