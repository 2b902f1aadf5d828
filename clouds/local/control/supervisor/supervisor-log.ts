import { writeSync } from 'node:fs';
import { type Log, makeLog } from '@kopsctl/agent/log.ts';

/**
 * Writes supervisor.log, which is the standard error of this process, each line with its time. A full disk loses lines,
 * and ends no machine.
 */
export const supervisorLog: Log = makeLog(writeLine, false, 'supervisor');

function writeLine(line: string): void {
  try {
    writeSync(process.stderr.fd, `${new Date().toISOString()} ${line}`);
  } catch {
    // There is nowhere else to say it.
  }
}
