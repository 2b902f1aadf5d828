/** https://cloud.google.com/dns/docs/reference/rest/v1, the fields that are used. */
export interface ManagedZone {
  readonly name: string;
  readonly dnsName: string;
  readonly isPrivate: boolean;
  /** The URLs of the networks that see a private zone. */
  readonly networks: readonly string[];
}

export interface ResourceRecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
  readonly hasRoutingPolicy: boolean;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

/** Parses one page of a list. Throws an Error that names the field if the answer does not have the documented form. */
export function parsePage<Item>(answer: unknown, field: string, parse: (item: Fields) => Item): Page<Item> {
  const fields = new Fields(answer, 'the answer');
  const nextPageToken = fields.text('nextPageToken', '');
  return { items: fields.list(field).map(parse), nextPageToken: nextPageToken === '' ? undefined : nextPageToken };
}

export function parseManagedZone(zone: Fields): ManagedZone {
  return {
    name: zone.text('name'),
    dnsName: zone.text('dnsName'),
    isPrivate: zone.text('visibility', 'public') === 'private',
    networks: zone.has('privateVisibilityConfig')
      ? zone
          .object('privateVisibilityConfig')
          .list('networks')
          .map((network) => network.text('networkUrl', ''))
      : [],
  };
}

export function parseResourceRecordSet(set: Fields): ResourceRecordSet {
  return {
    name: set.text('name'),
    type: set.text('type'),
    ttl: set.count('ttl'),
    rrdatas: set.texts('rrdatas'),
    hasRoutingPolicy: set.has('routingPolicy'),
  };
}

/** The fields of a JSON object. Google leaves out fields that are empty. */
class Fields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected(path, 'an object');
    this.#values = new Map(Object.entries(value));
    this.#path = path;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string, missing?: string): string {
    const value = this.#values.get(name) ?? missing;
    if (typeof value !== 'string') throw unexpected(`${this.#path}.${name}`, 'text');
    return value;
  }

  count(name: string): number {
    const value = this.#values.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw unexpected(`${this.#path}.${name}`, 'a number');
    }
    return value;
  }

  object(name: string): Fields {
    return new Fields(this.#values.get(name), `${this.#path}.${name}`);
  }

  list(name: string): readonly Fields[] {
    return this.#elements(name).map((value, index) => new Fields(value, `${this.#path}.${name}[${index}]`));
  }

  texts(name: string): readonly string[] {
    return this.#elements(name).map((value, index) => {
      if (typeof value !== 'string') throw unexpected(`${this.#path}.${name}[${index}]`, 'text');
      return value;
    });
  }

  #elements(name: string): readonly unknown[] {
    const value = this.#values.get(name) ?? [];
    if (!Array.isArray(value)) throw unexpected(`${this.#path}.${name}`, 'a list');
    return value;
  }
}

function unexpected(path: string, expected: string): Error {
  return new Error(`Cloud DNS sent an unexpected answer: ${path} is not ${expected}`);
}
