import { asArray } from '@kopsctl/kube/json.ts';
import { type JsonObject, textsOf } from './kubernetes-objects.ts';

/**
 * When kubelet last wrote an object, in ms since 1970 by the API server's clock, exact to a second; undefined where nothing tells. Before
 * Kubernetes 1.25 it is when kubelet first set its fields (apiserver's `managedfieldsupdater.go`). Pure.
 *
 * @param metadata of the object
 */
export function writtenByKubeletMs(metadata: JsonObject): number | undefined {
  const written = asArray(metadata['managedFields'])
    .map(textsOf)
    .flatMap(({ manager, time = '' }) => (manager === 'kubelet' ? [Date.parse(time)] : []))
    .filter((ms) => !Number.isNaN(ms));
  return written.length === 0 ? undefined : Math.max(...written);
}
