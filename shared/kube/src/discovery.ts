import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { asArray, asRecord, asString } from './json.ts';
import type { KubeClient } from './client.ts';

export interface Resource {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Finds the path of an object, by one discovery request per group and version. */
export class Discovery {
  readonly #kube: KubeClient;
  readonly #known = new Map<string, Promise<ReadonlyMap<string, Resource>>>();

  constructor(kube: KubeClient) {
    this.#kube = kube;
  }

  /** @throws ActionableError when the API server does not serve the kind. */
  async pathOf(
    object: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly namespace?: string },
    signal: AbortSignal,
  ): Promise<string> {
    const root = object.apiVersion.includes('/') ? `/apis/${object.apiVersion}` : `/api/${object.apiVersion}`;
    let resource = (await this.#resources(root, signal)).get(object.kind);
    if (resource === undefined) {
      // A CustomResourceDefinition that was applied a moment ago may have added it.
      this.#known.delete(root);
      resource = (await this.#resources(root, signal)).get(object.kind);
    }
    if (resource === undefined) {
      throw new ActionableError({
        what: `apply ${object.kind}/${object.name}`,
        why: `the API server serves no ${object.kind} in ${object.apiVersion}`,
        next: 'check that the manifest fits this version of Kubernetes, and that the definition of a custom kind was applied',
      });
    }
    const folder = resource.namespaced ? `/namespaces/${object.namespace ?? 'default'}` : '';
    return `${root}${folder}/${resource.plural}/${object.name}`;
  }

  /** The collection of a kind in the group's preferred version; undefined when the API server does not serve the kind. */
  async collectionOf(
    { group, kind, namespace }: { readonly group: string; readonly kind: string; readonly namespace?: string },
    signal: AbortSignal,
  ): Promise<{ readonly apiVersion: string; readonly path: string } | undefined> {
    const preferred = group === '' ? undefined : asRecord(await this.#kube.get(`/apis/${group}`, signal));
    const version = group === '' ? 'v1' : asString(asRecord(preferred?.['preferredVersion'])['version']);
    if (version === undefined) return undefined;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
    const resource = (await this.#resources(root, signal)).get(kind);
    if (resource === undefined) return undefined;
    const folder = resource.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
    return { apiVersion, path: `${root}${folder}/${resource.plural}` };
  }

  #resources(root: string, signal: AbortSignal): Promise<ReadonlyMap<string, Resource>> {
    const known = this.#known.get(root);
    if (known !== undefined) return known;
    const asked = this.#kube.get(root, signal).then(parseResources);
    this.#known.set(root, asked);
    asked.catch(() => this.#known.delete(root));
    return asked;
  }
}

/** Parses an APIResourceList, without subresources (`pods/log`). */
function parseResources(list: unknown): ReadonlyMap<string, Resource> {
  const found = new Map<string, Resource>();
  for (const entry of asArray(asRecord(list)['resources']).map(asRecord)) {
    const name = asString(entry['name']);
    const kind = asString(entry['kind']);
    if (name === undefined || kind === undefined || name.includes('/')) continue;
    found.set(kind, { plural: name, namespaced: entry['namespaced'] === true });
  }
  return found;
}
