/** Where a member listens. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}
