import { readFile } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import type { Wake } from '@kopsctl/agent/wake.ts';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import type { AuthoritySession, Evidence } from '@kopsctl/node-identity/authority-session.ts';
import type { MachineKey } from '@kopsctl/node-identity/machine-key.ts';
import { type Attested, MAX_REPORT_BYTES } from '@kopsctl/node-identity/messages.ts';
import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { keepCertificates, newRequests, whyCertificatesNeeded } from './kubelet-credentials.ts';

export interface AnswerEnv {
  readonly key: () => Promise<MachineKey>;
  readonly evidence: Evidence;
  /** Restarts kubelet, which holds a serving certificate that is replaced. */
  readonly restartKubelet: (signal: AbortSignal) => Promise<void>;
  /** Rung when nodeup has written to its report. */
  readonly reportChanged: Wake;
  readonly log: Log;
}

/** An enrolled machine has little to say: a renewal that is due can wait this long. */
const CALL_AGAIN_SECONDS = 300;
/** A boot that hangs is still being reported. */
const LOOK_AGAIN_MS = 5_000;

/** What the authorities know of this machine's boot, over all calls. */
export class SentReport {
  bytes: Buffer | undefined;
}

/** Talks with an authority that called: proves who this machine is, gets what it lacks, and tells how its boot goes. */
export async function answerAuthority(
  session: AuthoritySession,
  config: IdentityConfig,
  env: AnswerEnv,
  sent: SentReport,
  signal: AbortSignal,
): Promise<void> {
  const attested = await session.attest(await env.key(), env.evidence, signal);
  await keepKnowledge(config, attested);
  const why = await whyCertificatesNeeded(config.kubelet, attested, Date.now());
  let wanted = why === undefined ? undefined : await newRequests(attested);
  for (;;) {
    const report = await readReport(config.bootReport);
    if (report !== undefined && sent.bytes?.equals(report) !== true) {
      await session.report(report, signal);
      sent.bytes = report;
    }
    const isBooting = report === undefined || isRunning(report);
    if (wanted !== undefined) {
      const signed = await session.certificates(wanted.requests, signal);
      if (signed === undefined) continue;
      await keepCertificates(config.kubelet, wanted.keys, signed);
      wanted = undefined;
      env.log.info('certificates of kubelet signed', { node: attested.nodeName, why: why ?? '' });
      if (config.kubelet.restartsForServing) await env.restartKubelet(signal);
    } else if (isBooting) {
      await env.reportChanged.wait(LOOK_AGAIN_MS, signal);
      if (session.isOver) return;
    } else break;
  }
  await session.goodbye({ againSeconds: CALL_AGAIN_SECONDS }, signal);
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

/** Those who watch a file learn only of changes. */
async function keep(path: string, text: string, mode: number): Promise<void> {
  const there = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (there !== text) await replaceFile(path, text, { mode, folderMode: 0o755 });
}

async function readReport(path: string): Promise<Buffer | undefined> {
  try {
    const report = await readFile(path);
    return report.byteLength <= MAX_REPORT_BYTES ? report : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(report: Buffer): boolean {
  const value: unknown = JSON.parse(report.toString('utf8'));
  return typeof value === 'object' && value !== null && 'result' in value && value.result === 'running';
}
