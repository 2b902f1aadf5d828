import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { containerdFor, corednsFor, etcdFor } from './programs.ts';

/** What clusters are to run, for which everything that they download is made. */
export interface Wants {
  readonly kubernetes: readonly string[];
  readonly docker?: boolean;
  /** Minor versions of etcd besides the ones that these Kubernetes are made for. */
  readonly etcd?: readonly string[];
  /** Images besides the ones that every cluster runs, e.g. `metrics-server`. */
  readonly images?: readonly string[];
}

/** Whatever the version: what every cluster runs, and busybox to try it with and to prepare the folders of volumes. */
const ALWAYS = ['runc', 'cni', 'image/pause', 'image/local-path-provisioner', 'image/busybox'];

/** The things to make, by name. */
export function thingsFor({ kubernetes, docker = false, etcd = [], images = [] }: Wants): readonly string[] {
  const things = kubernetes.flatMap((version) => [
    `kubernetes-${minorOf(version)}`,
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map(
      (name) => `image/${name}-${minorOf(version)}`,
    ),
    containerdFor(version),
    etcdFor(version),
    corednsFor(version),
  ]);
  return [
    ...new Set([
      ...things,
      ...ALWAYS,
      ...(docker ? ['docker'] : []),
      ...etcd.map((minor) => `etcd-${minor}`),
      ...images.map((name) => `image/${name}`),
    ]),
  ];
}
