import { randomUUID } from 'node:crypto';
import type { Media } from '@kopsctl/google/google-api.ts';

/** An object's settings and its content in one upload (RFC 2387; https://cloud.google.com/storage/docs/uploading-objects). */
export function multipart(settings: object, { type, text }: Media): Media {
  const boundary = randomUUID();
  const parts = [
    { type: 'application/json; charset=UTF-8', text: JSON.stringify(settings) },
    { type, text },
  ];
  const written = parts.map((part) => `--${boundary}\r\nContent-Type: ${part.type}\r\n\r\n${part.text}\r\n`);
  return { type: `multipart/related; boundary=${boundary}`, text: `${written.join('')}--${boundary}--\r\n` };
}
