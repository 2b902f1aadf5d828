import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { tryCommand } from './command.ts';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';
import { notThisHost } from './running-host.ts';

const schema = z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_-]+$/), ...ordered });
type Props = z.infer<typeof schema>;

interface FoundModule {
  readonly isLoaded: boolean;
  /** Why it cannot be loaded here, if that is known beforehand. */
  readonly refusal?: string;
}

/** linux/capability.h */
const CAP_SYS_MODULE = 16n;

/** A kernel module, loaded now. On a host that cannot load modules (a container) it is only a warning. */
export const kernelModuleHandler: Handler<NodeEnv, Props, FoundModule> = {
  kind: 'KernelModule',
  parse: (props) => schema.parse(props),

  async find(_name, props, env) {
    const elsewhere = notThisHost(env);
    if (elsewhere !== undefined) return { isLoaded: false, refusal: elsewhere };
    if (existsSync(`/sys/module/${props.name.replaceAll('-', '_')}`)) return { isLoaded: true };
    const refused = env.refused.get(`module ${props.name}`);
    if (refused !== undefined) return { isLoaded: false, refusal: refused };
    const status = await readFile('/proc/self/status', 'utf8');
    const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
    const mayLoad = process.getuid?.() !== 0 || (effective & (1n << CAP_SYS_MODULE)) !== 0n;
    return mayLoad ? { isLoaded: false } : { isLoaded: false, refusal: 'this host may not load modules' };
  },

  plan: (_name, props, actual): readonly Step[] =>
    actual === undefined || actual.isLoaded || actual.refusal !== undefined
      ? []
      : [{ action: 'load', summary: `load the kernel module ${props.name}` }],

  async apply(_step, _name, props, env, signal) {
    const { exitCode, stderr } = await tryCommand('modprobe', [props.name], signal);
    // It may be built in, or missing from the host's kernel: kubelet and CNI report it when they need it.
    if (exitCode !== 0) env.refused.set(`module ${props.name}`, stderr.trim() || `modprobe ended with ${exitCode}`);
    else if (!existsSync(`/sys/module/${props.name.replaceAll('-', '_')}`)) {
      env.refused.set(`module ${props.name}`, 'it is built into this kernel, or has no entry in /sys/module');
    }
  },

  warnings: (_name, props, actual) =>
    actual?.refusal === undefined ? [] : [`kernel module ${props.name} is not loaded: ${actual.refusal}`],
};
