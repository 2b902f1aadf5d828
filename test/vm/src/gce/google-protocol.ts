/** What the process that stands for Google is started with. */
export interface GoogleOptions {
  readonly project: string;
  readonly bucket: string;
  /** The address of this computer in the network of the machines. */
  readonly gateway: string;
  readonly assetsDir: string;
  readonly kubernetesVersion: string;
  /** The local cluster whose containers are the machines, and its folder. */
  readonly machines: { readonly cluster: string; readonly dir: string };
}

/** A machine that a managed group wants. */
export interface WantedMachine {
  /** `projects/p/zones/z/instances/i` */
  readonly path: string;
  readonly name: string;
  readonly isControlPlane: boolean;
  readonly userData: string;
}

export type Question =
  /** A cluster is stored: its machines download what stands for published files. */
  | { readonly ask: 'pin'; readonly cluster: string }
  | { readonly ask: 'machines' }
  /** A machine runs, and has this address. */
  | { readonly ask: 'place'; readonly path: string; readonly address: string }
  | { readonly ask: 'report' };

export interface Report {
  /** Requests and answers that are not of Google's form. */
  readonly violations: readonly string[];
  /** What machines asked of Compute Engine and Cloud Storage without the right to it. */
  readonly refused: readonly string[];
}

export interface Answers {
  readonly pin: true;
  readonly machines: readonly WantedMachine[];
  readonly place: true;
  readonly report: Report;
}

/** Ports at the gateway. */
export const PORTS = { metadata: 8169, google: 8170, storage: 8171, keys: 8172, files: 8173 } as const;
/** Local ports of requests to the metadata service of local machines, which stays at its address for them. */
export const OWN_METADATA_PORTS = '61000-61999';
