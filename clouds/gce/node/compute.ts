import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { explainRefusal } from '@kopsctl/google/explain-refusal.ts';
import type { GoogleApi, GoogleRequest } from '@kopsctl/google/google-api.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import type { ZonalName } from './resource-name.ts';

/** Compute Engine's REST API, for one project. */
export interface Compute {
  readonly api: GoogleApi;
  /** `https://compute.googleapis.com/compute/v1` */
  readonly endpoint: string;
  readonly project: string;
}

const DEFAULT_ENDPOINT = 'https://compute.googleapis.com/compute/v1';

/** The endpoint of Compute Engine: from a variable of gcloud, else Google's. */
export const computeEndpoint = (env: Readonly<Record<string, string | undefined>>): string =>
  (env['CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE'] || DEFAULT_ENDPOINT).replace(/\/+$/, '');

type Kind = 'instances' | 'disks';

/**
 * The path of a resource, whatever the server: `projects/acme/zones/us-east1-b/disks/a`. Names have letters, digits and
 * dashes, projects also dots and colons: nothing in them needs escaping in a URL.
 */
export const zonalPath = (project: string, kind: Kind, { zone, name }: ZonalName): string =>
  `projects/${project}/zones/${zone}/${kind}/${name}`;

export const zonalUrl = ({ endpoint, project }: Compute, kind: Kind, name: ZonalName): string =>
  `${endpoint}/${zonalPath(project, kind, name)}`;

export const answerFields = (answer: unknown): AnswerFields => new AnswerFields(answer, 'Compute Engine');

/** The permission that a call needs, for the error that names it. */
export interface ComputeNeeds {
  readonly permission: string;
  readonly scope: 'compute.readonly' | 'compute';
}

export interface ComputeCall {
  /** Completes "cannot …". */
  readonly what: string;
  readonly request: GoogleRequest;
  readonly needs: ComputeNeeds;
  /** How to explain a refusal to the caller, where the message of Google is not enough. */
  readonly meaning?: (refusal: GoogleRefusal) => Error | undefined;
}

/** Sends one call and explains refusals. */
export async function callCompute({ api }: Compute, call: ComputeCall, signal: AbortSignal): Promise<AnswerFields> {
  try {
    return answerFields(await api.call(call.request, signal));
  } catch (thrown) {
    if (!(thrown instanceof GoogleRefusal)) throw thrown;
    throw call.meaning?.(thrown) ?? explained(call.what, call.needs, thrown);
  }
}

export const explained = (what: string, { permission, scope }: ComputeNeeds, refusal: GoogleRefusal): Error =>
  explainRefusal(
    what,
    {
      right: `a role with ${permission}`,
      scope,
      service: 'compute.googleapis.com',
      otherwise: 'see the message from Google',
    },
    refusal,
  );
