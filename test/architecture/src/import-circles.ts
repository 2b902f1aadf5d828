/** A module and the modules it imports, by their paths. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * The circles of imports: for modules that all import each other in the end, the shortest way around through the first
 * of them. Imports of types and imports at run time count as well: a circle of them says that two files are one idea,
 * or that a third is missing.
 */
export function importCircles(graph: ImportGraph): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = [];
  const importers = reversed(graph);
  const told = new Set<string>();
  for (const start of [...graph.keys()].toSorted()) {
    if (told.has(start)) continue;
    const circle = shortestBack(graph, start);
    if (circle === undefined) continue;
    circles.push(circle);
    const imported = reachedFrom(start, graph);
    for (const path of reachedFrom(start, importers)) if (imported.has(path)) told.add(path);
  }
  return circles;
}

function reversed(graph: ImportGraph): ImportGraph {
  const importers = new Map<string, string[]>();
  for (const [path, imported] of graph) {
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), path]);
  }
  return importers;
}

function reachedFrom(start: string, graph: ImportGraph): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const path of reached) for (const next of graph.get(path) ?? []) reached.add(next);
  return reached;
}

/** The shortest way from a module back to itself, breadth first. */
function shortestBack(graph: ImportGraph, start: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  let edge: readonly string[] = [start];
  while (edge.length > 0) {
    const next: string[] = [];
    for (const path of edge) {
      for (const imported of graph.get(path) ?? []) {
        if (imported === start) return wayTo(path, start, cameFrom);
        if (cameFrom.has(imported)) continue;
        cameFrom.set(imported, path);
        next.push(imported);
      }
    }
    edge = next;
  }
  return undefined;
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let at = end; at !== start; way.unshift(at)) at = cameFrom.get(at) ?? start;
  return way;
}
