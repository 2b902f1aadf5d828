export const AGENT_NAMES = ['nodeup', 'protokube', 'etcd-manager', 'node-authority'] as const;

export type AgentName = (typeof AGENT_NAMES)[number];

export type AgentChoice =
  | { readonly kind: 'agent'; readonly name: AgentName; readonly argv: readonly string[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'usage'; readonly message: string };

/** Selects the agent by the name of the program, which is usually a link, or else by the first argument. */
export function chooseAgent(programName: string, argv: readonly string[]): AgentChoice {
  const byProgram = AGENT_NAMES.find((name) => name === programName);
  if (byProgram !== undefined) return { kind: 'agent', name: byProgram, argv };

  const [first, ...rest] = argv;
  const byArgument = AGENT_NAMES.find((name) => name === first);
  if (byArgument !== undefined) return { kind: 'agent', name: byArgument, argv: rest };
  if (first === '--version') return { kind: 'version' };

  const names = AGENT_NAMES.join('|');
  return {
    kind: 'usage',
    message: `usage: kops-agents ${names} [arguments], or a link to it with one of these names\n`,
  };
}
