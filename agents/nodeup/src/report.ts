import { join } from 'node:path';
import type { MachineFacts } from '@kopsctl/machine-facts/machine-facts.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import { bootReport, bootReportPath, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { errorText } from '@kopsctl/agent/log-line.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

export interface ReporterOptions {
  readonly root: string;
  readonly cluster: string;
  readonly node: string;
  readonly planHash: string;
  /** Where else the report goes; on a machine that writes nothing there, an authority takes it (protokube, identity). */
  readonly store: (() => Promise<StateStore>) | undefined;
  /** Hardware and operating system; undefined when the boot ended before they were known. */
  readonly machine: Promise<MachineFacts | undefined>;
  readonly log: Log;
}

/** A person watches the report grow; uploading it more often would only load the store. */
const UPLOAD_EVERY_MS = 500;

/** A store that does not answer must not delay the end of a boot. */
const UPLOAD_TIMEOUT_MS = 10_000;

/** Keeps boot-report.json up to date on disk and in the store during a run. A failed write never stops a boot. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #events: TaskEvent[] = [];
  #version: string | undefined;
  #isKnown = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #warned = new Map<string, string>();
  readonly #machineKnown: Promise<void>;
  #machine: MachineFacts | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#machineKnown = this.#learnMachine();
  }

  async #learnMachine(): Promise<void> {
    try {
      this.#machine = await this.#options.machine;
      this.#schedule();
    } catch (error) {
      // The report is useful without them.
      this.#options.log.warn('machine facts not gathered', { error });
    }
  }

  add(event: TaskEvent): void {
    this.#events.push(event);
    this.#schedule();
  }

  async finish(): Promise<void> {
    await this.#machineKnown;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    }, UPLOAD_EVERY_MS);
  }

  async #write(): Promise<void> {
    const { root, cluster, node, planHash } = this.#options;
    const input = { node, planHash, events: this.#events, ...(this.#machine && { machine: this.#machine }) };
    const bytes = new TextEncoder().encode(printBootReport(bootReport(input)));
    // Neither a full disk nor an unreachable store stops a boot: a task that needs them reports it.
    await this.#warnOnce('disk', () =>
      replaceFile(join(root, 'var/lib/kops/boot-report.json'), bytes, 0o644, undefined),
    );
    const { store } = this.#options;
    if (store === undefined) return;
    await this.#warnOnce('state store', () => this.#upload(store, bootReportPath(cluster, node), bytes));
  }

  async #upload(open: () => Promise<StateStore>, path: string, bytes: Uint8Array): Promise<void> {
    const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
    try {
      const store = await open();
      if (!this.#isKnown) {
        this.#version = (await store.read(path, signal))?.version;
        this.#isKnown = true;
      }
      const condition = ifUnchanged(this.#version);
      this.#version = (await store.write(path, bytes, condition, signal)).version;
    } catch (error) {
      // Read the version again next time: another process may have written it, or only the answer was lost.
      this.#isKnown = false;
      throw error;
    }
  }

  /** The write is tried twice a second; a failure that does not change is logged once. */
  async #warnOnce(where: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
      this.#warned.delete(where);
    } catch (error) {
      const text = errorText(error);
      if (this.#warned.get(where) !== text) this.#options.log.warn('boot report not written', { where, error });
      this.#warned.set(where, text);
    }
  }
}
