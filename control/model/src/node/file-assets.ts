import type { Task } from '@kopsctl/tasks/task.ts';
import type { FileAssetSpec } from '@kopsctl/spec/cluster.ts';
import { completedValue } from '../completed-value.ts';
import { appliesToRole } from './role-filter.ts';
import type { NodeContext } from './node-context.ts';
import { fileName, nodeTask } from './node-task.ts';

/** Files that the spec wants on machines of these roles; the group's win over the cluster's of the same name. */
export function fileAssets(node: NodeContext): readonly Task[] {
  const wished = [...(node.instanceGroup.spec.fileAssets ?? []), ...(node.spec.fileAssets ?? [])];
  const byName = new Map<string, FileAssetSpec>();
  for (const asset of wished.filter(({ roles }) => appliesToRole(node, roles))) {
    const name = asset.name ?? asset.path ?? '';
    if (!byName.has(name)) byName.set(name, asset);
  }
  return [...byName.values()].map(({ content = '', isBase64, ...asset }) => {
    const path = completedValue('spec.fileAssets[].path', asset.path);
    return nodeTask('File', fileName(path), {
      path,
      content: isBase64 ? { base64: content } : { text: content },
      mode: completedValue('spec.fileAssets[].mode', asset.mode).padStart(4, '0'),
    });
  });
}
