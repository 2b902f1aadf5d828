import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  readonly body: string;
}

/** The way to Google's servers. */
export interface GoogleHttp {
  send(request: HttpRequest): Promise<HttpReply>;
}

/** Google answers in well under a second; who does not within this time is not reached. */
const TIMEOUT_MS = 15_000;

export const realGoogleHttp: GoogleHttp = {
  async send({ method, url, headers, body }) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const reply = await fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    return { status: reply.status, body: await reply.text() };
  },
};

/** An answer that says why not. */
export class GoogleRefusal extends ActionableError {
  readonly status: number;

  constructor(what: string, { status, body }: HttpReply) {
    const next =
      status === 401 || status === 403
        ? 'give the machine’s service account the role roles/dns.admin, and the machine the scope ndev.clouddns.readwrite'
        : 'check the zone with `gcloud dns managed-zones list`';
    super({ what, why: `Google answered ${status}: ${reason(body)}`, next });
    this.status = status;
  }
}

/** `error.message` of Google's error format, or what there is instead. */
function reason(body: string): string {
  try {
    const { error }: { error?: { message?: string } } = JSON.parse(body);
    return error?.message ?? body.slice(0, 200);
  } catch {
    return body.slice(0, 200);
  }
}

/** What a request brings, parsed; throws a GoogleRefusal for anything but success. */
export async function sendForJson(what: string, request: HttpRequest, http: GoogleHttp): Promise<unknown> {
  const reply = await sendOrExplain(what, request, http);
  if (reply.status < 200 || reply.status > 299) throw new GoogleRefusal(what, reply);
  return JSON.parse(reply.body);
}

async function sendOrExplain(what: string, request: HttpRequest, http: GoogleHttp): Promise<HttpReply> {
  try {
    return await http.send(request);
  } catch (thrown) {
    const { host } = new URL(request.url);
    const next = `check that this machine reaches ${host}`;
    throw new ActionableError({ what, why: `${host}: ${messageOf(thrown)}`, next, cause: thrown });
  }
}
