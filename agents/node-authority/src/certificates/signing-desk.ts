import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { followList } from '@kopsctl/kube/follow-list.ts';
import { decideRequest } from './decide-request.ts';
import { Denials } from './denials.ts';
import {
  decided,
  isFor,
  parseSigningRequest,
  requestName,
  requestObject,
  REQUESTS,
  SIGNERS,
  type SigningRequest,
  type WantedCertificate,
} from './signing-request.ts';

/** Every machine may make requests, and each may be longer than a megabyte. */
const REQUESTS_AT_ONCE = 5;

const KUBELET_SIGNERS: readonly string[] = Object.values(SIGNERS);

/**
 * Has certificates signed by kube-controller-manager: an authority has no key of a CA. It follows all requests, so that
 * a thousand machines cost one watch, and denies whatever others ask of the same signers.
 */
export class SigningDesk {
  readonly #kube: KubeClient;
  readonly #denials: Denials;
  /** The callers that wait for a request, by its name. */
  readonly #waiting = new Map<string, (settled: SigningRequest) => void>();

  constructor(kube: KubeClient, log: Log) {
    this.#kube = kube;
    this.#denials = new Denials(kube, log);
  }

  /** Follows the requests until the signal aborts. Without it nobody gets a certificate. */
  async follow(signal: AbortSignal): Promise<void> {
    await followList(
      this.#kube,
      REQUESTS,
      signal,
      (change) => {
        if (change.type !== 'there') return;
        const found = parseSigningRequest(change.object);
        if (!KUBELET_SIGNERS.includes(found.signer)) return;
        if (found.user === AUTHORITY_USER) this.#settle(found);
        else if (found.decision === 'none') this.#denials.add(found, signal);
      },
      REQUESTS_AT_ONCE,
    );
  }

  /** A certificate, as PEM. It is approved here, so the request must have been checked before. */
  async sign(wanted: WantedCertificate, signal: AbortSignal): Promise<string> {
    const name = requestName(wanted);
    const settled = Promise.withResolvers<SigningRequest>();
    const stop = (): void => settled.reject(signal.reason);
    // Nothing awaits this promise yet while the request is made and approved.
    settled.promise.catch(() => undefined);
    this.#waiting.set(name, settled.resolve);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const found = await this.#open(wanted, signal);
      if (!isFor(found, wanted)) throw new Error(`${name} is not what this authority asked for`);
      if (found.decision === 'none') await this.#approve(found, signal);
      const { certificate, reason } = isSettled(found) ? found : await settled.promise;
      if (certificate === undefined) throw new Error(`${name} was refused: ${reason}`);
      return certificate;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(name);
    }
  }

  async #open(wanted: WantedCertificate, signal: AbortSignal): Promise<SigningRequest> {
    const path = `${REQUESTS}/${requestName(wanted)}`;
    try {
      return parseSigningRequest(await this.#kube.create(REQUESTS, requestObject(wanted), signal));
    } catch (error) {
      // Another authority was faster, or an answer to this one was lost.
      if (error instanceof KubeError && error.status === 409) {
        return parseSigningRequest(await this.#kube.get(path, signal));
      }
      throw error;
    }
  }

  async #approve(found: SigningRequest, signal: AbortSignal): Promise<void> {
    const message = 'the machine is attested, and asks for its own name and addresses';
    await decideRequest(this.#kube, found, decided(found, 'Approved', 'AttestedMachine', message), signal);
  }

  #settle(found: SigningRequest): void {
    if (isSettled(found)) this.#waiting.get(found.name)?.(found);
  }
}

const isSettled = ({ certificate, decision }: SigningRequest): boolean =>
  certificate !== undefined || decision === 'refused';
