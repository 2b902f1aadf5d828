import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What the lines of a story mean. */
export interface Story<World> {
  /** The world as each story begins. */
  readonly begin: () => World;
  /** By the first word of a line: changes the world by the words that follow. */
  readonly changes: Readonly<Record<string, (world: World, ...args: string[]) => void>>;
  /** What the line `plan` decides, as it is written below `----`. */
  readonly plan: (world: World) => string;
}

/**
 * One test for each story in a folder: its lines change a world, `plan` decides, and what stands below `----` must be
 * the decision. Lines that begin with # are comments. `UPDATE=1` rewrites the stories; read the difference before you
 * commit it.
 */
export function testStories<World>(folder: URL, story: Story<World>): void {
  test.each(readdirSync(folder).toSorted())('the story %s goes as it is written', (name) => {
    const file = new URL(name, folder);
    const written = readFileSync(file, 'utf8');
    const told = tell(written, story);
    if (process.env['UPDATE'] === '1') writeFileSync(file, told);
    expect(told).toBe(readFileSync(file, 'utf8'));
  });
}

/** The story with the decisions that are taken in it now. */
export function tell<World>(written: string, { begin, changes, plan }: Story<World>): string {
  const world = begin();
  const paragraphs = written.trimEnd().split('\n\n');
  const told = paragraphs.map((paragraph) => {
    const [commands = ''] = paragraph.split('\n----');
    let decision: string | undefined;
    for (const line of commands.split('\n')) {
      const [command = '', ...args] = line.trim().split(' ');
      if (command === '' || command.startsWith('#')) continue;
      if (command === 'plan') {
        decision = plan(world);
        continue;
      }
      const change = changes[command];
      if (change === undefined) throw new Error(`a story cannot say "${line}"`);
      change(world, ...args);
    }
    return decision === undefined ? commands.trimEnd() : `${commands.trimEnd()}\n----\n${decision}`;
  });
  return `${told.join('\n\n')}\n`;
}
