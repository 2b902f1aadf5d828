/**
 * The X.509 library and what it needs. It costs some 60 ms and 20 MB, so it is loaded when the first certificate is
 * made: agents that only read certificates never load it.
 */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
