/**
 * Compares the folders of a place with those that its section of a page lists: `**`control/cli/src`**`, then a list whose
 * items begin with the names of folders. Returns one line for each difference.
 */
export function documentedFolders(page: string, place: string, folders: readonly string[]): readonly string[] {
  const [, after = ''] = page.split(`**\`${place}\`**\n`);
  const section = after.split(/\n(?=\*\*|#)/)[0] ?? '';
  const listed = [...section.matchAll(/^- ((?:`[\w-]+\/`(?:, )?)+)/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([\w-]+)\/`/g)].map(([, name = '']) => name),
  );
  return [
    ...folders
      .filter((name) => !listed.includes(name))
      .map((name) => `${place}/${name}: docs/architecture.md does not name it`),
    ...listed
      .filter((name) => !folders.includes(name))
      .map((name) => `docs/architecture.md names ${place}/${name}: there is no such folder`),
  ];
}
