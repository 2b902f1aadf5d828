import { prepare } from './packaging/quickstart/src/prepare.ts';
await prepare({ kubernetes: ['1.34.4', '1.35.4', '1.36.3'], etcd: ['3.5'] }, (line) => process.stderr.write(`${line}\n`));
