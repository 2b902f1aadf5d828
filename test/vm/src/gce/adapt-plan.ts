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
 * here in place of those of published ones, whose archives of etcd and images of Kubernetes have fewer wrappings.
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
    .map((task) => ({ ...task, props: adaptProps(task, hashes.get(task.name)) }));
  return JSON.stringify({ ...plan, tasks: adapted }, null, 2);
}

function adaptProps({ kind, name, props }: PlannedTask, sha256: string | undefined): JsonObject {
  if (kind === 'Asset' && sha256 !== undefined) return { ...props, sha256 };
  if (kind === 'Archive' && sha256 !== undefined) {
    const { strip, ...kept } = props;
    const isWrapped = strip !== undefined && !name.startsWith('etcd-');
    return { ...kept, identity: sha256, ...(isWrapped && { strip }) };
  }
  if (kind !== 'File') return props;
  // Every file of a plan has these (`textFile`); one that is made of a keyset has no text.
  const { path, content } = props as { readonly path: string; readonly content: { readonly text?: string } };
  if (content.text === undefined) return props;
  return { ...props, content: { ...content, text: adaptFile(path, content.text) } };
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
