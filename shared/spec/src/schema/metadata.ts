import { list, map, object } from './field.ts';

/** The metadata of any Kubernetes object; kops itself uses name, labels, annotations and creationTimestamp. */
export const objectMeta = object({
  annotations: map('string'),
  creationTimestamp: 'string',
  deletionGracePeriodSeconds: 'int',
  deletionTimestamp: 'string',
  finalizers: list('string'),
  generateName: 'string',
  generation: 'int',
  labels: map('string'),
  managedFields: list('anything'),
  name: 'string',
  namespace: 'string',
  ownerReferences: list('anything'),
  resourceVersion: 'string',
  selfLink: 'string',
  uid: 'string',
});
