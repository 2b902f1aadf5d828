/** etcd's own default (server/storage/quota.go: DefaultQuotaBytes). */
const DEFAULT_QUOTA_BYTES = 2 * 1024 ** 3;

export const QUOTA_SETTING = 'ETCD_QUOTA_BACKEND_BYTES';

/** The size of its database at which an etcd accepts no more writes, by the value of its setting. */
export function etcdQuotaBytes(setting: string | undefined): number {
  const bytes = Number(setting);
  return Number.isFinite(bytes) && bytes > 0 ? bytes : DEFAULT_QUOTA_BYTES;
}
