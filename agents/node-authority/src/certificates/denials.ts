import type { Log } from '@kopsctl/agent/log.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { decideRequest } from './decide-request.ts';
import { decided, type SigningRequest } from './signing-request.ts';

/** As many at once; the others wait. */
const AT_ONCE = 4;
/** With the longest request, those that wait take 16 MiB. */
const MAX_WAITING = 256;
/** Any kubelet's request has some 2 KiB. */
const MAX_CHARS = 64 * 1024;
const MAX_LINES_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/**
 * Denies what others ask of the signers of kubelets. A stolen machine can make requests of a megabyte each without end, so
 * few are kept here. Nobody else decides on them: one that is left undecided does no harm, and kube-controller-manager
 * deletes it after a day.
 */
export class Denials {
  readonly #kube: Pick<KubeClient, 'replace'>;
  readonly #log: Log;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, { readonly found: SigningRequest; readonly signal: AbortSignal }>();
  #running = 0;
  #minute = { sinceMs: -Infinity, lines: 0 };

  constructor(kube: Pick<KubeClient, 'replace'>, log: Log, nowMs: () => number = () => performance.now()) {
    this.#kube = kube;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  add(found: SigningRequest, signal: AbortSignal): void {
    const isLong = JSON.stringify(found.object).length > MAX_CHARS;
    if (isLong || (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(found.name))) {
      const why = isLong ? 'it is too long' : 'too many others wait';
      this.#say('warn', 'request for a certificate left undecided', { ...subjectOf(found), why });
      return;
    }
    this.#waiting.set(found.name, { found, signal });
    if (this.#running < AT_ONCE) void this.#work();
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (const [name, { found, signal }] of this.#waiting) {
      this.#waiting.delete(name);
      // A signal ends when requests are followed from the beginning, and then all undecided ones come again.
      if (!signal.aborted) await this.#deny(found, signal);
    }
    this.#running -= 1;
  }

  async #deny(found: SigningRequest, signal: AbortSignal): Promise<void> {
    const message = 'certificates of kubelets are requested by node-authority alone, for machines that are attested';
    try {
      await decideRequest(this.#kube, found, decided(found, 'Denied', 'NotAttested', message), signal);
      this.#say('warn', 'request for a certificate denied', subjectOf(found));
    } catch (error) {
      if (!signal.aborted) this.#say('error', 'request for a certificate not denied', { ...subjectOf(found), error });
    }
  }

  #say(level: 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#nowMs() - this.#minute.sinceMs >= MINUTE_MS) {
      const leftOut = this.#minute.lines - MAX_LINES_PER_MINUTE;
      if (leftOut > 0) this.#log.warn('more requests for certificates than are logged', { leftOut });
      this.#minute = { sinceMs: this.#nowMs(), lines: 0 };
    }
    this.#minute.lines += 1;
    if (this.#minute.lines <= MAX_LINES_PER_MINUTE) this.#log[level](message, fields);
  }
}

const subjectOf = ({ name, user, signer }: SigningRequest) => ({ request: name, user, signer });
