import { parse, stringify } from 'yaml';
import type { JsonObject } from '@kopsctl/tasks/task.ts';

interface PlannedTask {
  readonly kind: string;
  readonly name: string;
  readonly props: JsonObject;
}

/** A package for long-lived machines that the image of local machines lacks. */
const LACKING = 'logrotate';

/**
 * A plan for a machine in GCE, as a container of this computer can carry it out: with the hashes of programs that were built
 * here in place of those of published ones, and without the wrapper that published images of Kubernetes have.
 *
 * @param sha256Of of the file that stands for a published one
 */
export function adaptPlan(text: string, sha256Of: (url: string) => string): string {
  const plan: { readonly tasks: readonly PlannedTask[] } = JSON.parse(text);
  const hashes = new Map(
    plan.tasks
      .filter(({ kind }) => kind === 'Asset')
      .map(({ name, props }) => [name, sha256Of(String((props['urls'] as readonly string[])[0]))]),
  );
  const adapted = plan.tasks
    .filter(({ kind, name }) => !(kind === 'Package' && name === LACKING))
    .map((task) => ({ ...task, props: adaptProps(task, hashes) }));
  return JSON.stringify({ ...plan, tasks: adapted }, null, 2);
}

function adaptProps({ kind, name, props }: PlannedTask, hashes: ReadonlyMap<string, string>): JsonObject {
  const sha256 = hashes.get(name);
  if (kind === 'Asset' && sha256 !== undefined) return { ...props, sha256 };
  if (kind === 'Archive' && sha256 !== undefined) return { ...props, identity: sha256 };
  return kind === 'File' ? { ...props, content: adaptContent(props as unknown as PlannedFile, hashes) } : props;
}

/** Every file of a plan has these. One that is made of a keyset has neither text nor a download. */
interface PlannedFile {
  readonly path: string;
  readonly content: JsonObject & { readonly text?: string; readonly assetPath?: { readonly ref: string } };
}

function adaptContent({ path, content }: PlannedFile, hashes: ReadonlyMap<string, string>): JsonObject {
  const { text, assetPath } = content;
  if (text !== undefined) return { ...content, text: adaptFile(path, text) };
  const sha256 = hashes.get(assetPath?.ref.replace('Asset/', '') ?? '');
  return sha256 === undefined ? content : { ...content, sha256 };
}

function adaptFile(path: string, text: string): string {
  // This computer may have the older control groups, which kubelet refuses from 1.35 on.
  if (path === '/var/lib/kubelet/kubelet.conf') return `${text}failCgroupV1: false\n`;
  return path.startsWith('/etc/kubernetes/manifests/kube-') ? withoutLogFile(text) : text;
}

/** Images that are made here hold a program alone, without the one of Kubernetes's own images that writes its log to a file. */
function withoutLogFile(manifest: string): string {
  const pod: { readonly spec: { readonly containers: readonly Container[] } } = parse(manifest);
  const containers = pod.spec.containers.map((container) => {
    const { command, args } = container;
    const at = args.findIndex((arg) => arg.startsWith('/usr/local/bin/'));
    return command[0] === '/go-runner'
      ? { ...container, command: args.slice(at, at + 1), args: args.slice(at + 1) }
      : container;
  });
  return stringify({ ...pod, spec: { ...pod.spec, containers } }, { lineWidth: 0 });
}

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
}
