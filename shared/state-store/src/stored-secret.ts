import { asRecord } from '@kopsctl/tasks/record.ts';

/** Where a cluster's secrets lie, relative to the store's root (kops upup/pkg/fi/vfs_castore.go). */
export const secretFolder = (cluster: string): string => `${cluster}/secrets`;
export const secretPath = (cluster: string, name: string): string => `${secretFolder(cluster)}/${name}`;

/** A secret as kops keeps it: JSON `{"Data": base64}`. */
export const printSecret = (data: Uint8Array): string =>
  `${JSON.stringify({ Data: Buffer.from(data).toString('base64') })}\n`;

/** The content of a stored secret. Undefined where it is not in that form: the error of a JSON parser would quote it. */
export function parseSecret(stored: Uint8Array): Buffer | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(stored).toString('utf8'));
  } catch {
    return undefined;
  }
  const data = asRecord(value)['Data'];
  return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
}
