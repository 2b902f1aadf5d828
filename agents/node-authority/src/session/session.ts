import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { challengeOf, channelOf, isSigned, parseMachineKey } from '@kopsctl/node-identity/challenge.ts';
import { checkedRequest, type KubeletSubject } from '@kopsctl/node-identity/certificate-request.ts';
import type { MachineKnowledge } from '@kopsctl/node-identity/broker-messages.ts';
import { fingerprint } from '@kopsctl/node-identity/machine-key.ts';
import type { Attestation, Attested, Certificates, Goodbye, Hello, PlanWish } from '@kopsctl/node-identity/messages.ts';
import type { GroupRights } from '@kopsctl/node-plan/authority-groups.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { EvidenceRefused, type EvidenceVerifier, type ProvenMachine } from '@kopsctl/node-cloud/machine-identity.ts';
import type { Candidate } from '../enrolment/admit.ts';
import type { Outcome } from '../enrolment/enrol.ts';
import type { Purpose, WantedCertificate } from '../certificates/signing-request.ts';
import type { Allowance } from './allowance.ts';

/** What a session needs of the rest of the authority. */
export interface SessionEnv {
  readonly cluster: string;
  readonly verifier: EvidenceVerifier;
  readonly enrol: (candidate: Candidate, signal: AbortSignal) => Promise<Outcome>;
  /** Tells people that a machine does not get the name that the cloud gives it. */
  readonly tellRefused: (machine: CloudMachine, reason: string) => void;
  readonly sign: (wanted: WantedCertificate, signal: AbortSignal) => Promise<string>;
  /** Undefined for a group that the cluster does not have. */
  readonly rightsOf: (instanceGroup: string) => Promise<GroupRights | undefined>;
  readonly knowledgeFor: (instanceGroup: string) => Promise<MachineKnowledge>;
  /** The bytes of a plan for this machine; undefined if no plan of its group has that hash. */
  readonly planOf: (machine: CloudMachine, planHash: string, signal: AbortSignal) => Promise<Uint8Array | undefined>;
  /** Whether other machines wait for their turn to talk. */
  readonly doOthersWait: () => boolean;
  readonly keepReport: (machine: CloudMachine, report: Buffer, signal: AbortSignal) => Promise<void>;
  /** How often its cloud is asked about a machine, how many certificates and bytes of reports it may have, in an hour. */
  readonly evidence: Allowance;
  readonly signings: Allowance;
  readonly reportBytes: Allowance;
  readonly nowMs: () => number;
}

/** Refused. Only the log of the authority has the reason: the machine at the other end may be an attacker's. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 401 | 403 | 409;
  constructor(status: 400 | 401 | 403 | 409, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** A machine that waits for a certificate reports on its boot this often. */
const MOMENT_MS = 500;
/** After so many it gives way to others that wait. Hanging up before most are signed would throw away what was done for them. */
const MOMENTS_ITS_OWN = 6;
/** After so many it gives way to others that may come. */
const MOMENTS = 20;
const NONCE_BYTES = 32;
const NONCE_LIFE_MS = 60_000;

/** What one machine may ask on one connection, which this authority opened to the address that the cloud has of it. */
export class Session {
  readonly #machine: CloudMachine;
  readonly #connection: TLSSocket;
  readonly #env: SessionEnv;
  #nonce: { readonly bytes: Buffer; readonly untilMs: number } | undefined;
  /** What it was attested with; undefined before. */
  #attested: Candidate | undefined;
  /** What is being signed: a machine asks again until it is done, and reports on its boot meanwhile. */
  #signing: { readonly requests: Certificates; readonly done: Promise<Certificates>; moments: number } | undefined;

  constructor(machine: CloudMachine, connection: TLSSocket, env: SessionEnv) {
    this.#machine = machine;
    this.#connection = connection;
    this.#env = env;
  }

  hello(): Hello {
    const bytes = randomBytes(NONCE_BYTES);
    this.#nonce = { bytes, untilMs: this.#env.nowMs() + NONCE_LIFE_MS };
    return { nonce: bytes };
  }

