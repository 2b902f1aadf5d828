import { object } from './field.ts';

/** An environment variable with a literal value. */
export const plainEnvVar = object({ name: 'string', value: 'string' });

/** An environment variable of a pod. */
export const envVar = object({
  name: 'string',
  value: 'string',
  valueFrom: object({
    configMapKeyRef: object({ key: 'string', name: 'string', optional: 'bool' }),
    fieldRef: object({ apiVersion: 'string', fieldPath: 'string' }),
    fileKeyRef: object({ key: 'string', optional: 'bool', path: 'string', volumeName: 'string' }),
    resourceFieldRef: object({ containerName: 'string', divisor: 'quantity', resource: 'string' }),
    secretKeyRef: object({ key: 'string', name: 'string', optional: 'bool' }),
  }),
});
