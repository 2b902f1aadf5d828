import { group, outputOption, type Declare } from './declaring.ts';

/** `get` and `explain`. */
export const declareGet: Declare = ({ program, run }) => {
  const get = group(program, 'get', 'show objects');
  for (const kind of ['clusters', 'instancegroups', 'all', 'machines'] as const) {
    get
      .command(kind)
      .alias({ clusters: 'cluster', instancegroups: 'ig', all: 'everything', machines: 'instances' }[kind])
      .option('--full', 'the completed spec, with every inferred value')
      .addOption(outputOption())
      .action(
        run(async (global, options) => {
          const { getObjects } = await import('../commands/get.ts');
          return getObjects(global, kind, options as Parameters<typeof getObjects>[2]);
        }),
      );
  }
};

/** `explain`. */
export const declareExplain: Declare = ({ program, run }) => {
  program
    .command('explain')
    .argument('<kind>', 'cluster')
    .argument('<cluster>')
    .argument('<path>', 'e.g. spec.podCIDR')
    .description('say where a value of the completed spec came from')
    .action(
      run(async (global, kind: string, cluster: string, path: string) => {
        const { explain } = await import('../commands/explain.ts');
        return explain(global, kind, cluster, path);
      }),
    );
};
