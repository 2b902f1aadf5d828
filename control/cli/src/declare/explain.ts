import { Option } from 'commander';
import type { ExplainOptions } from '../flags/explain-options.ts';
import { apiVersionOption, type Declare } from './declaring.ts';

/** `explain`. */
export const declareExplain: Declare = ({ program, env, run }) => {
  program
    .command('explain')
    .argument('<kind>', 'cluster, instancegroup or node; as with kubectl, a path may be attached: cluster.spec.podCIDR')
    .argument('[name]', 'the name of an object in the state store; without it, the fields of the kind are explained')
    .argument('[path]', 'e.g. spec.podCIDR; without it, the whole spec')
    .description(
      'say what fields are for, and where values of a stored object came from; for a node, why it is not Ready',
    )
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'yaml', 'json']).default('text'))
    .addOption(apiVersionOption())
    .action(
      run(async (global, kind: string, name: string | undefined, path: string | undefined, options: ExplainOptions) => {
        if (/^(nodes?|no)$/i.test(kind)) {
          const { explainNode } = await import('../commands/explain-node.ts');
          return explainNode(global, name, options, env);
        }
        const { explain } = await import('../commands/explain.ts');
        return explain(global, { kind, name, path }, options, env);
      }),
    );
};
