import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import type { Json, Task } from '@kopsctl/tasks/task.ts';

/** A file that machines download, as its project publishes it. */
export interface NamedFile {
  readonly url: string;
  readonly sha256: string;
}

/** `image: x` of manifests in YAML and JSON, and the image of pod sandboxes in the settings of containerd. */
const IMAGES = [
  /^\s*(?:-\s+)?image:\s*["']?([^\s"'#]+)/gm,
  /"image"\s*:\s*"([^"]+)"/g,
  /^\s*sandbox(?:_image)?\s*=\s*["']([^"']+)["']/gm,
];

/** The images that tasks name, in plans of nodes and in manifests, by name. Pure. */
export function imagesOf(tasks: readonly Task[]): readonly string[] {
  const texts = [...everyTask(tasks)].flatMap(({ props }) => textsIn(props));
  const named = texts.flatMap((text) =>
    IMAGES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
  );
  // A value that only a machine knows is not the name of an image.
  return [...new Set(named.filter((name) => !/[@{}$<]\{|\{\{/.test(name)))].toSorted();
}

/**
 * The files that machines download, by URL. Pure.
 *
 * @param published those that their projects publish; tasks name these too, except for the agents, and those that the spec names
 */
export function filesOf(tasks: readonly Task[], published: readonly NamedFile[]): readonly NamedFile[] {
  const files = new Map(published.map((file) => [file.url, file]));
  for (const { kind, props } of everyTask(tasks)) {
    const { urls, sha256 } = props;
    if (kind !== 'Asset' || !Array.isArray(urls) || typeof sha256 !== 'string') continue;
    // Mirrors come first, and where the project publishes the file last.
    const url: Json | undefined = urls.at(-1);
    if (typeof url === 'string') files.set(url, { url, sha256 });
  }
  return [...files.values()].toSorted((a, b) => (a.url < b.url ? -1 : 1));
}

/** Tasks of the control side, and those of the node plans that they write. */
function* everyTask(tasks: readonly Task[]): Generator<Task> {
  for (const task of tasks) {
    yield task;
    const { path, content } = task.props;
    if (typeof path !== 'string' || typeof content !== 'string' || !/^(node|worker)-plans\//.test(path)) continue;
    yield* parsePlan(new TextEncoder().encode(content), path).tasks;
  }
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
