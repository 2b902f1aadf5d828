/** The broker does not do that. It is in its log, for an authority has no reason to ask. (404: there is none, which it may ask.) */
export class BrokerRefusal extends Error {
  override readonly name = 'BrokerRefusal';
  readonly status: 400 | 403 | 404 | 413;
  constructor(status: 400 | 403 | 404 | 413, reason: string) {
    super(reason);
    this.status = status;
  }
}
