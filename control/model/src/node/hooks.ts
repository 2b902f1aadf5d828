import { commandLineWord } from '@kopsctl/node-plan/systemd-quoting.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { HookSpec } from '@kopsctl/spec/cluster.ts';
import { imageNameForCtr } from '@kopsctl/spec/image-reference.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, unitFile, unitPath } from './node-task.ts';
import { appliesToRole } from './role-filter.ts';

/** Units that the spec wants on machines (kops nodeup/pkg/model/hooks.go); the group's win over the cluster's. */
export function hooks(node: NodeContext): readonly Task[] {
  const wished = [...(node.instanceGroup.spec.hooks ?? []), ...(node.spec.hooks ?? [])];
  const seen = new Set<string>();
  return wished.flatMap((hook, index) => {
    if (!appliesToRole(node, hook.roles)) return [];
    const unit = unitName(hook.name ?? `kops-hook-${index}`);
    if (seen.has(unit)) return [];
    seen.add(unit);
    return hookTasks(node, hook, unit);
  });
}

const unitName = (name: string) =>
  /\.(service|timer|socket|mount|path|target)$/.test(name) ? name : `${name}.service`;

function hookTasks(node: NodeContext, hook: HookSpec, unit: string): readonly Task[] {
  const text = unitText(node, hook, unit);
  if (hook.disabled || text === undefined) {
    return [nodeTask('Service', unit, { unit, enabled: false, running: false })];
  }
  const service = nodeTask('Service', unit, {
    unit,
    enabled: true,
    running: true,
    noBlock: true,
    restartOn: after(fileId(unitPath(unit))),
    restartOnPaths: [unitPath(unit)],
  });
  return [unitFile(unit, text), service];
}

function unitText(node: NodeContext, hook: HookSpec, unit: string): string | undefined {
  const { manifest, execContainer } = hook;
  if (manifest !== undefined && hook.useRawManifest) return manifest.endsWith('\n') ? manifest : `${manifest}\n`;
  const service = execContainer ? containerService(node, execContainer, unit) : manifest;
  if (service === undefined) return undefined;
  const requires = [...(hook.requires ?? []), ...(execContainer ? [`${node.runtime}.service`] : [])];
  return [
    '[Unit]',
    `Description=Kops Hook ${unit.replace(/\.service$/, '')}`,
    ...(hook.before ?? []).map((before) => `Before=${before}`),
    ...requires.flatMap((required) => [`Requires=${required}`, `After=${required}`]),
    '',
    '[Service]',
    service.trimEnd(),
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

/** A container with the host's network and, at /rootfs, its files: how hooks reach the host in kops. */
function containerService(node: NodeContext, exec: NonNullable<HookSpec['execContainer']>, unit: string): string {
  const image = exec.image ?? '';
  const command = (exec.command ?? []).map(commandLineWord);
  const env = Object.entries(exec.environment ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (node.runtime === 'docker') {
    const docker = '/usr/local/bin/docker';
    const envs = env.flatMap(([key, value]) => ['-e', commandLineWord(`${key}=${value}`)]);
    const mounts = ['-v /:/rootfs/', '-v /var/run/dbus:/var/run/dbus', '-v /run/systemd:/run/systemd'];
    return [
      `ExecStartPre=${docker} pull ${image}`,
      `ExecStart=${[docker, 'run', '--rm', ...mounts, '--net=host', '--privileged', ...envs, image, ...command].join(' ')}`,
      'Type=oneshot',
      // Without it the unit would count as stopped, and be run again each time nodeup looks.
      'RemainAfterExit=yes',
    ].join('\n');
  }
  const ctr = '/usr/local/bin/ctr --namespace k8s.io';
  const reference = imageNameForCtr(image);
  const mounts = [
    '--mount type=bind,src=/,dst=/rootfs,options=rbind:rslave',
    '--mount type=bind,src=/var/run/dbus,dst=/var/run/dbus,options=rbind:rprivate',
    '--mount type=bind,src=/run/systemd,dst=/run/systemd,options=rbind:rprivate',
  ];
  const envs = env.map(([key, value]) => `--env ${commandLineWord(`${key}=${value}`)}`);
  const id = unit.replace(/\.service$/, '');
  return [
    `ExecStartPre=${ctr} image pull ${reference}`,
    `ExecStart=${[ctr, 'run', '--rm', ...mounts, '--net-host', '--privileged', ...envs, reference, id, ...command].join(' ')}`,
    'Type=oneshot',
    'RemainAfterExit=yes',
  ].join('\n');
}
