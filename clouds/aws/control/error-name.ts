/** The error code of AWS (`InvalidVpcID.NotFound`), or the name of another error. */
export function errorName(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const name: unknown = Reflect.get(thrown, 'Code') ?? Reflect.get(thrown, 'code') ?? Reflect.get(thrown, 'name');
  return typeof name === 'string' ? name : '';
}
