import semver from 'semver';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ContainerdConfig } from '@kopsctl/spec/cluster.ts';
import type { RuntimeHandlers } from '../runtime/runtime-handlers.ts';
import { parseDottedKey, renderToml, withValue, type TomlTable, type TomlValue } from '../runtime/toml.ts';

/** Where containerd looks for the mirrors of a registry: <folder>/<registry>/hosts.toml. Read at each pull. */
const CERTS_DIR = '/etc/containerd/certs.d';

/** What gVisor's shim reads when it starts a container. */
export const GVISOR_CONFIG = '/etc/containerd/runsc.toml';

/** What containerd must know about a node besides its settings in the spec. */
export interface ContainerdHost {
  /** The version of the containerd that is installed. */
  readonly version: string;
  readonly sandboxImage: string;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  /** A host that may not lower OOM scores: no pod would start there otherwise. */
  readonly cannotLowerOomScore: boolean;
  /** The template of the CNI configuration, where containerd writes that. */
  readonly cniTemplate: string | undefined;
  readonly handlers: RuntimeHandlers;
}

/** How a release of containerd wants to be configured: in its own format, because it warns of older ones. */
interface ConfigFormat {
  readonly since: string;
  readonly version: number;
  /** Tables of the CRI plugin, which was taken apart in 2.0. */
  readonly images: string;
  readonly runtime: string;
  readonly sandboxImage: (image: string) => TomlTable;
}

const CRI = 'io.containerd.grpc.v1.cri';

/** Oldest first. Source: version/version.go and internal/cri/config/config.go of each release. */
const FORMATS: readonly ConfigFormat[] = [
  { since: '1.3.0', version: 2, images: CRI, runtime: CRI, sandboxImage: (image) => ({ sandbox_image: image }) },
  {
    since: '2.0.0',
    version: 3,
    images: 'io.containerd.cri.v1.images',
    runtime: 'io.containerd.cri.v1.runtime',
    sandboxImage: (image) => ({ pinned_images: { sandbox: image } }),
  },
  {
    since: '2.3.0',
    version: 4,
    images: 'io.containerd.cri.v1.images',
    runtime: 'io.containerd.cri.v1.runtime',
    sandboxImage: (image) => ({ pinned_images: { sandbox: image } }),
  },
];

/** The text of config.toml. What it leaves out has the same default in every release of containerd. */
export function containerdConfig(settings: ContainerdConfig, host: ContainerdHost): string {
  const format = formatOf(host.version);
  const images = { ...format.sandboxImage(host.sandboxImage), registry: { config_path: CERTS_DIR } };
  const runtime = runtimeTable(settings, host);
  const plugins: TomlTable =
    format.images === format.runtime
      ? { [format.images]: { ...images, ...runtime } }
      : { [format.images]: images, [format.runtime]: runtime };
  const document: TomlTable = { version: format.version, plugins: { ...plugins, ...nri(settings.nri) } };
  return renderToml(withAdditions(document, settings.configAdditions));
}

function formatOf(containerdVersion: string): ConfigFormat {
  const release = semver.coerce(containerdVersion);
  const format = FORMATS.findLast(({ since }) => release !== null && semver.gte(release, since));
  if (format === undefined) throw new Error(`the configuration of containerd ${containerdVersion} is not known`);
  return format;
}

function runtimeTable(settings: ContainerdConfig, host: ContainerdHost): TomlTable {
  const cgroups = { SystemdCgroup: host.cgroupDriver === 'systemd' };
  return {
    ...(settings.selinuxEnabled === true && { enable_selinux: true }),
    ...(host.cannotLowerOomScore && { restrict_oom_score_adj: true }),
    ...(host.cniTemplate !== undefined && { cni: { conf_template: host.cniTemplate } }),
    containerd: {
      default_runtime_name: 'runc',
      runtimes: {
        runc: { runtime_type: 'io.containerd.runc.v2', options: cgroups },
        ...(host.handlers.nvidia !== undefined && {
          nvidia: {
            runtime_type: 'io.containerd.runc.v2',
            options: { ...cgroups, BinaryName: '/usr/bin/nvidia-container-runtime' },
          },
        }),
        ...(host.handlers.gvisor && {
          runsc: {
            runtime_type: 'io.containerd.runsc.v1',
            options: { TypeUrl: 'io.containerd.runsc.v1.options', ConfigPath: GVISOR_CONFIG },
          },
        }),
      },
    },
  };
}

function nri(settings: ContainerdConfig['nri']): TomlTable {
  if (settings === undefined) return {};
  return {
    'io.containerd.nri.v1.nri': {
      disable: settings.enabled === false,
      plugin_registration_timeout: settings.pluginRegistrationTimeout,
      plugin_request_timeout: settings.pluginRequestTimeout,
    },
  };
}

function withAdditions(document: TomlTable, additions: ContainerdConfig['configAdditions'] = {}): TomlTable {
  return Object.entries(additions).reduce((table, [key, value]) => {
    const path = parseDottedKey(key);
    if (path !== undefined) return withValue(table, path, additionOf(value));
    throw new ActionableError({
      what: 'configure containerd',
      why: `${key} in containerd.configAdditions is not a dotted key of TOML`,
      next: 'write it as in plugins."io.containerd.cri.v1.runtime".containerd.default_runtime_name',
    });
  }, document);
}

/** The API has no booleans there, so kops writes them as text. */
function additionOf(value: string | number): TomlValue {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** The mirrors of one registry in the order of the spec, as the file that containerd looks for; after them it asks the registry itself. */
export function registryHosts(registry: string, mirrors: readonly string[]): { path: string; text: string } {
  // containerd: "_default" serves registries without a folder of their own.
  const folder = registry === '*' ? '_default' : registry;
  const host = Object.fromEntries(mirrors.map((mirror) => [mirror, { capabilities: ['pull', 'resolve'] }]));
  return { path: `${CERTS_DIR}/${folder}/hosts.toml`, text: renderToml({ host }) };
}

/** The settings of gVisor itself (gvisor.dev, "Containerd Advanced Configuration"). */
export const gvisorConfig = ({ platform }: NonNullable<RuntimeHandlers['gvisor']>): string =>
  renderToml({ runsc_config: { platform } });
