import type { Task } from '@kopsctl/tasks/task.ts';
import type { FileAssetSpec } from '@kopsctl/spec/cluster.ts';
import { completedValue } from '../completed-value.ts';
import { appliesToRole } from './role-filter.ts';
import type { NodeContext } from './node-context.ts';
import { fileName, nodeTask } from './node-task.ts';

/** Files that the spec wants on machines of these roles; the group's win over the cluster's of the same path. */
export function fileAssets(node: NodeContext): readonly Task[] {
  const wished = [...(node.instanceGroup.spec.fileAssets ?? []), ...(node.spec.fileAssets ?? [])];
  const byPath = new Map<string, FileAssetSpec>();
  for (const asset of wished.filter(({ roles }) => appliesToRole(node, roles))) {
    const path = completedValue('spec.fileAssets[].path', asset.path);
    if (!byPath.has(path)) byPath.set(path, asset);
  }
  return [...byPath].map(([path, { content = '', isBase64, ...asset }]) =>
    nodeTask('File', fileName(path), {
      path,
      content: isBase64 ? { base64: content } : { text: content },
      mode: completedValue('spec.fileAssets[].mode', asset.mode).padStart(4, '0'),
    }),
  );
}
