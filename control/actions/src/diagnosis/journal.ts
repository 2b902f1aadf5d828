import type { KeptReport } from '../follow/read-machine-report.ts';

/** `May 01 12:00:00 nodes-1 kubelet[123]: `: the time, the program and its process. */
const HEAD = /^(\w{3} [ \d]?\d [\d:]{8} )?\S.*? ([^[\s]+)\[(\d+)\]: /;
/** journalctl prints it between the lines of two boots. */
const NEXT_BOOT = /^-- (?:Boot|Reboot)\b/;
/** Programs of which several processes run at once: a machine has a member of each etcd. */
const RUN_TWICE = new Set(['etcd']);
/** What was logged earlier than this before the newest line explains an earlier state. */
const RECENT_MS = 15 * 60_000;
const YEAR_MS = 366 * 24 * 60 * 60_000;

/**
 * Lines of a journal that can explain the present state of a machine: those since its last boot, and not much older than the
 * newest. They are compared with each other, because the machine may have another time zone, or a wrong clock. Pure.
 */
export function presentLines(journal: readonly string[], withinMs: number = RECENT_MS): readonly string[] {
  const ofBoot = journal.slice(journal.findLastIndex((line) => NEXT_BOOT.test(line)) + 1);
  const newestMs = ofBoot.map((line) => stampOf(line)).findLast((ms) => ms !== undefined);
  return newestMs === undefined
    ? ofBoot
    : ofBoot.filter((line) => newestMs - (stampOf(line, newestMs) ?? newestMs) <= withinMs);
}

/** In ms since 1970, in a year that a journal does not name; a date that seems later than `newestMs` is of the year before. */
function stampOf(line: string, newestMs: number = Number.POSITIVE_INFINITY): number | undefined {
  const stamp = HEAD.exec(line)?.[1];
  // A leap year: every date of a journal exists in it.
  const ms = stamp === undefined ? Number.NaN : Date.parse(`2000 ${stamp}UTC`);
  if (Number.isNaN(ms)) return undefined;
  return ms > newestMs ? ms - YEAR_MS : ms;
}

const HALF_YEAR_MS = YEAR_MS / 2;

/** Lines that were logged after a time of the machine's clock, and those that do not say when they were. In UTC. Pure. */
export function linesSince(lines: readonly string[], sinceMs: number): readonly string[] {
  const year = new Date(sinceMs).getUTCFullYear();
  return lines.filter((line) => {
    const stamp = HEAD.exec(line)?.[1];
    if (stamp === undefined) return true;
    const ms = Date.parse(`${year} ${stamp}UTC`);
    // Days around the turn of the year belong to another year.
    return Number.isNaN(ms) || sinceMs - ms > HALF_YEAR_MS || (ms >= sinceMs && ms - sinceMs < HALF_YEAR_MS);
  });
}

/**
 * What programs say now: of each, the lines of its newest process. What one said that has ended, before it was started with
 * another configuration for example, explains nothing. Pure.
 */
export function saidBy(journal: readonly string[], ...programs: readonly string[]): readonly string[] {
  const newest = new Map<string, string>();
  const lines = presentLines(journal).flatMap((line) => {
    const [, , program = '', process = ''] = HEAD.exec(line) ?? [];
    if (!programs.includes(program)) return [];
    newest.set(program, process);
    return [{ line, program, process }];
  });
  const isNewest = ({ program, process }: (typeof lines)[number]): boolean =>
    RUN_TWICE.has(program) || newest.get(program) === process;
  return lines.filter(isNewest).map(({ line }) => line);
}

/**
 * The journal of a machine, from what could be read of it and what its protokube kept. What was kept while nothing was wrong with
 * the machine explains nothing: programs log errors at every boot. Of programs whose lines could be read, these are newer. Pure.
 */
export function journalOf(read: readonly string[], kept: KeptReport | undefined): readonly string[] {
  const present = presentLines(read);
  if (kept === undefined) return present;
  const { units, failures } = kept.state;
  if (Object.keys(units).length === 0 && Object.keys(failures).length === 0) return present;
  const programs = new Set(present.map(programOf));
  return [...kept.errors.filter((line) => !programs.has(programOf(line))), ...present];
}

const programOf = (line: string): string => HEAD.exec(line)?.[2] ?? '';
