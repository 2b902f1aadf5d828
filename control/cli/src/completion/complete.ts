import type { FlagOfClouds } from '@kopsctl/actions/list-flag-values.ts';
import type { NamedThings } from '@kopsctl/actions/list-names.ts';
import type { Argument, Command, Option } from 'commander';
import { findCommand } from '../flags/arguments.ts';

/** A word that may stand where the person types. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** A field of a kind; where it is set, `=` comes after it. */
export interface WantedField {
  readonly kind: 'Cluster' | 'InstanceGroup';
  readonly isSet: boolean;
  /** What stands before the path in the same word, as in `explain cluster.spec.podCIDR`. */
  readonly before?: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Names from the store may stand there as well. */
  readonly wanted?: NamedThings;
  /** A value of this flag may stand there as well. */
  readonly flagOfClouds?: FlagOfClouds;
  /** The path of a field may stand there as well. */
  readonly field?: WantedField;
  /** The cluster that the words name, with --name or by itself. */
  readonly cluster?: string;
  readonly state?: string;
  /** The file of settings that --config names. */
  readonly config?: string;
}

/** What may stand in the place of the last word, which may be empty. Pure. */
export function complete(program: Command, words: readonly string[]): Completion {
  const typed = words.at(-1) ?? '';
  if (words[0] === 'help' && words.length > 1) {
    // It takes the words that name a command, and nothing else.
    const helped = walk(program, words.slice(1, -1));
    return { candidates: helped.operands.length > 0 ? [] : starting(commandsOf(helped.command), typed) };
  }
  const walked = walk(program, words.slice(0, -1));
  const { command, operands, pending } = walked;
  const given = contextOf(walked);
  const [, flag, begun] = /^(--[^=]+)=(.*)$/.exec(typed) ?? [];
  const option = pending ?? (flag === undefined ? undefined : optionOf(command, program, flag));
  if (option !== undefined)
    return { ...given, ...valuesOf(command, option, begun ?? typed, flag === undefined ? '' : `${flag}=`) };
  if (typed.startsWith('-')) return { ...given, candidates: starting(flagsOf(command, program), typed) };
  const commands = operands.length > 0 ? [] : commandsOf(command);
  const argument = argumentAt(command, operands.length);
  const choices = [...(argument?.argChoices ?? []), ...kindsOf(command, operands)];
  const wanted = argument === undefined ? undefined : wantedBy(command, argument, operands);
  const field =
    argument === undefined
      ? undefined
      : (fieldOf(command, argument, operands) ?? attachedField(command, operands, typed));
  return {
    ...given,
    candidates: starting([...commands, ...choices.map((word) => ({ word, description: '' }))], typed),
    ...(wanted !== undefined && { wanted }),
    ...(field !== undefined && { field }),
  };
}

interface Walked {
  readonly command: Command;
  readonly operands: readonly string[];
  /** An option whose value is typed now. */
  readonly pending: Option | undefined;
  /** The values of options, by their long names. */
  readonly values: ReadonlyMap<string, string>;
}

function walk(program: Command, words: readonly string[]): Walked {
  let command = program;
  const operands: string[] = [];
  const values = new Map<string, string>();
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      values.set(pending.long ?? '', word);
      pending = undefined;
      continue;
    }
    const [, flag = word, attached] = /^(--[^=]+)=(.*)$/.exec(word) ?? [];
    if (word.startsWith('-')) {
      const option = optionOf(command, program, flag);
      if (attached !== undefined) values.set(flag, attached);
      else if (option?.required === true) pending = option;
      continue;
    }
    const below = operands.length > 0 ? undefined : findCommand(command, word);
    if (below === undefined) operands.push(word);
    else command = below;
  }
  return { command, operands, pending, values };
}

/** What the words say of where names are looked up. A cluster may be named by --name, or as what the command is about. */
function contextOf({ command, operands, values }: Walked): Pick<Completion, 'cluster' | 'state' | 'config'> {
  const positional = operands.find((_, at) => {
    const argument = argumentAt(command, at);
    return argument !== undefined && wantedBy(command, argument, operands.slice(0, at)) === 'clusters';
  });
  const [cluster, state, config] = [values.get('--name') ?? positional, values.get('--state'), values.get('--config')];
  return {
    ...(cluster !== undefined && { cluster }),
    ...(state !== undefined && { state }),
    ...(config !== undefined && { config }),
  };
}

const optionOf = (command: Command, program: Command, flag: string): Option | undefined =>
  [...command.options, ...program.options].find(({ long, short }) => long === flag || short === flag);

const ROLES = ['apiserver', 'bastion', 'control-plane', 'node'];

/** What is proposed for flags that take other spellings as well, as kops does. */
const PROPOSED: Readonly<Record<string, readonly string[]>> = {
  '--api-loadbalancer-type': ['internal', 'public'],
  '--dns': ['none', 'private', 'public'],
  '--instance-group-roles': ROLES,
  '--role': ROLES,
  '--topology': ['private', 'public'],
};

