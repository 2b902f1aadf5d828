import { object } from './field.ts';

/** Leader election of a control-plane component. */
export const leaderElection = object({
  leaderElect: 'bool',
  leaderElectLeaseDuration: 'duration',
  leaderElectRenewDeadlineDuration: 'duration',
  leaderElectResourceLock: 'string',
  leaderElectResourceName: 'string',
  leaderElectResourceNamespace: 'string',
  leaderElectRetryPeriod: 'duration',
});