  /** @throws Refusal; with 401 if evidence of the cloud is wanted */
  async attest(attestation: Attestation, signal: AbortSignal): Promise<Attested & { readonly isNew: boolean }> {
    const challenge = this.#challenge(attestation);
    const { instanceGroup } = this.#machine;
    const rights = await this.#env.rightsOf(instanceGroup);
    if (rights === undefined) throw new Refusal(403, `the cluster has no group ${instanceGroup}`);
    const proven = await this.#verify(attestation.evidence, challenge, rights, signal);
    const candidate: Candidate = {
      machine: this.#machine,
      machineKey: fingerprint(attestation.machineKey),
      isProven: proven !== undefined,
    };
    const knowledge = await this.#env.knowledgeFor(instanceGroup);
    // Last: a revocation counts from the moment it is written, and reading what the machine gets to know takes a while.
    const outcome = await this.#env.enrol(candidate, signal);
    if (outcome.result === 'want-evidence') throw new Refusal(401, 'its key is not known');
    if (outcome.result === 'refused') {
      this.#env.tellRefused(this.#machine, outcome.reason);
      throw new Refusal(409, outcome.reason);
    }
    this.#attested = { ...candidate, isProven: false };
    return { ...subjectOf(this.#machine), ...knowledge, isNew: outcome.isNew };
  }

  /** The signature is checked before anything that costs more. A nonce is good for one attempt. */
  #challenge({ machineKey, signature }: Attestation): Buffer {
    const nonce = this.#nonce;
    this.#nonce = undefined;
    if (nonce === undefined || this.#env.nowMs() > nonce.untilMs) throw new Refusal(403, 'it has no nonce');
    const key = parseMachineKey(machineKey);
    if (key === undefined) throw new Refusal(400, 'its key is not ECDSA on P-256');
    const challenge = challengeOf({
      cluster: this.#env.cluster,
      nonce: nonce.bytes,
      channel: channelOf(this.#connection),
      machineKey,
    });
    if (!isSigned(challenge, signature, key)) throw new Refusal(403, 'the signature was not made with its key');
    return challenge;
  }

  async #verify(
    evidence: unknown,
    challenge: Buffer,
    { principal }: GroupRights,
    signal: AbortSignal,
  ): Promise<ProvenMachine | undefined> {
    if (evidence === undefined) return undefined;
    if (!this.#env.evidence.take(this.#machine.instanceId)) throw new Refusal(403, 'it sends evidence too often');
    let proven: ProvenMachine;
    try {
      proven = await this.#env.verifier.verify(evidence, challenge, signal);
    } catch (error) {
      if (error instanceof EvidenceRefused) throw new Refusal(403, error.message);
      throw error;
    }
    const { instanceId, instanceGroup } = this.#machine;
    if (proven.instanceId !== instanceId) throw new Refusal(403, `its evidence is about ${proven.instanceId}`);
    if (principal !== undefined && proven.principal !== principal) {
      throw new Refusal(403, `it acts as ${proven.principal}, and machines of ${instanceGroup} act as ${principal}`);
    }
    return proven;
  }

  async plan({ planHash }: PlanWish, signal: AbortSignal): Promise<Uint8Array> {
    this.mustBeAttested();
    const plan = await this.#env.planOf(this.#machine, planHash, signal);
    if (plan === undefined) throw new Refusal(403, `${this.#machine.instanceGroup} has no plan ${planHash}`);
    await this.#mustStillBeAttested(signal);
    return plan;
  }

  /**
   * The certificates for these requests, or when to ask again if they are not signed after a moment. A machine has one pair
   * of requests on a connection.
   */
  async certificates(requests: Certificates, signal: AbortSignal): Promise<Certificates | 'not-yet' | 'at-next-call'> {
    this.mustBeAttested();
    if (this.#signing === undefined) {
      const pair = createHash('sha256').update(JSON.stringify(requests)).digest('base64url');
      if (!this.#env.signings.take(this.#machine.instanceId, 1, pair))
        throw new Refusal(403, 'it has had too many certificates signed');
      // Before the approval: every node may read what was signed.
      await this.#mustStillBeAttested(signal);
      const done = this.#signBoth(requests, signal);
      // A machine that asks again gets the failure.
      done.catch(() => undefined);
      this.#signing = { requests, done, moments: 0 };
    }
    const signing = this.#signing;
    const { requests: asked, done } = signing;
    const { client, serving } = requests;
    if (asked.client !== client || asked.serving !== serving) throw new Refusal(403, 'it asks for a second pair');
    const signed = await Promise.race([done, sleep(MOMENT_MS, undefined, { signal })]);
    if (signed === undefined) {
      signing.moments += 1;
      const mayStay = this.#env.doOthersWait() ? MOMENTS_ITS_OWN : MOMENTS;
      return signing.moments < mayStay ? 'not-yet' : 'at-next-call';
    }
    // Signing takes a while, and a revocation counts from the moment it is written.
    await this.#mustStillBeAttested(signal);
    return signed;
  }

  async #signBoth(requests: Certificates, signal: AbortSignal): Promise<Certificates> {
    const subject = subjectOf(this.#machine);
    const [client, serving] = await Promise.all([
      this.#sign('client', requests.client, { ...subject, dnsNames: [], ipAddresses: [] }, signal),
      this.#sign('serving', requests.serving, subject, signal),
    ]);
    return { client, serving };
  }

  async #sign(purpose: Purpose, request: string, subject: KubeletSubject, signal: AbortSignal): Promise<string> {
    const checked = await checkedRequest(request, subject);
    if ('whyNot' in checked) throw new Refusal(403, `the request for its ${purpose} certificate: ${checked.whyNot}`);
    return this.#env.sign({ purpose, node: subject.nodeName, request: checked.request }, signal);
  }

  async report(report: Buffer, signal: AbortSignal): Promise<void> {
    await this.#mustStillBeAttested(signal);
    const { instanceId } = this.#machine;
    if (!this.#env.reportBytes.take(instanceId, report.byteLength)) throw new Refusal(403, 'it reports too much data');
    await this.#env.keepReport(this.#machine, report, signal);
  }

  goodbye({ againSeconds }: Goodbye): number {
    this.mustBeAttested();
    return againSeconds;
  }

  get isAttested(): boolean {
    return this.#attested !== undefined;
  }

  /** @throws Refusal if it is not attested */
  mustBeAttested(): void {
    if (!this.isAttested) throw new Refusal(403, 'it is not attested');
  }

  /**
   * A person may have revoked the machine since, or permitted another key: the connection is then no longer good for what it
   * was good for. Reads the enrolment, so it is called before each thing that is given or kept, and nowhere else.
   *
   * @throws Refusal if its key would not be accepted now
   */
  async #mustStillBeAttested(signal: AbortSignal): Promise<void> {
    if (this.#attested === undefined) throw new Refusal(403, 'it is not attested');
    const outcome = await this.#env.enrol(this.#attested, signal);
    if (outcome.result === 'refused') throw new Refusal(409, outcome.reason);
    if (outcome.result === 'want-evidence') throw new Refusal(409, 'its key no longer belongs to its name');
  }
}

/** What the certificates of a machine's kubelet are for: what the cloud says of it, whatever the machine says. */
const subjectOf = ({ nodeName, address, externalAddresses }: CloudMachine): KubeletSubject => ({
  nodeName,
  dnsNames: [nodeName],
  ipAddresses: [...new Set([address, ...externalAddresses])],
});
