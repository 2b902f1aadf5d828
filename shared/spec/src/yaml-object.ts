import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type YAMLMap } from 'yaml';

/** An entry of a mapping, with merge keys (`<<`) already resolved. */
export interface Entry {
  readonly key: string;
  readonly value: Node | undefined;
  /** The offset of the key in the text. */
  readonly offset: number;
}

/** Resolves an alias. Any other node is returned unchanged. */
export function followAlias(node: unknown, document: Document): Node | undefined {
  let current = node;
  // The parser rejects an alias without an anchor, and an alias of an alias ends at a node.
  while (isAlias(current)) current = current.resolve(document);
  return isMap(current) || isSeq(current) || isScalar(current) ? current : undefined;
}

/** The entries of a mapping in the order of the text. Its own keys override merged ones. */
export function entriesOf(map: YAMLMap, document: Document): readonly Entry[] {
  const own: Entry[] = [];
  const merged: Entry[] = [];
  for (const pair of map.items) {
    const keyNode = followAlias(pair.key, document);
    const key = isScalar(keyNode) ? String(keyNode.source ?? keyNode.value) : String(pair.key);
    const value = followAlias(pair.value, document);
    if (key === '<<') {
      const sources = isSeq(value) ? value.items.map((item) => followAlias(item, document)) : [value];
      for (const source of sources) if (isMap(source) && source !== map) merged.push(...entriesOf(source, document));
    } else {
      own.push({ key, value, offset: keyNode?.range?.[0] ?? map.range?.[0] ?? 0 });
    }
  }
  const names = new Set(own.map((entry) => entry.key));
  for (const entry of merged) {
    if (names.has(entry.key)) continue;
    names.add(entry.key);
    own.push(entry);
  }
  return own;
}
