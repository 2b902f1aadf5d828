import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { roleNamed } from '../names.ts';
import type { HookSpec } from '../schema/machines.ts';
import { fault, type Fault } from './fault.ts';

/** Checks settings of machines that clusters and instance groups share. */
export function* validateMachines(cluster: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* validateOptions(cluster.spec);
  for (const group of groups) {
    const faults = [...validateOptions(group.spec), ...validateVolumeMounts(group)];
    for (const one of faults) yield { ...one, instanceGroup: group.metadata.name };
  }
}

type MachineOptions = Pick<Cluster['spec'] & InstanceGroup['spec'], 'fileAssets' | 'hooks' | 'sysctlParameters'>;

function* validateOptions({ fileAssets = [], hooks = [], sysctlParameters = [] }: MachineOptions): Iterable<Fault> {
  for (const [index, asset] of fileAssets.entries()) {
    const path = `spec.fileAssets[${index}]`;
    if (asset.name === undefined && asset.path === undefined) yield fault(`${path}.name`, 'must be set');
    if (asset.content === undefined) yield fault(`${path}.content`, 'must be set');
    if (asset.path !== undefined && !/^\/([^/]+\/)*[^/]+$/.test(asset.path)) {
      yield fault(`${path}.path`, `'${asset.path}' is not the absolute path of a file`);
    }
    if (asset.mode !== undefined && !/^[0-7]{3,4}$/.test(asset.mode)) {
      yield fault(`${path}.mode`, `'${asset.mode}' is not a file mode`, 'e.g. "0440"');
    }
    yield* validateRoles(path, asset.roles);
    if (asset.isBase64 === true && !isBase64(asset.content ?? '')) {
      yield fault(`${path}.content`, 'is not base64, although isBase64 is true');
    }
  }
  for (const [index, hook] of hooks.entries()) {
    if (hook.disabled === true) continue;
    yield* validateHook(`spec.hooks[${index}]`, hook);
    yield* validateRoles(`spec.hooks[${index}]`, hook.roles);
  }
  for (const [index, parameter] of sysctlParameters.entries()) {
    if (SYSCTL_LINE.test(parameter)) continue;
    yield fault(`spec.sysctlParameters[${index}]`, `'${parameter}' is not a parameter`, 'name=value');
  }
}

/** A comment, nothing, or `name=value`, where machines accept the name (shared/node-handlers/src/sysctls.ts). */
const SYSCTL_LINE = /^\s*([#;].*|[a-z0-9_-]+([./][A-Za-z0-9_-]+)+\s*=\s*\S.*)?$/;

/** A role that no machine has would leave out all of them. */
function* validateRoles(path: string, roles: readonly string[] = []): Iterable<Fault> {
  for (const [index, role] of roles.entries()) {
    if (roleNamed(role) !== undefined) continue;
    yield fault(`${path}.roles[${index}]`, `'${role}' is not a role of machines`, 'Master, Node, APIServer or Bastion');
  }
}

/** kops pkg/apis/kops/validation/validation.go, validateHookSpec. */
function* validateHook(path: string, hook: HookSpec): Iterable<Fault> {
  const { manifest, execContainer, useRawManifest } = hook;
  if ((manifest ?? '') === '' && execContainer === undefined) {
    yield fault(path, 'does nothing', 'set manifest or execContainer, or disabled: true');
  }
  if (execContainer !== undefined && (execContainer.image ?? '') === '') {
    yield fault(`${path}.execContainer.image`, 'must be set', 'the image in which the command runs');
  }
  if (useRawManifest !== true) return;
  for (const field of ['execContainer', 'before', 'requires'] as const) {
    if (hook[field] === undefined) continue;
    yield fault(
      `${path}.${field}`,
      'has no effect with useRawManifest, which takes the manifest unchanged',
      'write it into manifest',
    );
  }
}

function isBase64(text: string): boolean {
  const characters = text.replace(/\s/g, '');
  return characters.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(characters);
}

/** kops pkg/apis/kops/instancegroup.go. */
const FILESYSTEMS = ['btrfs', 'ext4', 'xfs'];

function* validateVolumeMounts({ spec: { volumeMounts = [] } }: InstanceGroup): Iterable<Fault> {
  const isPath = (text: string): boolean => /^(\/[^/\s]+)+$/.test(text);
  for (const [index, { device = '', path = '', filesystem = '' }] of volumeMounts.entries()) {
    const at = `spec.volumeMounts[${index}]`;
    if (!isPath(device)) yield fault(`${at}.device`, `'${device}' is not the path of a device`, 'e.g. /dev/nvme1n1');
    if (!isPath(path)) yield fault(`${at}.path`, `'${path}' is not the absolute path of a folder`);
    if (!FILESYSTEMS.includes(filesystem)) {
      yield fault(`${at}.filesystem`, `expected one of ${FILESYSTEMS.join(', ')}, found '${filesystem}'`);
    }
    for (const field of ['device', 'path'] as const) {
      const first = volumeMounts.findIndex((other) => other[field] === volumeMounts[index]?.[field]);
      if (first < index) yield fault(`${at}.${field}`, `is the same as that of spec.volumeMounts[${first}]`);
    }
  }
}
