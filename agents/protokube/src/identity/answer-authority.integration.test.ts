import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import type { AuthoritySession } from '@kopsctl/node-identity/authority-session.ts';
import { openMachineKey } from '@kopsctl/node-identity/machine-key.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MachineReporter } from '../report/machine-reporter.ts';
import { StateBoard } from '../state/state-board.ts';
import { answerAuthority, LastCall } from './answer-authority.ts';

const signal = AbortSignal.timeout(60_000);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-authority-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An authority that signs whatever it is asked for. */
function authority() {
  const wishes: number[] = [];
  const session: Pick<AuthoritySession, 'attest' | 'certificates' | 'report' | 'goodbye'> = {
    attest: async () => ({
      nodeName: 'nodes-1',
      dnsNames: [],
      ipAddresses: ['10.0.0.1'],
      clusterCa: 'ca',
      secrets: {},
      authorities: {},
    }),
    certificates: async () => ({ client: 'client', serving: 'serving' }),
    report: async () => undefined,
    goodbye: async ({ againSeconds }) => void wishes.push(againSeconds),
  };
  return { session, wishes };
}

test('A machine asks for the next call in a minute while a unit or a part of protokube fails, otherwise in five', async () => {
  const { session, wishes } = authority();
  const board = new StateBoard('gossip');
  const reporter = new MachineReporter({
    node: 'nodes-1',
    state: () => board.state,
    errors: async () => [],
    nowMs: () => 0,
    monotonicMs: () => 0,
  });
  const config = {
    port: 0,
    authorityCa: '',
    machineKey: join(folder, 'machine.key'),
    kubelet: {
      ca: join(folder, 'ca.crt'),
      client: join(folder, 'client'),
      serving: join(folder, 'serving'),
      restartsForServing: false,
    },
    secrets: [],
    authorities: [],
    bootReport: join(folder, 'boot.json'),
  };
  await writeFile(config.bootReport, JSON.stringify({ result: 'done' }));
  const env = {
    key: () => openMachineKey(config.machineKey),
    evidence: async () => ({}),
    restartKubelet: async () => undefined,
    reporter,
    log: makeLog(() => undefined, false, 'protokube'),
  };
  const answer = () => answerAuthority(session, config, env, new LastCall(), signal);
  await answer();
  board.failure('plan', 'connect ECONNREFUSED 127.0.0.1:443');
  await answer();
  board.failure('plan', undefined);
  board.units({ 'kubelet.service': 'it was stopped' });
  await answer();
  expect(wishes).toEqual([300, 60, 60]);
});
