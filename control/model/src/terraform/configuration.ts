import { isRecord } from '@kopsctl/tasks/record.ts';
import type { Rendering, Resource, TerraformKinds, TopBlock } from './kind.ts';
import { type Expression, expression, type Value } from './value.ts';
import { isArray, isRef, refsIn } from '@kopsctl/tasks/references.ts';
import { type Json, type Task, taskId } from '@kopsctl/tasks/task.ts';
import { printHcl, printValue, quote } from './hcl.ts';

/** A folder in which Terraform can run: `kubernetes.tf` and the files that it reads, by their path in the folder. */
export type TerraformFolder = ReadonlyMap<string, string>;

export interface TerraformInput {
  readonly tasks: readonly Task[];
  /** The tasks that are rendered. The others are only referred to. */
  readonly isWritten?: (task: Task) => boolean;
  readonly kinds: TerraformKinds;
  /** Providers, `terraform { … }` and outputs. */
  readonly blocks: readonly TopBlock[];
}

/**
 * Renders the tasks that Terraform supports as a configuration. References between tasks become references between
 * resources.
 */
export function terraformFolder({ tasks, isWritten = () => true, kinds, blocks }: TerraformInput): TerraformFolder {
  const folder = new Map<string, string>();
  const rendering = renderInto(folder, linker(tasks, kinds));
  const resources = tasks.filter(isWritten).flatMap((task): readonly Resource[] => {
    // A kind gets only the props of its own tasks.
    const kind = kinds[task.kind];
    return kind === undefined ? [] : kind.resources(task.name, task.props as never, rendering);
  });
  folder.set('kubernetes.tf', printHcl([...blocks, ...resources.map(topBlock)]));
  return folder;
}

/** Converts a reference to Terraform's expression for it. Any other value is returned unchanged. */
function linker(tasks: readonly Task[], kinds: TerraformKinds): (value: Json) => Value {
  const byId = new Map(tasks.map((task) => [taskId(task), task]));
  return (value) => {
    if (isArray(value) || (isRecord(value) && !isRef(value))) return mapped(value, (one) => one);
    if (!isRef(value)) return value;
    const task = byId.get(value.ref);
    const kind = task && kinds[task.kind];
    if (task === undefined || kind === undefined || value.output === undefined) {
      throw new Error(`${value.ref} yields no ${value.output ?? 'value'} that Terraform knows`);
    }
    return kind.output(value.output, task.name, task.props as never);
  };
}

function mapped(value: Json, each: (value: Json) => Value): Value {
  if (isRef(value)) return each(value);
  if (isArray(value)) return value.map((item) => mapped(item, each));
  if (!isRecord(value)) return each(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapped(item, each)]));
}

function renderInto(folder: Map<string, string>, link: (value: Json) => Value): Rendering {
  const read =
    (call: string) =>
    (resource: string, name: string, field: string, content: string): Expression => {
      // Not every file system allows colons in file names. kops omits them too.
      const path = `data/${resource}_${name}_${field}`.replaceAll(':', '');
      folder.set(path, content);
      return expression(`${call}("\${path.module}/${quote(path).slice(1)})`);
    };
  const file = read('file');
  return {
    link: (value) => link(value as Json),
    file,
    fileBase64: read('filebase64'),
    json: (resource, name, field, document) =>
      refsIn(document).length === 0
        ? file(resource, name, field, `${JSON.stringify(document, null, 2)}\n`)
        : expression(`jsonencode(${printValue(mapped(document, link), 1)})`),
  };
}

const topBlock = ({ mode, type, name, body }: Resource): TopBlock => ({ type: mode, labels: [type, name], body });
