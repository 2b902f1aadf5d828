import { object, type ValueOf } from './field.ts';

export const leaderElection = object({
  leaderElect: 'bool',
  leaderElectLeaseDuration: 'duration',
  leaderElectRenewDeadlineDuration: 'duration',
  leaderElectResourceLock: 'string',
  leaderElectResourceName: 'string',
  leaderElectResourceNamespace: 'string',
  leaderElectRetryPeriod: 'duration',
});

/** Leader election of a control-plane component. */
export interface LeaderElectionConfig extends ValueOf<typeof leaderElection> {}
