/** The properties of a unit, as systemctl shows them. */
export type UnitProperties = ReadonlyMap<string, string>;

/** What `systemctl show` printed: a block for each unit, in the order asked for, with an empty line between (systemctl(1)). */
export function parseUnitProperties(stdout: string): readonly UnitProperties[] {
  const text = stdout.trimEnd();
  if (text === '') return [];
  return text
    .split('\n\n')
    .map(
      (block) =>
        new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
        ),
    );
}
