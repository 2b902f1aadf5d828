import { runSupervisor } from './supervisor.ts';

await runSupervisor(process.argv.slice(2));
