import { decodeMessage } from './decode-message.ts';
import { TYPE, type Message } from './message.ts';

/** Bounds the memory to some hundred kilobytes. A broadcast leaves all queues long before so many others have come. */
const MAX_KNOWN = 1024;
const NEWS: readonly (number | undefined)[] = [TYPE.alive, TYPE.suspect, TYPE.dead];

/** Decodes messages. Several members send the same broadcast, byte for byte, so it is decoded once. */
export class NewsDecoder {
  readonly #known = new Map<string, Message>();

  /** Decodes one message without its outer layers. Throws Refusal. */
  decode(bytes: Uint8Array): Message {
    if (!NEWS.includes(bytes[0])) return decodeMessage(bytes);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const message = decodeMessage(bytes);
    if (this.#known.size === MAX_KNOWN) this.#known.clear();
    this.#known.set(text, message);
    return message;
  }
}
