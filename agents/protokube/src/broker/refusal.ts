/** The broker does not do that, and logs it: an authority has no reason to ask. (404: it may ask, but there is no such thing.) */
export class BrokerRefusal extends Error {
  override readonly name = 'BrokerRefusal';
  readonly status: 400 | 403 | 404 | 413;
  constructor(status: 400 | 403 | 404 | 413, reason: string) {
    super(reason);
    this.status = status;
  }
}
