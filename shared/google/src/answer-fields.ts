import { isRecord } from '@kopsctl/tasks/record.ts';

/**
 * The fields of a JSON object that a service of Google answered, or of an object in it. Google leaves out fields that are
 * empty. A field that does not have the documented form throws an Error that names it.
 */
export class AnswerFields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #service: string;
  readonly #path: string;

  constructor(value: unknown, service: string, path = 'the answer') {
    this.#service = service;
    this.#path = path;
    if (!isRecord(value)) throw this.#unexpected('', 'an object');
    this.#values = new Map(Object.entries(value));
  }

  /** The whole object, as it was sent: Google changes some objects only as a whole, so the rest is sent back as it was. */
  asSent(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#values);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string, missing?: string): string {
    const value = this.#values.get(name) ?? missing;
    if (typeof value !== 'string') throw this.#unexpected(`.${name}`, 'text');
    return value;
  }

  count(name: string): number {
    const value = this.#values.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.#unexpected(`.${name}`, 'a number');
    }
    return value;
  }

  /** A whole number that Google writes as text, because it may have 64 bits. */
  wideCount(name: string): number {
    const text = this.text(name, '0');
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw this.#unexpected(`.${name}`, 'a number in text');
    return value;
  }

  flag(name: string): boolean {
    const value = this.#values.get(name) ?? false;
    if (typeof value !== 'boolean') throw this.#unexpected(`.${name}`, 'true or false');
    return value;
  }

  object(name: string): AnswerFields {
    return new AnswerFields(this.#values.get(name), this.#service, `${this.#path}.${name}`);
  }

  /** The objects in an object, by their names. */
  objects(name: string): readonly (readonly [name: string, fields: AnswerFields])[] {
    if (!this.has(name)) return [];
    const parent = this.object(name);
    return [...parent.#values.keys()].map((key) => [key, parent.object(key)]);
  }

  list(name: string): readonly AnswerFields[] {
    return this.#elements(name).map(
      (value, index) => new AnswerFields(value, this.#service, `${this.#path}.${name}[${index}]`),
    );
  }

  texts(name: string): readonly string[] {
    return this.#elements(name).map((value, index) => {
      if (typeof value !== 'string') throw this.#unexpected(`.${name}[${index}]`, 'text');
      return value;
    });
  }

  /** The texts in an object, by their names, such as labels. */
  textsByName(name: string): Readonly<Record<string, string>> {
    if (!this.has(name)) return {};
    const parent = this.object(name);
    return Object.fromEntries([...parent.#values.keys()].map((key) => [key, parent.text(key)]));
  }

  #elements(name: string): readonly unknown[] {
    const value = this.#values.get(name) ?? [];
    if (!Array.isArray(value)) throw this.#unexpected(`.${name}`, 'a list');
    return value;
  }

  #unexpected(below: string, expected: string): Error {
    return new Error(`${this.#service} sent an unexpected answer: ${this.#path}${below} is not ${expected}`);
  }
}
