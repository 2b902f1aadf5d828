import type { Task } from '@kopsctl/tasks/task.ts';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import { runtimeTools } from '../runtime/runtime-tools.ts';
import type { NodeContext } from './node-context.ts';
import { archiveTask, assetTask } from './node-task.ts';

/** crictl and nerdctl, where the spec wants them and the machines of the cloud download what upstream publishes. */
export function installedTools(node: NodeContext): readonly Task[] {
  return runtimeTools(containerdSettings(node.spec, node.instanceGroup)).flatMap(({ name, version }) => {
    if (node.assets.all(name).length === 0) return [];
    const entry = node.assets.find(name, version);
    const asset = assetTask(node, entry);
    return [asset, archiveTask(entry, asset, '/usr/local/bin')];
  });
}
