import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudDriver } from '@kopsctl/model/cloud.ts';
import { type KindLifecycle, type Phase, PHASES } from '@kopsctl/model/lifecycle.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/** How much of a kind of resource is ours to do (kops upup/pkg/fi/lifecycle.go). */
export const LIFECYCLES = [
  'Sync',
  'Ignore',
  'WarnIfInsufficientAccess',
  'ExistsAndValidates',
  'ExistsAndWarnIfChanges',
] as const;

export type Lifecycle = (typeof LIFECYCLES)[number];

/** By kind of task; kinds that are not named are Sync. */
export type Lifecycles = ReadonlyMap<string, Lifecycle>;

/** Kinds of every cloud: what lies in the state store. */
const OWN_KINDS: readonly KindLifecycle[] = [
  { kind: 'Keyset', kopsName: 'Keypair', phase: 'cluster' },
  { kind: 'Secret', kopsName: 'Secret', phase: 'cluster' },
  { kind: 'ManagedFile', kopsName: 'ManagedFile', phase: 'cluster' },
  { kind: 'StateKey', kopsName: 'StateKey', phase: 'cluster' },
];

/** What the kinds of a cluster's tasks are called in kops, and when they are made. */
export const kindsOf = (driver: Pick<CloudDriver, 'lifecycles'>): readonly KindLifecycle[] => [
  ...driver.lifecycles,
  ...OWN_KINDS,
];

/** The phase of a kind; kinds of clouds without phases are all of the last. */
const phaseOf = (kinds: readonly KindLifecycle[], kind: string): Phase =>
  kinds.find((one) => one.kind === kind)?.phase ?? 'cluster';

/** Reads `--lifecycle-overrides IAMRole=ExistsAndWarnIfChanges`; kinds by kops's names or ours, in any case. */
export function parseLifecycles(overrides: readonly string[], kinds: readonly KindLifecycle[]): Lifecycles {
  return new Map(
    overrides.flatMap((override): readonly [string, Lifecycle][] => {
      const [name = '', wanted = ''] = override.split('=');
      const same = (text: string) => text.toLowerCase() === name.toLowerCase();
      // One kind of kops may be several here: ManagedFile is also what the issuer publishes.
      const named = kinds.filter((one) => same(one.kind) || same(one.kopsName));
      const lifecycle = LIFECYCLES.find((one) => one.toLowerCase() === wanted.toLowerCase());
      if (named.length > 0 && lifecycle !== undefined) return named.map(({ kind }) => [kind, lifecycle]);
      throw new ActionableError({
        what: `read --lifecycle-overrides ${override}`,
        isUsage: true,
        why: named.length === 0 ? `there is no kind ${name}` : `there is no lifecycle ${wanted || '(nothing)'}`,
        next:
          named.length === 0
            ? `use one of ${kinds.map(({ kopsName }) => kopsName).join(', ')}`
            : `use one of ${LIFECYCLES.join(', ')}`,
      });
    }),
  );
}

/** The lifecycles of a phase: what earlier phases made must be there, and is not changed. */
export function lifecyclesOf(
  kinds: readonly KindLifecycle[],
  phase: Phase | undefined,
  overrides: Lifecycles,
): Lifecycles {
  if (phase === undefined) return overrides;
  const earlier = kinds.filter((one) => PHASES.indexOf(one.phase) < PHASES.indexOf(phase));
  return new Map([...earlier.map(({ kind }): [string, Lifecycle] => [kind, 'ExistsAndWarnIfChanges']), ...overrides]);
}

/**
 * Whether another tool makes a kind. What is left out is only referred to, as in kops: whoever has it made says in the files of
 * the tool what it is.
 *
 * @param lifecycles those of `lifecyclesOf` for the same phase
 */
export function isForTool(
  kinds: readonly KindLifecycle[],
  kind: string,
  phase: Phase | undefined,
  lifecycles: Lifecycles,
): boolean {
  const lifecycle = lifecycles.get(kind) ?? 'Sync';
  return isDue(kinds, kind, phase) && (lifecycle === 'Sync' || lifecycle === 'WarnIfInsufficientAccess');
}

/**
 * Refuses what only the cloud could tell, which is not asked where another tool makes the cluster. kops refuses it too (upup/pkg/fi/context.go).
 *
 * @throws ActionableError
 */
