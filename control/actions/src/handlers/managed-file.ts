import type { FieldChange, Handler, JsonObject, Outputs, Step } from '@kopsctl/tasks/task.ts';
import { unifiedDiff } from '@kopsctl/tasks/unified-diff.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { type FormerPlan, formerPlan, readablePlan } from './former-plan.ts';
import type { StoreEnv } from './store-env.ts';

interface ManagedFileProps {
  /** Relative to the cluster's folder in the state store. */
  readonly path: string;
  readonly content: string;
}

interface StoredText {
  readonly text: string;
  readonly version: string;
}

/** The file is not there, and it takes the place of another one: the plan of a group has its hash as its name. */
interface Successor {
  readonly former: FormerPlan;
}

interface WriteStep extends Step {
  readonly action: 'create' | 'replace';
  readonly ifVersion?: string;
}

/** A text that the control side keeps in the state store: node plans, addons, the completed spec. */
export const managedFileHandler: Handler<StoreEnv, ManagedFileProps, StoredText | Successor, WriteStep> = {
  kind: 'ManagedFile',

  parse: (props: JsonObject) => {
    const { path, content } = props;
    if (typeof path !== 'string' || typeof content !== 'string') throw new Error('ManagedFile needs path and content');
    return { path, content };
  },

  async find(_name, props, env, signal) {
    const stored = await env.store.read(`${env.cluster}/${props.path}`, signal);
    if (stored !== undefined) return { text: new TextDecoder().decode(stored.bytes), version: stored.version };
    const former = await formerPlan(env, props.path, props.content, signal);
    return former && { former };
  },

  plan(_name, props, actual) {
    if (actual === undefined) {
      return [{ action: 'create', summary: `write ${props.path} (${props.content.length} characters)` }];
    }
    if ('former' in actual) {
      const { path, text } = actual.former;
      return [
        {
          action: 'create',
          summary: `write ${props.path} (${props.content.length} characters) in place of ${path.slice(path.lastIndexOf('/') + 1)}`,
          diff: unifiedDiff('plan', readablePlan(text), readablePlan(props.content)),
        },
      ];
    }
    if (actual.text === props.content) return [];
    const changes: FieldChange[] = [
      { path: 'content', from: `${actual.text.length} characters`, to: `${props.content.length} characters` },
    ];
    return [
      {
        action: 'replace',
        summary: `replace ${props.path}`,
        changes,
        diff: unifiedDiff(props.path, actual.text, props.content),
        ifVersion: actual.version,
      },
    ];
  },

  async apply(step, _name, props, env, signal) {
    const condition = ifUnchanged(step.ifVersion);
    await env.store.write(`${env.cluster}/${props.path}`, new TextEncoder().encode(props.content), condition, signal);
  },

  outputs: (_name, props): Outputs => ({ path: props.path }),
  plannedOutputs: (_name, props): Outputs => ({ path: props.path }),
};
