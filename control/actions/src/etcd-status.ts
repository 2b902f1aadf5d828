import { diagnoseEtcd, type EtcdFinding } from './etcd/etcd-diagnosis.ts';
import { findEtcdClusters } from './etcd/etcd-clusters.ts';
import { type EtcdReport, readEtcdReport } from './etcd/etcd-report.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

interface Looking {
  /** One etcd cluster; without it all of them. */
  readonly etcdCluster?: string | undefined;
}

/** What each etcd-manager says of its member. Needs nothing but the store. */
export async function etcdReports(context: ActionContext, { etcdCluster }: Looking): Promise<readonly EtcdReport[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const etcds = await findEtcdClusters(store, cluster, etcdCluster);
  return Promise.all(etcds.map((etcd) => readEtcdReport(store, etcd)));
}

export interface EtcdFindings {
  /** The etcd clusters that were looked at. */
  readonly names: readonly string[];
  readonly findings: readonly (EtcdFinding & { readonly etcdCluster: string })[];
}

/** What is wrong with the etcd clusters and what to do next. */
export async function etcdFindings(context: ActionContext, looking: Looking): Promise<EtcdFindings> {
  const reports = await etcdReports(context, looking);
  const nowMs = Date.now();
  return {
    names: reports.map(({ name }) => name),
    findings: reports.flatMap((report) =>
      diagnoseEtcd(report, nowMs).map((finding) => ({ etcdCluster: report.name, ...finding })),
    ),
  };
}
