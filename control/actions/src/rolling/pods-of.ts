/** What is counted while a machine is drained. */
export const podsOf = (node: string): string => `pods of ${node}`;
