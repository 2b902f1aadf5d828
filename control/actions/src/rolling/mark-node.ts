import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { WANTED_PLAN_ANNOTATION } from '@kopsctl/node-plan/in-place.ts';
import { NEEDS_UPDATE } from '../access/kubernetes-objects.ts';

/** kops's taint of Nodes that are to be replaced (pkg/instancegroups/instancegroups.go): pods rather go elsewhere. */
const TAINT = { key: 'kops.k8s.io/scheduled-for-update', effect: 'PreferNoSchedule' } as const;
/** Kubernetes: load balancers leave such Nodes out. */
const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';
/** What a rolling update has done to a Node, so that exactly that can be undone. */
const MARK = 'kopsctl.io/rolling-update';

type NodeClient = Pick<KubeClient, 'get' | 'mergePatch'>;
type Patch = Readonly<Record<string, unknown>>;

/** What a rolling update reads on a Node. */
export interface NodeMarks {
  /** Something that a rolling update did is still there. */
  readonly isMarked: boolean;
  readonly needsUpdate: boolean;
}

export function marksOf(node: unknown): NodeMarks {
  const { annotations, taints } = partsOf(node);
  return {
    isMarked: [MARK, WANTED_PLAN_ANNOTATION].some((key) => annotations[key] !== undefined) || taints.some(isTaint),
    needsUpdate: annotations[NEEDS_UPDATE] !== undefined,
  };
}

/** Keeps new pods away where they have another choice. */
export const taintNode = (kube: NodeClient, name: string, signal: AbortSignal): Promise<void> =>
  patchNode(kube, name, signal, (node) => {
    const { taints } = partsOf(node);
    return taints.some(isTaint) ? undefined : { spec: { taints: [...taints, TAINT] } };
  });

/** Lets no new pod onto a Node, and no new connection from load balancers of Services. */
export const cordonNode = (kube: NodeClient, name: string, signal: AbortSignal): Promise<void> =>
  patchNode(kube, name, signal, (node) => {
    const { annotations, labels, isUnschedulable } = partsOf(node);
    if (annotations[MARK] !== undefined) return undefined;
    const done = [...(isUnschedulable ? [] : ['cordoned']), ...(labels[EXCLUDED] === undefined ? ['excluded'] : [])];
    return {
      metadata: { annotations: { [MARK]: done.join(',') }, labels: { [EXCLUDED]: '' } },
      spec: { unschedulable: true },
    };
  });

/** Undoes what a rolling update did to a Node, and nothing that people did. A Node that is gone has nothing to be undone. */
export const releaseNode = (kube: NodeClient, name: string, signal: AbortSignal): Promise<void> =>
  patchNode(kube, name, signal, (node) => (marksOf(node).isMarked ? releaseOf(node) : undefined));

/** The same for a Node that has a new machine now: people wanted the former one to be replaced. */
export const admitNode = (kube: NodeClient, name: string, signal: AbortSignal): Promise<void> =>
  patchNode(kube, name, signal, (node) => {
    const { isMarked, needsUpdate } = marksOf(node);
    if (!isMarked && !needsUpdate) return undefined;
    const { metadata, spec } = releaseOf(node);
    return { metadata: { ...metadata, annotations: { ...metadata.annotations, [NEEDS_UPDATE]: null } }, spec };
  });

function releaseOf(node: unknown) {
  const { annotations, taints } = partsOf(node);
  const done = asString(annotations[MARK])?.split(',') ?? [];
  return {
    metadata: {
      // A machine that was to become something else in place is put back, or has been replaced.
      annotations: { [MARK]: null, [WANTED_PLAN_ANNOTATION]: null },
      ...(done.includes('excluded') && { labels: { [EXCLUDED]: null } }),
    },
    spec: {
      taints: taints.filter((taint) => !isTaint(taint)),
      ...(done.includes('cordoned') && { unschedulable: null }),
    },
  };
}

const isTaint = (taint: unknown): boolean => asRecord(taint)['key'] === TAINT.key;

function partsOf(node: unknown) {
  const { metadata: meta, spec } = asRecord(node);
  const metadata = asRecord(meta);
  return {
    annotations: asRecord(metadata['annotations']),
    labels: asRecord(metadata['labels']),
    resourceVersion: asString(metadata['resourceVersion']),
    taints: asArray(asRecord(spec)['taints']),
    isUnschedulable: asRecord(spec)['unschedulable'] === true,
  };
}

/** Others write Nodes too: kubelet every few seconds. */
const MAX_CONFLICTS = 20;

/** Changes a Node as it is now. A list can only be replaced as a whole, hence only if nobody else has changed the Node. */
async function patchNode(
  kube: NodeClient,
  name: string,
  signal: AbortSignal,
  change: (node: unknown) => Patch | undefined,
): Promise<void> {
  const path = `/api/v1/nodes/${name}`;
  for (let conflicts = 0; ; conflicts += 1) {
    const node = await kube.get(path, signal);
    if (node === undefined) return;
    const patch = change(node);
    if (patch === undefined) return;
    const { resourceVersion } = partsOf(node);
    try {
      await kube.mergePatch(path, { ...patch, metadata: { ...asRecord(patch['metadata']), resourceVersion } }, signal);
      return;
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return;
      if (!(error instanceof KubeError) || error.status !== 409 || conflicts === MAX_CONFLICTS) throw error;
    }
  }
}
