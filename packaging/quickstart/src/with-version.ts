import { isMap, parseAllDocuments } from 'yaml';

/** The text of a specification in which each cluster names its version: this one, where it names none. */
export function withVersion(text: string, kubernetes: string): string {
  return parseAllDocuments(text)
    .map((document) => {
      const isOpen =
        document.get('kind') === 'Cluster' &&
        isMap(document.get('spec')) &&
        !document.hasIn(['spec', 'kubernetesVersion']);
      if (isOpen) document.setIn(['spec', 'kubernetesVersion'], kubernetes);
      return document.toString();
    })
    .join('');
}
