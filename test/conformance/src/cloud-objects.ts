import type { MotoServer } from './moto.ts';

/** What is no resource of a cluster: the state store, credentials, and what moto itself is made of. */
const OTHERS = ['cloudwatch', 'core', 'kms', 's3', 'sts'];

type Thing = Readonly<Record<string, unknown>>;

/** Everything that exists at the server, one line each: its service, kind and name. Versions of a launch template are not told. */
export async function cloudObjects({ endpoint }: Pick<MotoServer, 'endpoint'>): Promise<readonly string[]> {
  const reply = await fetch(`${endpoint}/moto-api/data.json`);
  // The format of moto's own dashboard.
  const services = (await reply.json()) as Readonly<Record<string, Readonly<Record<string, readonly Thing[]>>>>;
  const lines = Object.entries(services)
    .filter(([service]) => !OTHERS.includes(service))
    .flatMap(([service, kinds]) =>
      Object.entries(kinds).flatMap(([kind, things]) => things.map((thing) => `${service} ${kind} ${nameOf(thing)}`)),
    );
  // moto keeps copies of some of its objects.
  return [...new Set(lines)].toSorted();
}

const nameOf = (thing: Thing): string =>
  [thing['id'], thing['arn'], thing['name']].filter((one) => typeof one === 'string').join(' ');
