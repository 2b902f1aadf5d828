/** What errors of a cloud, and its groups of machines, say about why there is no machine or why it does not work. */
export type CloudFailure =
  | 'wrong-clock'
  | 'machine-image'
  | 'machine-type'
  | 'architecture'
  | 'addresses'
  | 'spot-price'
  | 'lost-resource'
  | 'volume-key'
  | 'policy'
  | 'quota'
  | 'refused';

/** The words in which a cloud says each of them. A diagnosis names the cause and what to do about it. */
export type FailureWords = Readonly<Partial<Record<CloudFailure, RegExp>>>;
