import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { CertificateState } from '@kopsctl/node-plan/machine-state.ts';
import { inspectCertificate } from '@kopsctl/pki/inspect.ts';
import { renewAtMs } from '@kopsctl/pki/renewal.ts';
import type { StateBoard } from '../state/state-board.ts';
import type { Renewal } from '../identity/renewal.ts';
import { presentedCertificates } from './presented-certificates.ts';

/** Nothing waits for it, and some twenty small files are read. */
const EVERY_MS = 60_000;

export interface CertificatesEnv {
  readonly board: StateBoard;
  readonly renewal: Renewal;
  readonly nowMs: () => number;
}

/** Reports until when the certificates of this machine are valid. */
export async function watchCertificates(
  { drift, identity }: Pick<ProtokubeConfig, 'drift' | 'identity'>,
  { board, renewal, nowMs }: CertificatesEnv,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const plan = drift && (await ifThere(readFile(drift.plan)));
    const paths = presentedCertificates(plan, drift?.plan ?? '', identity);
    const states = await Promise.all(
      [...paths].map(async ([name, path]) => {
        const state = certificateState(await ifThere(readFile(path)), renewal.failure, nowMs());
        return state === undefined ? [] : [[name, state] as const];
      }),
    );
    board.certificates(Object.fromEntries(states.flat()));
    await sleep(EVERY_MS, undefined, { signal });
  }
}

/** Undefined for what is not a certificate: its writer writes it again. Pure. */
export function certificateState(
  pem: Uint8Array | undefined,
  renewalFailure: string | undefined,
  nowMs: number,
): CertificateState | undefined {
  if (pem === undefined) return undefined;
  try {
    const certificate = inspectCertificate(Buffer.from(pem).toString('utf8'));
    const failed = renewalFailure !== undefined && nowMs >= renewAtMs(certificate);
    return {
      notAfter: new Date(certificate.notAfterMs).toISOString(),
      ...(failed && { renewalFailure }),
    };
  } catch {
    return undefined;
  }
}
