/** What the spec names, and what machines get in its place because the prepared assets do not hold it. */
export interface Replaced {
  readonly wanted: string;
  readonly used: string;
}

/** The sentence that tells a user about it. */
export const replacedNote = ({ wanted, used }: Replaced): string =>
  `Replaced: ${wanted} by ${used}, the nearest version that the prepared assets hold`;