export function refuseUncheckable(overrides: Lifecycles, tool: string): void {
  const [kind] = [...overrides].find(([, lifecycle]) => lifecycle === 'ExistsAndValidates') ?? [];
  if (kind === undefined) return;
  throw new ActionableError({
    what: `leave ${kind} out of what is written for ${tool}`,
    isUsage: true,
    why: 'ExistsAndValidates asks the cloud whether everything of the kind is as it should be, and the cloud is not asked here',
    next: 'use Ignore or ExistsAndWarnIfChanges, which leave the kind out',
  });
}

/** Whether a kind has its turn in a phase or had it before. */
export const isDue = (kinds: readonly KindLifecycle[], kind: string, phase: Phase | undefined): boolean =>
  phase === undefined || PHASES.indexOf(phaseOf(kinds, kind)) <= PHASES.indexOf(phase);

/** The handlers, each doing as much as its kind's lifecycle lets it. What is not Sync is never deleted either. */
export function withLifecycles<Env>(
  handlers: readonly Handler<Env>[],
  lifecycles: Lifecycles,
  isForbidden: NonNullable<CloudDriver['isForbidden']> = () => false,
): readonly Handler<Env>[] {
  return handlers.map((handler) => {
    const lifecycle = lifecycles.get(handler.kind) ?? 'Sync';
    return lifecycle === 'Sync' ? handler : limited(handler, lifecycle, isForbidden);
  });
}

const summaries = (steps: readonly Step[]): string => steps.map(({ summary }) => summary).join('; ');

/** The handler without what finds and removes things that no task wants. */
export function neverRemoving<Env>(handler: Handler<Env>): Handler<Env> {
  const only: Handler<Env> = { ...handler };
  delete only.listOwned;
  delete only.remove;
  return only;
}

function limited<Env>(
  handler: Handler<Env>,
  lifecycle: Exclude<Lifecycle, 'Sync'>,
  isForbiddenByCloud: (thrown: unknown) => boolean,
): Handler<Env> {
  const only = neverRemoving(handler);
  switch (lifecycle) {
    case 'Ignore':
      return { ...only, plan: () => [] };
    case 'WarnIfInsufficientAccess':
      return {
        ...only,
        find: async (name, props, env, signal) => {
          try {
            return await handler.find(name, props, env, signal);
          } catch (thrown) {
            if (!(thrown instanceof PermanentError) || !isRefusal(thrown.cause, isForbiddenByCloud)) throw thrown;
            return { forbidden: thrown.message } satisfies Forbidden;
          }
        },
        plan: (name, props, found) => (isForbidden(found) ? [] : handler.plan(name, props, found)),
        outputs: (name, props, found) => (isForbidden(found) ? {} : (handler.outputs?.(name, props, found) ?? {})),
        warnings: (name, props, found) =>
          isForbidden(found) ? [found.forbidden] : (handler.warnings?.(name, props, found) ?? []),
      };
    case 'ExistsAndValidates':
      return {
        ...only,
        plan(name, props, found) {
          const steps = handler.plan(name, props, found);
          if (steps.length > 0) throw notAsWanted(handler.kind, name, steps);
          return [];
        },
      };
    case 'ExistsAndWarnIfChanges':
      return {
        ...only,
        plan(name, props, found) {
          if (found === undefined) throw notAsWanted(handler.kind, name, handler.plan(name, props, found));
          return [];
        },
        warnings(name, props, found) {
          const steps = found === undefined ? [] : handler.plan(name, props, found);
          const own = handler.warnings?.(name, props, found) ?? [];
          return steps.length === 0
            ? own
            : [...own, `differs from the spec, and is left as it is: would ${summaries(steps)}`];
        },
      };
  }
}

/** A refusal by the cloud itself, or by a file of this computer. */
const isRefusal = (cause: unknown, isForbiddenByCloud: (thrown: unknown) => boolean): boolean =>
  isForbiddenByCloud(cause) ||
  (cause instanceof Error && 'code' in cause && /^(EACCES|EPERM)$/.test(String(cause.code)));

interface Forbidden {
  readonly forbidden: string;
}

const isForbidden = (found: unknown): found is Forbidden => isRecord(found) && typeof found['forbidden'] === 'string';

const notAsWanted = (kind: string, name: string, steps: readonly Step[]) =>
  new PermanentError({
    what: `use ${kind}/${name} as it is`,
    why: `it differs from the spec, and would have to be changed: ${summaries(steps)}`,
    next: 'run the phase that makes it, or give its kind the lifecycle Sync',
  });
