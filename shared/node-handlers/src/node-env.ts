import type { ImageState } from './containerd-images.ts';
import type { FileStamp } from './file-stamp.ts';
import type { UnitProperties } from './unit-properties.ts';
import type { Together } from './together.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What the handlers of a node work with. Only nodeup's start makes a real one. */
export interface NodeEnv {
  /** All paths of a plan are below it: `/` on a node, a folder in a test or a dry run of another node's plan. */
  readonly root: string;
  /** The cluster's folder in the store. */
  readonly cluster: string;
  /** Opened when the first task needs it. */
  store(): Promise<StateStore>;
  nowMs(): number;
  /**
   * What this host refused although it seemed possible (a sysctl of the host's kernel, a module). From then on `find`
   * reports it as impossible, with a warning. Each kind of task chooses its keys.
   */
  readonly refused: Map<string, string>;
  /** The stamps that files had when this run last hashed them, by path below root. */
  readonly hashes: Map<string, FileStamp>;
  /** The state of a unit of this host, from systemd. */
  readonly units: Together<UnitProperties>;
  /** Whether a package is installed. */
  readonly packages: Together<boolean>;
  /** The state of an image in the containerd at a socket, by full name. */
  readonly images: (socket: string) => Together<ImageState>;
}
