/** Fields that change nothing of what is planned, and why they need not. */
export const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  'Cluster spec.rollingUpdate.drainAndTerminate': 'rolling-update reads it',
  'Cluster spec.rollingUpdate.maxSurge': 'rolling-update reads it',
  'Cluster spec.rollingUpdate.maxUnavailable': 'rolling-update reads it',
  'InstanceGroup spec.rollingUpdate.drainAndTerminate': 'rolling-update reads it',
  'InstanceGroup spec.rollingUpdate.maxSurge': 'rolling-update reads it',
  'InstanceGroup spec.rollingUpdate.maxUnavailable': 'rolling-update reads it',
  'Cluster spec.cloudProvider': 'it chooses what is walked',
  'Cluster spec.api.dns': 'its presence says what no load balancer says as well',
  'Cluster spec.authorization.rbac': 'there is no other authorization but alwaysAllow',
  'Cluster spec.fileAssets[].name': 'it names the file for people',
  'InstanceGroup spec.fileAssets[].name': 'it names the file for people',
};
