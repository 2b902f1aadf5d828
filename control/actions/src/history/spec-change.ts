import { createHash } from 'node:crypto';
import * as z from 'zod';
import { historyFolder } from './history-folder.ts';

/*
 * The history of a spec: a numbered folder for each command that changed it, with a record of the command and one of each
 * object that it wrote. kops knows the folder `manifests` and reads only its own files in it.
 */

/** The person and the command behind a change. */
export interface ChangeAuthor {
  /** `user@host` */
  readonly who: string;
  /** As it was typed. */
  readonly command: string;
  /** What the person gave as the reason. */
  readonly why?: string | undefined;
}

/** A command that changed the spec. */
export interface ChangeRecord extends ChangeAuthor {
  /** RFC 3339. */
  readonly at: string;
}

/** What a change did to one object. */
export interface ObjectRecord {
  /** Below the cluster's folder, e.g. `instancegroup/nodes`. */
  readonly path: string;
  /** The whole text that was there; null if nothing was. */
  readonly before: string | null;
  /** SHA-256 of the text that was written; null if the object was deleted. */
  readonly after: string | null;
  /** The whole text that was written. Absent if the object was deleted, and in records of former releases. */
  readonly written?: string | undefined;
}

/** A change with all that it did. Numbers grow; those of changes that are no longer kept are not used again. */
export interface SpecChange extends ChangeRecord {
  readonly number: number;
  readonly objects: readonly ObjectRecord[];
}

const API_VERSION = 'kopsctl.io/v1';

const changeSchema = z.object({
  apiVersion: z.literal(API_VERSION),
  at: z.string(),
  who: z.string(),
  command: z.string(),
  why: z.string().optional(),
});

const objectSchema = z.object({
  apiVersion: z.literal(API_VERSION),
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  written: z.string().optional(),
});

/** Eight digits, so that a listing is in the order of numbers. */
const changeFolder = (cluster: string, number: number): string =>
  `${historyFolder(cluster)}/${String(number).padStart(8, '0')}`;

export const changePath = (cluster: string, number: number): string => `${changeFolder(cluster, number)}/change.json`;

export const objectRecordPath = (cluster: string, number: number, path: string): string =>
  `${changeFolder(cluster, number)}/objects/${path.replaceAll('/', '-')}.json`;

/** The number of the change that a path of the history belongs to. */
export function numberIn(path: string): number | undefined {
  const digits = /\/manifests\/kopsctl\/history\/(\d{8,})\//.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export const printChange = (record: ChangeRecord): string => print({ kind: 'SpecChange', ...record });

export const printObjectRecord = (record: ObjectRecord): string => print({ kind: 'SpecObjectChange', ...record });

/** Undefined for a text that is not such a record. */
export function parseChange(text: string): ChangeRecord | undefined {
  return changeSchema.safeParse(parseJson(text)).data;
}

/** Undefined for a text that is not such a record. */
export function parseObjectRecord(text: string): ObjectRecord | undefined {
  return objectSchema.safeParse(parseJson(text)).data;
}

/** What becomes of an object; null stands for its absence. */
export const objectRecord = (path: string, before: string | null, written: string | null): ObjectRecord => ({
  path,
  before,
  ...(written === null ? { after: null } : { after: hashOfText(written), written }),
});

/** The text that an object was left with; null if it was deleted, undefined where a former release did not record it. */
export const writtenBy = ({ after, written }: ObjectRecord): string | null | undefined =>
  after === null ? null : written;

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

const print = (record: object): string => `${JSON.stringify({ apiVersion: API_VERSION, ...record }, null, 2)}\n`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // For any text that is not a record, the caller says where it is.
    return undefined;
  }
}
