import { codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { fullImageName, registryApiHost } from '@kopsctl/spec/image-reference.ts';

import { digestOfImage } from './image-digests.ts';

/** How this machine reaches registries. */
export interface Registries {
  /** Why a registry does not give its images to this machine, as far as one short question tells; undefined where it does. */
  readonly whyNot: (host: string) => Promise<string | undefined>;
  /** What a registry must have for an image; undefined for one that is not in our table. */
  readonly digestOf: (reference: string) => string | undefined;
  /** In the layout of containerd's certs.d: registries that are reached otherwise than by https and their own name. */
  readonly hostsDir?: string;
}

/** A registry on the internet answers in a fifth of this. Where nothing answers, the first run waits for it once. */
const PROBE_TIMEOUT_MS = 1000;

/** The registry of an image: `registry.k8s.io` of `registry.k8s.io/pause:3.10.1`, `docker.io` of `busybox:1.37.0`. */
export function registryOf(reference: string): string {
  return fullImageName(reference).split('/', 1)[0] ?? '';
}

/** The registries are asked once and at the same time, when the first answer is needed. */
export function askedRegistries(
  hosts: readonly string[],
  ask: (host: string) => Promise<string | undefined> = whyNotAt,
): Registries {
  let answers: Promise<ReadonlyMap<string, string | undefined>> | undefined;
  const askAll = async (): Promise<ReadonlyMap<string, string | undefined>> =>
    new Map(await Promise.all(hosts.map(async (host) => [host, await ask(host)] as const)));
  return {
    async whyNot(host) {
      answers ??= askAll();
      return (await answers).get(host);
    },
    digestOf: digestOfImage,
  };
}

/** OCI distribution specification 1.1, "Determining Support": 200, or 401 from registries that want a token even for this. */
async function whyNotAt(host: string): Promise<string | undefined> {
  const http = openHttp({ keepAlive: false });
  try {
    const url = `https://${registryApiHost(host)}/v2/`;
    const { status, body } = await http.stream({ method: 'HEAD', url, withinMs: PROBE_TIMEOUT_MS }, undefined);
    body.destroy();
    return status === 200 || status === 401 ? undefined : `${host} answers ${String(status)}`;
  } catch (error) {
    return `${host} does not answer: ${codeOf(error) ?? messageOf(error)}`;
  } finally {
    http.close();
  }
}
