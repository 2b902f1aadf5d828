import { join } from 'node:path';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import { bootReport, bootReportPath, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';

export interface ReporterOptions {
  readonly root: string;
  readonly cluster: string;
  readonly node: string;
  readonly planHash: string;
  readonly store: () => Promise<StateStore>;
}

/** An operator watches it grow; more often would only load the store. */
const UPLOAD_EVERY_MS = 500;

/** Keeps boot-report.json on disk and in the store while a run goes on. A store that is away never stops a boot. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #events: TaskEvent[] = [];
  #version: string | undefined;
  #isKnown = false;
  #timer: NodeJS.Timeout | undefined;
  #upload: Promise<void> = Promise.resolve();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  add(event: TaskEvent): void {
    this.#events.push(event);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#upload = this.#upload.then(() => this.#write());
    }, UPLOAD_EVERY_MS);
  }

  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#upload;
    await this.#write();
  }

  async #write(): Promise<void> {
    const { root, cluster, node, planHash, store } = this.#options;
    const bytes = new TextEncoder().encode(printBootReport(bootReport({ node, planHash, events: this.#events })));
    await replaceFile(join(root, 'var/lib/kops/boot-report.json'), bytes, 0o644, undefined);
    const path = bootReportPath(cluster, node);
    try {
      const opened = await store();
      if (!this.#isKnown) {
        this.#version = (await opened.read(path))?.version;
        this.#isKnown = true;
      }
      const condition = this.#version === undefined ? ({ ifAbsent: true } as const) : { ifVersion: this.#version };
      this.#version = (await opened.write(path, bytes, condition)).version;
    } catch (error) {
      // Read anew next time: somebody else may have written it, or the write was done and only its answer lost.
      this.#isKnown = false;
      process.stderr.write(`<4>nodeup: the boot report is not in the state store: ${messageOf(error)}\n`);
    }
  }
}
