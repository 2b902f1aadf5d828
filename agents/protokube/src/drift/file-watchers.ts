import { watch } from 'node:fs';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { WatchedFiles } from './watched-files.ts';

/** As fs.watch. */
type Watch = (
  folder: string,
  options: { readonly persistent: false },
  onEvent: (event: string, name: string | null) => void,
) => { on(event: 'error', onError: () => void): unknown; close(): void };

/** Watches files until it is disposed of. One inotify instance of this process serves all of them. */
export class FileWatchers implements Disposable {
  readonly #watch: Watch;
  readonly #watchers: ReturnType<Watch>[] = [];

  constructor(watchFolder: Watch = watch) {
    this.#watch = watchFolder;
  }

  /** Calls `onChange` when one of the files changes, whose folders may not be there. @throws if the kernel has no room for more */
  add(files: WatchedFiles, onChange: () => void): void {
    for (const [folder, names] of files) {
      try {
        const watcher = this.#watch(folder, { persistent: false }, (_, name) => {
          if (name === null || names.has(name)) onChange();
        });
        this.#watchers.push(watcher);
        // Whatever it would have told from now on may have happened.
        watcher.on('error', onChange);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }
}
