import { constants } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { swapSeparators } from '@kopsctl/spec/sysctl-name.ts';
import type { FieldChange, Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';
import { notThisHost } from './running-host.ts';

const key = z.string().regex(/^[a-z0-9_-]+\.[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*$/);
const schema = z.strictObject({ values: z.record(key, z.string()), ...ordered });
type Props = z.infer<typeof schema>;

interface FoundValue {
  readonly key: string;
  readonly value: string | undefined;
  /** Why it cannot be set on this host. */
  readonly refusal?: string;
}

interface SetStep extends Step {
  readonly key: string;
}

const fileOf = (name: string) => `/proc/sys/${swapSeparators(name)}`;

/** The kernel separates several numbers with tabs; a plan may separate them with spaces. */
const normal = (value: string) => value.trim().split(/\s+/).join(' ');

/** Kernel settings, set now. Settings that the host lacks or refuses are warned about by name. */
export const sysctlsHandler: Handler<NodeEnv, Props, readonly FoundValue[], SetStep> = {
  kind: 'Sysctls',
  parse: (props) => schema.parse(props),

  find: async (_name, props, env) => Promise.all(Object.keys(props.values).map((name) => findValue(name, env))),

  plan(_name, props, actual) {
    return (actual ?? [])
      .filter(({ key: name, value, refusal }) => refusal === undefined && value !== normal(props.values[name] ?? ''))
      .map(({ key: name, value }) => {
        const change: FieldChange = {
          path: name,
          ...(value === undefined ? {} : { from: value }),
          to: props.values[name] ?? '',
        };
        return { action: 'set', key: name, summary: `set ${name} = ${props.values[name]}`, changes: [change] };
      });
  },

  async apply(step, _name, props, env) {
    try {
      await writeFile(fileOf(step.key), `${props.values[step.key]}\n`);
    } catch (error) {
      // A host that shares its kernel refuses some. `find` then warns about them by name.
      env.refused.set(`sysctl ${step.key}`, codeOf(error) ?? messageOf(error));
    }
  },

  warnings(_name, props, actual) {
    return (actual ?? [])
      .filter(({ key: name, value, refusal }) => refusal !== undefined && value !== normal(props.values[name] ?? ''))
      .map(
        ({ key: name, value, refusal }) => `${name} stays ${value ?? 'unset'}, not ${props.values[name]}: ${refusal}`,
      );
  },
};

async function findValue(name: string, env: NodeEnv): Promise<FoundValue> {
  const elsewhere = notThisHost(env);
  if (elsewhere !== undefined) return { key: name, value: undefined, refusal: elsewhere };
  try {
    const value = normal(await readFile(fileOf(name), 'utf8'));
    const refused = env.refused.get(`sysctl ${name}`);
    if (refused !== undefined) return { key: name, value, refusal: refused };
    const refusal = await access(fileOf(name), constants.W_OK).then(() => undefined, whyNot);
    return refusal === undefined ? { key: name, value } : { key: name, value, refusal };
  } catch (error) {
    return {
      key: name,
      value: undefined,
      refusal: codeOf(error) === 'ENOENT' ? 'this kernel has no such setting' : messageOf(error),
    };
  }
}

/** Root is refused when the setting belongs to the host and not to this namespace; another user may just need to be root. */
function whyNot(error: unknown): string | undefined {
  if (codeOf(error) === 'EROFS') return 'read-only on this host';
  return process.getuid?.() === 0 ? 'this host does not let its machines set it' : undefined;
}
