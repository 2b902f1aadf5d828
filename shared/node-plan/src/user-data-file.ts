/**
 * Where the user-data of a group is, below the cluster's folder of the state store: only where a person puts it on
 * machines, because no cloud does.
 */
export const userDataFile = (instanceGroup: string): string => `user-data/${instanceGroup}.sh`;
