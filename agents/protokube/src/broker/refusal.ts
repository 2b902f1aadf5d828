/** The broker does not do that. Its log says so as well: an authority that is not somebody else's never asks for it. */
export class BrokerRefusal extends Error {
  override readonly name = 'BrokerRefusal';
  readonly status: 400 | 403 | 404 | 413;
  constructor(status: 400 | 403 | 404 | 413, reason: string) {
    super(reason);
    this.status = status;
  }
}
