import { join } from 'node:path';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import { bootReport, bootReportPath, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import type { Log } from '@kopsctl/agent/log.ts';

export interface ReporterOptions {
  readonly root: string;
  readonly cluster: string;
  readonly node: string;
  readonly planHash: string;
  readonly store: () => Promise<StateStore>;
  readonly log: Log;
}

/** An operator watches it grow; more often would only load the store. */
const UPLOAD_EVERY_MS = 500;

/** A store that does not answer must not keep a finished boot from ending. */
const UPLOAD_TIMEOUT_MS = 10_000;

/** Keeps boot-report.json on disk and in the store while a run goes on. A store that is away never stops a boot. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #events: TaskEvent[] = [];
  #version: string | undefined;
  #isKnown = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #warned = new Map<string, string>();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  add(event: TaskEvent): void {
    this.#events.push(event);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    }, UPLOAD_EVERY_MS);
  }

  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write();
  }

  async #write(): Promise<void> {
    const { root, cluster, node, planHash } = this.#options;
    const bytes = new TextEncoder().encode(printBootReport(bootReport({ node, planHash, events: this.#events })));
    // Neither a full disk nor a store that is away stops a boot: the tasks say themselves what they lack.
    await this.#warnOnce('on disk', () =>
      replaceFile(join(root, 'var/lib/kops/boot-report.json'), bytes, 0o644, undefined),
    );
    await this.#warnOnce('in the state store', () => this.#upload(bootReportPath(cluster, node), bytes));
  }

  async #upload(path: string, bytes: Uint8Array): Promise<void> {
    const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
    try {
      const store = await this.#options.store();
      if (!this.#isKnown) {
        this.#version = (await store.read(path, signal))?.version;
        this.#isKnown = true;
      }
      const condition = this.#version === undefined ? ({ ifAbsent: true } as const) : { ifVersion: this.#version };
      this.#version = (await store.write(path, bytes, condition, signal)).version;
    } catch (error) {
      // Read anew next time: somebody else may have written it, or the write was done and only its answer lost.
      this.#isKnown = false;
      throw error;
    }
  }

  /** It is tried twice a second: what stays as it is is said once. */
  async #warnOnce(where: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
      this.#warned.delete(where);
    } catch (error) {
      const warning = `the boot report is not ${where}: ${messageOf(error)}`;
      if (this.#warned.get(where) !== warning) this.#options.log.warn(warning);
      this.#warned.set(where, warning);
    }
  }
}
