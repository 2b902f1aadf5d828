import { isDeepStrictEqual } from 'node:util';
import type { MotoServer } from './moto.ts';

/** What is not a resource of a cluster: the state store, credentials, and what moto itself is made of. */
const OTHERS = ['cloudwatch', 'core', 'kms', 's3', 'sts'];

type Thing = Readonly<Record<string, unknown>>;

/**
 * Everything that exists at the server, one line each: its service, kind and name. Versions of a launch template are
 * not listed.
 */
export async function cloudObjects(server: Pick<MotoServer, 'endpoint'>): Promise<readonly string[]> {
  return [...(await cloudContents(server)).keys()].toSorted();
}

/**
 * The same, with what the server says of each. moto keeps copies of some of its objects, and more of them with time:
 * one is enough.
 */
export async function cloudContents({ endpoint }: Pick<MotoServer, 'endpoint'>): Promise<ReadonlyMap<string, Thing>> {
  const reply = await fetch(`${endpoint}/moto-api/data.json`);
  // The format of moto's own dashboard.
  const services = (await reply.json()) as Readonly<Record<string, Readonly<Record<string, readonly Thing[]>>>>;
  return new Map(
    Object.entries(services)
      .filter(([service]) => !OTHERS.includes(service))
      .flatMap(([service, kinds]) =>
        Object.entries(kinds).flatMap(([kind, things]) =>
          things.map((thing) => [`${service} ${kind} ${nameOf(thing)}`, thing] as const),
        ),
      ),
  );
}

/** What is different in objects that are there before and after, e.g. `iam Role: policies`. */
export function changedFields(
  before: ReadonlyMap<string, Thing>,
  after: ReadonlyMap<string, Thing>,
): readonly string[] {
  const changes = [...after].flatMap(([line, thing]) => {
    const former = before.get(line) ?? {};
    const fields = [...new Set([...Object.keys(thing), ...Object.keys(former)])];
    const kind = line.split(' ').slice(0, 2).join(' ');
    return fields
      .filter((field) => !isDeepStrictEqual(thing[field], former[field]))
      .map((field) => `${kind}: ${field}`);
  });
  return [...new Set(changes)].toSorted();
}

const nameOf = (thing: Thing): string =>
  [thing['id'], thing['arn'], thing['name']].filter((one) => typeof one === 'string').join(' ');
