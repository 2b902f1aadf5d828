import { CLUSTER_LABEL, clusterLabel, isOfCluster } from '../../node/labels.ts';
import { change, list, nameIn, pathIn, resourcePath } from './compute-calls.ts';
import { keptLabels } from './kept-labels.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundDisk {
  readonly sizeGb: number;
  readonly type: string;
  readonly iops: number;
  readonly throughput: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly labelFingerprint: string;
}

/** Disks of etcd. They are deleted only together with the whole cluster, as are the disks that pods have received. */
export const diskHandler = resourceHandler<'gce/Disk', FoundDisk>({
  kind: 'gce/Disk',
  noun: 'disk',
  path: ({ zone, name }, { project }) => resourcePath(project, `zones/${zone}`, 'disks', name),
  parse: (answer) => ({
    sizeGb: answer.wideCount('sizeGb'),
    type: nameIn(answer.text('type')),
    iops: answer.wideCount('provisionedIops'),
    throughput: answer.wideCount('provisionedThroughput'),
    labels: answer.textsByName('labels'),
    labelFingerprint: answer.text('labelFingerprint'),
  }),
  wanted: ({ sizeGb, type, iops, throughput, labels }) => ({
    sizeGb,
    type,
    ...(iops !== undefined && { iops }),
    ...(throughput !== undefined && { throughput }),
    labels,
  }),
  present: ({ sizeGb, type, iops, throughput, labels }, wanted) => ({
    // A disk can only grow: one that has been made larger is left so.
    sizeGb: Math.min(sizeGb, wanted.sizeGb),
    type,
    ...(wanted.iops !== undefined && { iops }),
    ...(wanted.throughput !== undefined && { throughput }),
    labels: keptLabels(wanted.labels, labels),
  }),
  changeable: ['sizeGb', 'iops', 'throughput', 'labels'],
  body: ({ zone, sizeGb, type, iops, throughput, labels }) => ({
    sizeGb: String(sizeGb),
    type: `zones/${zone}/diskTypes/${type}`,
    ...(iops !== undefined && { provisionedIops: String(iops) }),
    ...(throughput !== undefined && { provisionedThroughput: String(throughput) }),
    labels,
  }),
  async update({ path, props, changed }, { labels, labelFingerprint }, gce, signal) {
    if (changed.has('sizeGb')) {
      const body = { sizeGb: String(props.sizeGb) };
      await change(gce, { method: 'POST', path: `${path}/resize`, body }, signal);
    }
    const speeds = {
      ...(changed.has('iops') && { provisionedIops: String(props.iops) }),
      ...(changed.has('throughput') && { provisionedThroughput: String(props.throughput) }),
    };
    if (Object.keys(speeds).length > 0) {
      const query = { updateMask: Object.keys(speeds).join(',') };
      await change(gce, { method: 'PATCH', path, query, body: { name: props.name, ...speeds } }, signal);
    }
    if (changed.has('labels')) {
      const body = { labels: { ...labels, ...props.labels }, labelFingerprint };
      await change(gce, { method: 'POST', path: `${path}/setLabels`, body }, signal);
    }
  },
  async owned(gce, signal) {
    if (!gce.everything) return [];
    const { project, clusterName } = gce;
    const filter = `labels.${CLUSTER_LABEL} = "${clusterLabel(clusterName)}"`;
    const listing = {
      project,
      place: 'aggregated',
      collection: 'disks',
      fields: 'name,selfLink,labels',
      filter,
    } as const;
    return (await list(gce, listing, signal))
      .filter((answer) => isOfCluster(clusterName, answer.textsByName('labels')))
      .map((answer) => {
        const name = answer.text('name');
        return { name, description: `disk ${name}`, handle: pathIn(answer.text('selfLink')) };
      });
  },
});
