/** An element in the simple XML of EC2: no attributes that matter, and either text or child elements. */
export interface Element {
  readonly name: string;
  readonly text: string;
  readonly inside: readonly Element[];
}

const TOKEN = /<(\/?)([A-Za-z_][\w.:-]*)(?:\s[^<>]*?)?(\/?)>|([^<]+)|</g;

/**
 * Parses a document. AWS sends no comments, no CDATA and no document types, so they are refused: an answer can prove
 * which machine asks, and text that is parsed leniently is read differently by other parsers.
 *
 * @throws if its elements are not properly closed, or if it is anything but one element
 */
export function parseXml(document: string): Element {
  const root: Open = { name: '', text: '', inside: [] };
  const open: Open[] = [root];
  for (const [, closes, name = '', isEmpty, text] of document.replace(/^\s*<\?[^>]*\?>/, '').matchAll(TOKEN)) {
    const current = open.at(-1) ?? root;
    if (text !== undefined) {
      current.text += decoded(text);
    } else if (name === '') {
      throw new Error('there is a < that does not begin an element');
    } else if (closes === '/') {
      if (open.length === 1 || current.name !== name) throw new Error(`</${name}> closes <${current.name}>`);
      open.pop();
    } else {
      const element: Open = { name, text: '', inside: [] };
      current.inside.push(element);
      if (isEmpty !== '/') open.push(element);
    }
  }
  const [first, second] = root.inside;
  if (first === undefined || open.length > 1) throw new Error('the document ends too early');
  if (second !== undefined || root.text.trim() !== '') throw new Error(`there is more than <${first.name}>`);
  return first;
}

interface Open {
  readonly name: string;
  text: string;
  readonly inside: Open[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#x([\dA-Fa-f]+)|#(\d+)|(\w+));/g, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ''] ?? whole;
  });

const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.inside.find((one) => one.name === name);

/** The text of the element at a path of names, or an empty string. */
export function textAt(element: Element, ...path: readonly string[]): string {
  return path.reduce<Element | undefined>(child, element)?.text.trim() ?? '';
}

/** The `<item>` elements of a list. */
export function itemsAt(element: Element, list: string): readonly Element[] {
  return child(element, list)?.inside.filter(({ name }) => name === 'item') ?? [];
}
