import { expect, test } from 'vitest';
import { documentedFolders } from './documented-folders.ts';

const PAGE =
  '## Folders\n\n**`a/src`**\n\n- `one/`: what\n- `two/`, `three/`: more\n\n**`b/src`**\n\n- `four/`: else\n';

test('folders that a page lists have no fault', () => {
  expect(documentedFolders(PAGE, 'a/src', ['one', 'three', 'two'])).toEqual([]);
  expect(documentedFolders(PAGE, 'b/src', ['four'])).toEqual([]);
});

test('a folder that is missing on either side is named', () => {
  expect(documentedFolders(PAGE, 'a/src', ['one', 'two', 'four'])).toEqual([
    'a/src/four: docs/architecture.md does not name it',
    'docs/architecture.md names a/src/three: there is no such folder',
  ]);
  expect(documentedFolders(PAGE, 'c/src', ['one'])).toEqual(['c/src/one: docs/architecture.md does not name it']);
});
