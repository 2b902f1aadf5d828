import { type Finding, isKnown, isReadyNow, type NodeEvidence, type NotKnown } from './evidence.ts';

/** How clouds and their libraries say that this computer has no credentials, or none that are accepted. */
const CREDENTIALS =
  /could not load (?:the default )?credentials|CredentialsProviderError|ExpiredToken|security token .* (?:expired|invalid)|InvalidClientTokenId|not able to validate the provided access credentials|UnrecognizedClient|SignatureDoesNotMatch|invalid_grant/i;

/** What to do where this computer could not ask. */
export const nextForAccess = ({ failure, next }: NotKnown): string =>
  CREDENTIALS.test(failure)
    ? 'check the credentials of the cloud on this computer: there are none, or they are not accepted (any more)'
    : (next ?? 'check the network connection of this computer and its credentials of the cloud');

/**
 * Whether this computer could not even ask the API: it learns from the cloud where the API is. Then the failure says nothing
 * of the API, nor of the machine.
 */
export const isApiNotAsked = ({ machine, objects }: NodeEvidence): boolean =>
  !isKnown(objects) && (!isCloudAsked(machine) || CREDENTIALS.test(objects.failure));

/** Also if it has no such machine. */
export const isCloudAsked = (machine: NodeEvidence['machine']): boolean => machine === undefined || isKnown(machine);

/** What this computer could not ask, of a node that is not known to be Ready: what is concluded without it may be wrong. Pure. */
export function ownAccessFindings(evidence: NodeEvidence): readonly Finding[] {
  const { machine, objects } = evidence;
  const failures = [
    ...(machine !== undefined && !isKnown(machine) ? [machine.failure] : []),
    ...(!isKnown(objects) && isApiNotAsked(evidence) ? [objects.failure] : []),
  ];
  if (failures.length === 0 || isReadyNow(evidence)) return [];
  const both = 'this computer could ask neither the cloud nor the Kubernetes API';
  const one = `this computer could not ask the ${isCloudAsked(machine) ? 'Kubernetes API' : 'cloud'}`;
  return [
    {
      what: failures.length === 2 ? both : one,
      because: [...new Set(failures)],
      next: nextForAccess({ failure: failures.join('\n') }),
    },
  ];
}
