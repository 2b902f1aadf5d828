/** The error code of AWS (`InvalidVpcID.NotFound`), or the name of another error. */
export function errorName(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const name: unknown = Reflect.get(thrown, 'Code') ?? Reflect.get(thrown, 'code') ?? Reflect.get(thrown, 'name');
  return typeof name === 'string' ? name : '';
}

/** Whether the account lacks the permission for a request. */
export const isForbidden = (thrown: unknown): boolean =>
  /AccessDenied|UnauthorizedOperation|NotAuthorized/.test(errorName(thrown));
