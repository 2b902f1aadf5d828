import { readFile } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { type AuthoritySession, type Evidence, RefusedByAuthority } from '@kopsctl/node-identity/authority-session.ts';
import type { MachineKey } from '@kopsctl/node-identity/machine-key.ts';
import { type Attested, MAX_REPORT_BYTES } from '@kopsctl/node-identity/messages.ts';
import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import type { MachineReporter } from '../report/machine-reporter.ts';
import { keepCertificates, pairFor, type RequestedPair, whyCertificatesNeeded } from './kubelet-credentials.ts';

export interface AnswerEnv {
  readonly key: () => Promise<MachineKey>;
  readonly evidence: Evidence;
  /** Restarts kubelet, which holds a serving certificate that has been replaced. */
  readonly restartKubelet: (signal: AbortSignal) => Promise<void>;
  /** What is reported about this machine besides its boot. */
  readonly reporter: Pick<MachineReporter, 'news' | 'kept' | 'isTroubled'>;
  readonly log: Log;
}

/** An enrolled machine has little to say: a renewal that is due can wait this long. */
const CALL_AGAIN_SECONDS = 300;
/** A person may be looking for the reason, and then waiting for the trouble to end. */
const CALL_AGAIN_WITH_TROUBLES_SECONDS = 60;
/** While it boots, it says how far it has come. */
const CALL_AGAIN_SOON_SECONDS = 1;

/** What this machine remembers from call to call. */
export class LastCall {
  /** The report of its boot that the authorities have. */
  report: Buffer | undefined;
  /** An authority of an earlier version takes only reports of boots. */
  takesMachineReports = true;
  /** The pair that is being signed: an authority that is asked for the same one again has it sooner. */
  pair: RequestedPair | undefined;
}

/**
 * Talks with an authority that called: proves who this machine is, gets what it lacks, tells how its boot goes, and hangs
 * up. An authority has room for few machines at a time, so none stays on the line because something may happen.
 */
export async function answerAuthority(
  session: Pick<AuthoritySession, 'attest' | 'certificates' | 'report' | 'goodbye'>,
  config: IdentityConfig,
  env: AnswerEnv,
  last: LastCall,
  signal: AbortSignal,
): Promise<void> {
  const attested = await session.attest(await env.key(), env.evidence, signal);
  await keepKnowledge(config, attested);
  const why = await whyCertificatesNeeded(config.kubelet, attested, Date.now());
  last.pair = why === undefined ? undefined : await pairFor(attested, last.pair);
  let isBooting: boolean;
  for (;;) {
    isBooting = await tellBoot(session, config.bootReport, last, signal);
    if (last.pair === undefined) break;
    const signed = await session.certificates(last.pair.requests, signal).catch((error: unknown) => {
      // It is not signed, and never will be.
      if (error instanceof RefusedByAuthority) last.pair = undefined;
      throw error;
    });
    if (signed === 'not-yet') continue;
    if (signed === 'at-next-call') break;
    await keepCertificates(config.kubelet, last.pair.keys, signed);
    last.pair = undefined;
    env.log.info('certificates of kubelet signed', { node: attested.nodeName, why: why ?? '' });
    if (config.kubelet.restartsForServing) await env.restartKubelet(signal);
  }
  if (!isBooting && !(await tellState(session, env.reporter, last, signal))) return;
  const seldom = env.reporter.isTroubled ? CALL_AGAIN_WITH_TROUBLES_SECONDS : CALL_AGAIN_SECONDS;
  const againSeconds = isBooting || last.pair !== undefined ? CALL_AGAIN_SOON_SECONDS : seldom;
  await session.goodbye({ againSeconds }, signal);
}

/** Sends the report of this boot if it is news. Resolves with whether the boot goes on. */
async function tellBoot(
  session: Pick<AuthoritySession, 'report'>,
  path: string,
  last: LastCall,
  signal: AbortSignal,
): Promise<boolean> {
  const report = await readReport(path);
  if (report === undefined) return true;
  if (last.report?.equals(report) !== true) {
    await session.report(report, signal);
    last.report = report;
  }
  return isRunning(report);
}

/** Sends the report of this machine if there is news. Resolves with whether the authority still listens. */
async function tellState(
  session: Pick<AuthoritySession, 'report'>,
  reporter: AnswerEnv['reporter'],
  last: LastCall,
  signal: AbortSignal,
): Promise<boolean> {
  if (!last.takesMachineReports) return true;
  const report = await reporter.news(signal);
  if (report === undefined) return true;
  try {
    await session.report(report, signal);
  } catch (error) {
    if (!(error instanceof RefusedByAuthority)) throw error;
    last.takesMachineReports = false;
    return false;
  }
  reporter.kept();
  return true;
}

async function keepKnowledge(
  { kubelet, secrets, authorities }: IdentityConfig,
  { clusterCa, secrets: values, authorities: known }: Attested,
): Promise<void> {
  await keep(kubelet.ca, clusterCa, 0o644);
  for (const { name, path } of secrets) {
    const value = values[name];
    if (value === undefined) throw new Error(`the authority did not send the secret ${name}`);
    await keep(path, value, 0o600);
  }
  for (const { name, path } of authorities) {
    const certificates = known[name];
    if (certificates === undefined) throw new Error(`the authority did not send the certificates of ${name}`);
    await keep(path, certificates, 0o644);
  }
}

/** Programs that watch a file are notified only of changes. */
async function keep(path: string, text: string, mode: number): Promise<void> {
  const there = await ifThere(readFile(path, 'utf8'));
  if (there !== text) await replaceFile(path, text, { mode, folderMode: 0o755 });
}

async function readReport(path: string): Promise<Buffer | undefined> {
  const report = await ifThere(readFile(path));
  return report !== undefined && report.byteLength <= MAX_REPORT_BYTES ? report : undefined;
}

function isRunning(report: Buffer): boolean {
  return asRecord(JSON.parse(report.toString('utf8')))['result'] === 'running';
}
