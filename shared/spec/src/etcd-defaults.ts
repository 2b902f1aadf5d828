/** The etcd clusters of a spec that names none. */
export const ETCD_CLUSTERS = ['main', 'events'];

/** How many days the daily backups of etcd are kept, as in kops (pkg/model/components/etcdmanager/options.go). */
export const BACKUP_RETENTION_DAYS = 90;

/** How often etcd-manager makes a backup, as kops's does. kops's completed spec does not have it. */
export const BACKUP_INTERVAL_MINUTES = 15;

/** The variable of etcd-manager, kops's too, that says how often it makes one. */
export const BACKUP_INTERVAL_VARIABLE = 'ETCD_MANAGER_BACKUP_INTERVAL';

/** How often the leader of etcd-managers looks at the members while nothing changes. */
export const POLL_INTERVAL_SECONDS = 10;

/** The variable of etcd-manager that says how often its leader looks at the members while nothing changes. */
export const POLL_INTERVAL_VARIABLE = 'ETCD_MANAGER_DISCOVERY_POLL_INTERVAL';

/** The level that kops gives its etcd-manager (pkg/model/components/etcdmanager/model.go); decisions are logged at each. */
export const USUAL_LOG_LEVEL = 6;

/** The variable of etcd-manager that says how much it logs, in kops's numbers. */
export const LOG_LEVEL_VARIABLE = 'ETCD_MANAGER_LOG_LEVEL';

/** What is reserved for a member of a new etcd cluster (kops upup/pkg/fi/cloudup/new_cluster.go createEtcdCluster). */
export const etcdRequests = (name: string): { readonly cpuRequest: string; readonly memoryRequest: string } => ({
  cpuRequest: name === 'main' ? '200m' : '100m',
  memoryRequest: '100Mi',
});