/** The value of an option: one of its words, or a name from the store. */
function valuesOf(
  command: Command,
  option: Option,
  begun: string,
  prefix: string,
): Pick<Completion, 'candidates' | 'wanted' | 'flagOfClouds' | 'field'> {
  const words = option.argChoices ?? PROPOSED[option.long ?? ''] ?? [];
  const candidates = words
    .filter((word) => word.startsWith(begun))
    .map((word) => ({ word: `${prefix}${word}`, description: '' }));
  if (option.long === '--name' || option.long === '--cluster') return { candidates, wanted: 'clusters' };
  if (option.long === '--node') return { candidates, wanted: 'nodes' };
  if (option.long === '--cloud' || option.long === '--networking') return { candidates, flagOfClouds: option.long };
  if (/^(undo|diff)$/.test(command.name()) && /^--(from|to)$/.test(option.long ?? '')) {
    return { candidates, wanted: 'changes' };
  }
  if (option.long === '--subnet' || (option.long === '--subnets' && command.name() === 'instance-selector')) {
    return { candidates, wanted: 'subnets' };
  }
  const kind = kindOfFields(command);
  if (kind !== undefined && /^--(un)?set$/.test(option.long ?? '')) {
    return { candidates, field: { kind, isSet: option.long === '--set' } };
  }
  return option.long === '--instance-group' ? { candidates, wanted: 'instance groups' } : { candidates };
}

/** The kind whose fields a command sets. */
function kindOfFields(command: Command): WantedField['kind'] | undefined {
  if (command.name() === 'cluster') return 'Cluster';
  return command.name() === 'instancegroup' ? 'InstanceGroup' : undefined;
}

/** Of `set cluster` and the like, and of `explain`, after the kind or after a name. */
function fieldOf(command: Command, argument: Argument, operands: readonly string[]): WantedField | undefined {
  const kind = kindOfFields(command);
  const verb = command.parent?.name();
  if (kind !== undefined && (verb === 'set' || verb === 'unset') && argument.name() === 'fields') {
    return { kind, isSet: verb === 'set' };
  }
  if (command.name() !== 'explain' || operands.length === 0) return undefined;
  if (/^clusters?$/.test(operands[0] ?? '')) return { kind: 'Cluster', isSet: false };
  return /^(ig|instancegroups?)$/.test(operands[0] ?? '') ? { kind: 'InstanceGroup', isSet: false } : undefined;
}

/** Of `explain`, where the path is attached to the kind. */
function attachedField(command: Command, operands: readonly string[], typed: string): WantedField | undefined {
  const [before, kind] = /^(clusters?|ig|instancegroups?)\./.exec(typed) ?? [];
  if (command.name() !== 'explain' || operands.length > 0 || before === undefined) return undefined;
  return { kind: kind?.startsWith('cluster') === true ? 'Cluster' : 'InstanceGroup', isSet: false, before };
}

/** What the first operand of a command that is about any kind may be. */
function kindsOf(command: Command, operands: readonly string[]): readonly string[] {
  if (operands.length > 0) return [];
  if (command.name() === 'explain') return ['cluster', 'instancegroup', 'node'];
  return command.name() === 'schema' ? ['cluster', 'instancegroup', 'all'] : [];
}

const flagsOf = (command: Command, program: Command): readonly Candidate[] =>
  [...command.options, ...program.options].flatMap((option) =>
    option.hidden || option.long === undefined || option.long === null
      ? []
      : [{ word: option.long, description: option.description }],
  );

const commandsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), description: one.description() }));

const starting = (all: readonly Candidate[], typed: string): readonly Candidate[] =>
  all.filter(({ word }) => word.startsWith(typed));

function argumentAt({ registeredArguments }: Command, at: number): Argument | undefined {
  return registeredArguments[at] ?? registeredArguments.findLast(({ variadic }) => variadic);
}

/** Which names an operand is one of: of a command about clusters its name, of one about groups theirs. */
function wantedBy(command: Command, argument: Argument, operands: readonly string[]): NamedThings | undefined {
  const subject = `${command.name()} ${operands[0] ?? ''}`;
  const isName = /^names?$/.test(argument.name());
  if (argument.name() === 'cluster') return 'clusters';
  if (isName && /^(instancegroup|ig)/.test(subject)) return 'instance groups';
  if (argument.name() === 'groups') return 'instance groups';
  if (isName && command.name().startsWith('secret')) return 'secrets';
  if (/^keysets?$/.test(argument.name())) return 'keysets';
  if (/^ids?$/.test(argument.name()) && command.name() === 'keypair') return { keyPairsOf: operands[0] ?? '' };
  // A machine has the name of its Node, or goes by it as well.
  if (argument.name() === 'node' || argument.name() === 'instance') return 'nodes';
  if (isName && /^explain (nodes?|no)$/.test(subject)) return 'nodes';
  if (isName && /^explain (ig|instancegroups?)$/.test(subject)) return 'instance groups';
  const isOfClusters = /^explain clusters?$/.test(subject);
  return isName && isOfClusters ? 'clusters' : undefined;
}
