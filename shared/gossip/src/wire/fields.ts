import { isUtf8 } from 'node:buffer';
import { addressText } from './address.ts';
import { MAX_META_BYTES, MAX_NAME_BYTES, type Source, type Versions } from './message.ts';
import type { PackMap } from './pack-reader.ts';
import { Refusal } from './refusal.ts';

/**
 * Reads the fields of a message. Older peers do not know all fields, so a missing or nil field has Go's zero value. A
 * field of the wrong type is refused.
 */
export class Fields {
  readonly #map: PackMap;

  constructor(map: PackMap) {
    this.#map = map;
  }

  uint(name: string, max = 0xff_ff_ff_ff): number {
    const value = this.#map.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) {
      throw new Refusal('malformed', `${name} is not an integer from 0 to ${max}`);
    }
    return value;
  }

  bool(name: string): boolean {
    const value = this.#map.get(name) ?? false;
    if (typeof value !== 'boolean') throw new Refusal('malformed', `${name} is not a boolean`);
    return value;
  }

  bytes(name: string, maxBytes: number): Uint8Array {
    const value = this.#map.get(name) ?? NONE;
    if (!(value instanceof Uint8Array)) throw new Refusal('malformed', `${name} is not a byte string`);
    if (value.length > maxBytes)
      throw new Refusal('too-large', `${name} has ${value.length} bytes, more than ${maxBytes}`);
    return value;
  }

  text(name: string, maxBytes = MAX_NAME_BYTES): string {
    const bytes = this.bytes(name, maxBytes);
    // Each byte that is not UTF-8 would become a character of three bytes. The text would be another one when it is sent
    // on, and might be longer than other peers allow: they would refuse the whole state that contains it.
    if (!isUtf8(bytes)) throw new Refusal('malformed', `${name} is not UTF-8`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }

  /** The name of the node that a message is about; it must not be empty. */
  name(field: string): string {
    const name = this.text(field);
    if (name === '') throw new Refusal('malformed', `${field} is empty`);
    return name;
  }

  meta(): Uint8Array {
    // A copy, because a reference would keep the whole packet in memory.
    return Uint8Array.from(this.bytes('Meta', MAX_META_BYTES));
  }

  address(name: string): string {
    return addressText(this.bytes(name, 16));
  }

  port(name: string): number {
    return this.uint(name, 0xff_ff);
  }

  /** Only newer peers send the address to which they want the answer. */
  source(): Source | undefined {
    const address = this.bytes('SourceAddr', 16);
    if (address.length === 0) return undefined;
    return { address: addressText(address), port: this.port('SourcePort'), node: this.text('SourceNode') };
  }

  versions(): Versions {
    const bytes = this.bytes('Vsn', 64);
    const at = (index: number): number => bytes[index] ?? 0;
    return {
      protocolMin: at(0),
      protocolMax: at(1),
      protocol: at(2),
      delegateMin: at(3),
      delegateMax: at(4),
      delegate: at(5),
    };
  }
}

const NONE: Uint8Array = Buffer.alloc(0);
