import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import type { VerifierFacts } from '@kopsctl/node-cloud/machine-identity.ts';
import { roleCredentials } from '../credentials.ts';
import { metadataEndpoint, openMetadata } from '../metadata.ts';
import { signRequest } from '../sign-request.ts';
import { askSts, StsRefusal } from './ask-sts.ts';
import { callerIdentityRequest, type Sts } from './caller-identity-request.ts';
import { accountOf, type AwsAccount } from './caller-identity.ts';
import { openSts } from './open-sts.ts';

/** Where a cluster is. Neither value changes. */
export interface AwsVerifierFacts {
  readonly sts: Sts;
  readonly account: AwsAccount;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The region is that of this control plane: a cluster has only one, so there is no reason to ask a server that the evidence
 * chooses. The account is also that of this control plane; STS names it for the role of this machine.
 */
export function createAwsVerifierFacts(env: Env, nowMs: () => number = Date.now): VerifierFacts {
  const metadata = openMetadata(metadataEndpoint(env));
  const credentials = roleCredentials(metadata, nowMs);
  const http = openHttp();
  let known: AwsVerifierFacts | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const sts = await openSts(metadata, env, signal);
    const signed = signRequest(callerIdentityRequest(sts), await credentials(signal), nowMs());
    try {
      return (known = { sts, account: accountOf(await askSts(sts, signed, undefined, { http, signal })) });
    } catch (thrown) {
      throw thrown instanceof StsRefusal ? unbelieved(thrown) : thrown;
    }
  };
}

/** @throws with the paths of all fields that are missing or malformed */
export function parseAwsVerifierFacts(value: unknown): AwsVerifierFacts {
  const from = new FieldReader(value);
  const facts: AwsVerifierFacts = {
    sts: from.object('sts', (one) => ({ endpoint: one.text('endpoint'), region: one.text('region') })),
    account: from.object('account', (one) => ({ partition: one.text('partition'), account: one.text('account') })),
  };
  from.refuseFaults();
  return facts;
}

const unbelieved = (cause: StsRefusal): ActionableError =>
  new ActionableError({
    what: 'find out in which account this machine is',
    why: cause.message,
    next: "check the machine's clock (`timedatectl`) and its role (`aws sts get-caller-identity` on it)",
    cause,
  });
