import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type FieldError, formatFieldError } from '@kopsctl/spec/field-error.ts';
import {
  parseObjects,
  type AdditionalObject,
  type ParsedObject,
  type ParseOptions,
  type ParseResult,
} from '@kopsctl/spec/parse.ts';
import { InvalidSpecError } from '../spec/invalid-spec-error.ts';
import { refuseFaultyFiles } from '../spec/refuse-faulty-files.ts';
import { readInputText } from './read-input.ts';

/** The objects of one cluster that files hold. */
export interface ClusterObjects {
  readonly cluster: string;
  readonly objects: readonly ParsedObject[];
  /** Objects that are not kops's: the cluster gets them as addons. */
  readonly additional: readonly AdditionalObject[];
}

/**
 * Reads the objects of files (`-` is standard input), in their order and by the cluster they belong to. Every fault of
 * every file is reported at once, with its line.
 *
 * @param tell if given, a field that the API has in another place or version only is left out, as kops leaves it out, and
 *   told as a line: files that were written for kops go on working. Otherwise it is a fault.
 */
export async function readObjectFiles(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  tell?: (line: string) => void,
): Promise<readonly ClusterObjects[]> {
  const parsed = await parseObjectFiles(files, env, { misplaced: tell === undefined ? 'refuse' : 'leave-out' });
  for (const field of parsed.flatMap(({ leftOut }) => leftOut)) tell?.(`Warning: ${formatFieldError(field)}`);
  return byCluster(
    parsed.flatMap((one) => one.objects),
    parsed.flatMap((one) => one.additional),
    files,
  );
}

/** What each of the files holds, whichever cluster it belongs to. Every fault of every file is reported at once. */
export async function parseObjectFiles(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  options: ParseOptions = {},
): Promise<readonly ParseResult[]> {
  if (files.length === 0) {
    throw new ActionableError({
      what: 'read objects',
      why: 'no file is named',
      next: 'name one with -f FILE; -f - reads standard input',
      isUsage: true,
    });
  }
  const parsed = await Promise.all(
    files.map(async (file) => parseObjects(await readInputText(file, env), file, options)),
  );
  refuseFaultyFiles(files, parsed);
  return parsed;
}

function byCluster(
  objects: readonly ParsedObject[],
  additional: readonly AdditionalObject[],
  files: readonly string[],
): readonly ClusterObjects[] {
  const clusters = new Set(objects.flatMap(({ cluster }) => cluster ?? []));
  const [only] = clusters;
  const homeless = objects.filter(({ cluster }) => cluster === undefined);
  const faults: FieldError[] = homeless.map((object) => ({
    ...object.positionOf('metadata'),
    path: 'metadata.labels',
    message: `${object.kind} ${object.name} does not say which cluster it belongs to`,
    hint: 'label it kops.k8s.io/cluster: NAME',
  }));
  if (additional.length > 0 && clusters.size !== 1) {
    faults.push(
      ...additional.map((object) => ({
        ...object.positionOf(''),
        path: '',
        message: `nothing says which of ${clusters.size} clusters gets ${object.kind} ${object.name}`,
        hint: 'put it into a file with the one Cluster',
      })),
    );
  }
  if (faults.length > 0) throw new InvalidSpecError(`use the objects of ${files.join(', ')}`, faults);
  if (only === undefined) {
    throw new ActionableError({
      what: `use the objects of ${files.join(', ')}`,
      why: 'there are none',
      next: 'name a file with a Cluster or an InstanceGroup',
    });
  }
  return [...clusters].map((cluster) => ({
    cluster,
    objects: objects.filter((object) => object.cluster === cluster),
    additional,
  }));
}
