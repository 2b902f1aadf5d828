/** The number of voters that form a quorum. */
export function quorumOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}
