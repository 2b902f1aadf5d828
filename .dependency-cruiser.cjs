/** Who may import whom (docs/architecture.md). */
const effects = '^(node:)?(fs|fs/promises|net|http|https|http2|dgram|dns|tls|child_process|process|os|worker_threads|timers|timers/promises)$';
module.exports = {
  forbidden: [
    { name: 'shared-imports-shared', severity: 'error', from: { path: '^shared/' }, to: { path: '^(control|agents|packaging|test)/' } },
    { name: 'control-not-agents', severity: 'error', from: { path: '^control/' }, to: { path: '^(agents|packaging/(assets|binary)|test)/' } },
    { name: 'agents-not-control', severity: 'error', from: { path: '^agents/' }, to: { path: '^(control|packaging|test)/' } },
    { name: 'agents-apart', severity: 'error', from: { path: '^agents/([^/]+)/' }, to: { path: '^agents/', pathNot: '^agents/$1/' } },
    {
      name: 'model-and-spec-do-no-io',
      severity: 'error',
      from: { path: '^(control/model|shared/spec|shared/tasks|shared/node-plan)/', pathNot: '\\.test\\.ts$' },
      to: { path: effects },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(vitest)' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'] },
  },
};
