import { commandLineWord } from '@kopsctl/node-plan/systemd-quoting.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { taskId, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, unitFile, unitPath } from './node-task.ts';

type VolumeMount = NonNullable<InstanceGroupSpec['volumeMounts']>[number];

/** Units that keep their data on disks: they start only once the disks are mounted. */
const USERS = ['containerd.service', 'docker.service', KUBELET_UNIT];

/** The package with the mkfs of a filesystem, where that is not part of every system. */
const PACKAGES: Readonly<Record<string, string>> = { xfs: 'xfsprogs', btrfs: 'btrfs-progs', ext4: 'e2fsprogs' };

/**
 * Volumes of the spec that are formatted, unless they hold anything, and mounted (kops nodeup/pkg/model/volumes.go). They are
 * units, so that a machine that boots again mounts them before anything uses them.
 */
export function volumeMounts(node: NodeContext): readonly Task[] {
  return (node.instanceGroup.spec.volumeMounts ?? []).flatMap((mount) => mountTasks(mount));
}

/** The packages that format them. */
export const filesystemPackages = (node: NodeContext): readonly string[] =>
  (node.instanceGroup.spec.volumeMounts ?? []).flatMap(({ filesystem = '' }) => PACKAGES[filesystem] ?? []);

/** Makes the runtime and kubelet wait for the mounts. */
export function afterMounts(tasks: readonly Task[]): readonly Task[] {
  const mounts = tasks.filter(({ kind, name }) => kind === 'Service' && name.endsWith('.mount')).map(taskId);
  if (mounts.length === 0) return tasks;
  return tasks.map((task) => {
    const uses = (task.kind === 'Service' && USERS.includes(task.name)) || task.kind === 'Archive';
    if (!uses) return task;
    const before = Array.isArray(task.props['after']) ? task.props['after'] : [];
    return { ...task, props: { ...task.props, after: [...before, ...mounts.map((ref) => ({ ref }))] } };
  });
}

function mountTasks(mount: VolumeMount): readonly Task[] {
  const { path = '', filesystem = '' } = mount;
  const unit = `${escaped(path)}.mount`;
  const format = `kops-format-${escaped(path)}.service`;
  const tools = PACKAGES[filesystem];
  const needs: readonly TaskId[] = tools === undefined ? [] : [`Package/${tools}`];
  return [
    unitFile(format, formatUnit(mount, unit)),
    unitFile(unit, mountUnit(mount, format)),
    nodeTask('Service', unit, {
      unit,
      enabled: true,
      running: true,
      // Neither is restarted when its unit changes: what is mounted may be in use.
      after: after(fileId(unitPath(format)), fileId(unitPath(unit)), ...needs),
    }),
  ];
}

/** blkid exits with 2 where it finds no signature. Anything else, including what it cannot tell apart, is left alone. */
function formatUnit({ device = '', filesystem = '', formatOptions = [] }: VolumeMount, unit: string): string {
  const mkfs = ['exec', `mkfs.${filesystem}`, ...formatOptions, '"$1"'].join(' ');
  const script = `blkid -p "$1" >/dev/null; test $? -ne 2 || ${mkfs}`;
  return `[Unit]
Description=Format ${device} unless it holds anything
DefaultDependencies=no
Requires=${escaped(device)}.device
After=${escaped(device)}.device
Before=${unit}

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c ${commandLineWord(script)} sh ${commandLineWord(device)}
`;
}

function mountUnit({ device, path, filesystem, mountOptions = [] }: VolumeMount, format: string): string {
  return `[Unit]
Description=Mount ${device} at ${path}
Requires=${format}
After=${format}
Before=local-fs.target ${USERS.join(' ')}

[Mount]
What=${device}
Where=${path}
Type=${filesystem}
${mountOptions.length === 0 ? '' : `Options=${mountOptions.join(',')}\n`}
[Install]
WantedBy=local-fs.target
`;
}

/** The name that systemd wants for a unit of a path (systemd-escape --path). */
function escaped(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, '').replace(/\/+/g, '/');
  return bare
    .replace(/[^A-Za-z0-9:_./]/g, (character) =>
      [...new TextEncoder().encode(character)]
        .map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`)
        .join(''),
    )
    .replace(/^\./, String.raw`\x2e`)
    .replaceAll('/', '-');
}
