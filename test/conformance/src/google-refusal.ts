/** An error in Google's format, which contains a newer and an older form. */
export class Refusal {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    this.status = status;
    this.body = body;
  }
}

export function refuse(status: number, reason: string, message: string, detail?: string): Refusal {
  const details = detail && { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail }] };
  return new Refusal(status, {
    error: { code: status, message, errors: [{ message, domain: 'global', reason }], ...details },
  });
}

export const notFound = (what: string): Refusal => refuse(404, 'notFound', `The resource '${what}' was not found`);
