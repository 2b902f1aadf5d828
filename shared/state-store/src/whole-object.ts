/**
 * The bytes of an object, as they arrive. Without the length, a connection that ends early looks like the end of the object.
 *
 * @throws what `explain` makes of a failure, or the reason of the signal once that is aborted
 */
export async function* wholeObject(
  size: number,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  explain: (thrown: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const chunk of chunks) {
      seen += chunk.byteLength;
      yield chunk;
    }
    if (seen !== size) throw new Error(`the connection ended after ${seen} of ${size} bytes`);
  } catch (thrown) {
    signal?.throwIfAborted();
    throw explain(thrown);
  }
}
