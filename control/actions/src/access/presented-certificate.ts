import { connect } from 'node:tls';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';

/** How long the TLS handshake with a server may take. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

/**
 * When the certificate that an API server presents expires, in Unix time in milliseconds. It is not verified: the
 * purpose is to find an expired one.
 */
export async function apiCertificateExpiryMs(
  { server, tlsServerName }: ApiAddress,
  signal: AbortSignal,
): Promise<number> {
  const { hostname, port } = new URL(server);
  // An IPv6 address is in brackets in a URL.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
  });
  const stop = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
  socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => socket.destroy(new Error('no answer to the TLS handshake')));
  signal.addEventListener('abort', stop, { once: true });
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const expiresMs = Date.parse(socket.getPeerCertificate().valid_to);
    if (Number.isNaN(expiresMs)) reject(new Error(`${server} presents no certificate`));
    else resolve(expiresMs);
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}
