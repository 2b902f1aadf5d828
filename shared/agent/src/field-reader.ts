import { asRecord, isRecord } from '@kopsctl/tasks/record.ts';

/**
 * Reads the fields of a parsed JSON object, and collects the paths of the fields that are missing or of another type, so that
 * one error can name all of them. A faulty field reads as an empty value.
 */
export class FieldReader {
  /** Paths of the faulty fields, e.g. `volumes[0].tagKey`; shared with the readers of nested objects. */
  readonly faults: string[];
  readonly #path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown, path = '', faults: string[] = []) {
    this.faults = faults;
    this.#path = path;
    if (!isRecord(value)) faults.push(path === '' ? 'the object itself' : path.replace(/\.$/, ''));
    this.#fields = asRecord(value);
  }

  text(name: string, empty?: 'may be empty'): string {
    const value = this.#fields[name];
    if (typeof value === 'string' && (value !== '' || empty !== undefined)) return value;
    return this.#fault(name, '');
  }

  boolean(name: string): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : this.#fault(name, false);
  }

  port(name: string): number {
    const value = this.#fields[name];
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536) return value;
    return this.#fault(name, 0);
  }

  number(name: string): number {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : this.#fault(name, 0);
  }

  texts(name: string): readonly string[] {
    const value = this.#fields[name];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    return this.#fault(name, []);
  }

  /** One of these values. */
  word<const Word extends string | boolean>(name: string, words: readonly [Word, ...Word[]]): Word {
    const value = this.#fields[name];
    return words.find((word) => word === value) ?? this.#fault(name, words[0]);
  }

  object<T>(name: string, read: (fields: FieldReader) => T): T {
    return read(new FieldReader(this.#fields[name], `${this.#path}${name}.`, this.faults));
  }

  objects<T>(name: string, read: (fields: FieldReader) => T): readonly T[] {
    const value = this.#fields[name];
    if (!Array.isArray(value)) return this.#fault(name, []);
    return value.map((one: unknown, index) =>
      read(new FieldReader(one, `${this.#path}${name}[${index}].`, this.faults)),
    );
  }

  /** An object with values of one kind, each under a name that `read` is called with. */
  record<T>(name: string, read: (values: FieldReader, name: string) => T): Readonly<Record<string, T>> {
    return this.object(name, (values) =>
      Object.fromEntries(Object.keys(values.#fields).map((key) => [key, read(values, key)])),
    );
  }

  /** A record with the field, or without it where it is absent. */
  optional<const Name extends string, T>(name: Name, read: (name: Name) => T): { readonly [key in Name]?: T } {
    if (this.#fields[name] === undefined) return {};
    // TypeScript widens a computed key to string.
    return { [name]: read(name) } as { readonly [key in Name]: T };
  }

  /** @throws with the paths of all fields that are missing or malformed */
  refuseFaults(): void {
    if (this.faults.length > 0) throw new Error(`these fields are missing or malformed: ${this.faults.join(', ')}`);
  }

  #fault<T>(name: string, instead: T): T {
    this.faults.push(`${this.#path}${name}`);
    return instead;
  }
}
