/** An element of the plain XML that EC2 answers with: no attributes of use, either text or elements inside. */
export interface Element {
  readonly name: string;
  readonly text: string;
  readonly inside: readonly Element[];
}

const TOKEN = /<(\/?)([A-Za-z_][\w.:-]*)[^<>]*?(\/?)>|([^<]+)/g;

/** Reads a document. @throws where elements do not close as they open */
export function parseXml(document: string): Element {
  const root: Open = { name: '', text: '', inside: [] };
  const open: Open[] = [root];
  for (const [, closes, name = '', isEmpty, text] of document.replace(/^\s*<\?[^>]*\?>/, '').matchAll(TOKEN)) {
    const current = open.at(-1) ?? root;
    if (text !== undefined) {
      current.text += decoded(text);
    } else if (closes === '/') {
      if (open.length === 1 || current.name !== name) throw new Error(`</${name}> closes <${current.name}>`);
      open.pop();
    } else {
      const element: Open = { name, text: '', inside: [] };
      current.inside.push(element);
      if (isEmpty !== '/') open.push(element);
    }
  }
  const [first] = root.inside;
  if (first === undefined || open.length > 1) throw new Error('the document ends too early');
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

/** The text at the end of a path of names, '' where there is nothing. */
export function textAt(element: Element, ...path: readonly string[]): string {
  return path.reduce<Element | undefined>(child, element)?.text.trim() ?? '';
}

/** The `<item>`s of a list. */
export function itemsAt(element: Element, list: string): readonly Element[] {
  return child(element, list)?.inside.filter(({ name }) => name === 'item') ?? [];
}
