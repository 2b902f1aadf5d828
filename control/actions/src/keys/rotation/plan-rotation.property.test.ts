import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { distrusted, promoted, withPair } from '@kopsctl/pki/keyset-changes.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { beginRotation, planRotation, type Rotation } from './plan-rotation.ts';

const NAMES = ['kubernetes-ca', 'etcd-peers-ca-main', 'service-account'] as const;
const HOUR_MS = 60 * 60_000;

/** What one machine holds: which pairs it trusts, and which one signed what it shows to others. */
interface Machine {
  /** The state of the keysets that its plan was made for. */
  planned: string;
  readonly trusts: Record<string, readonly string[]>;
  readonly shows: Record<string, string>;
  /** By its API server: with which key it signs tokens, which live for an hour. */
  tokens: { readonly key: string; readonly atMs: number }[];
}

/** A cluster on which everything happens that may happen while a rotation goes on. */
class Cluster {
  nowMs = 1_000;
  nextId = 100;
  keysets: Keyset[] = NAMES.map((name) => ({
    name,
    primaryId: '1',
    items: [{ id: '1', certificatePem: 'c1', privateKeyPem: 'k1' }],
  }));
  readonly machines: Machine[];
  rotation: Rotation;

  constructor(count: number) {
    this.machines = Array.from({ length: count }, () => ({ planned: '', trusts: {}, shows: {}, tokens: [] }));
    this.machines.forEach((_, index) => this.roll(index));
    this.rotation = beginRotation(this.keysets, this.nowMs);
  }

  get state(): string {
    return JSON.stringify(this.keysets);
  }

  /** A machine reads keysets whenever it boots, and issues its certificates with what signs then. */
  reboot(index: number): void {
    const machine = this.machines[index % this.machines.length];
    for (const { name, primaryId, items } of this.keysets) {
      if (machine === undefined) return;
      machine.trusts[name] = items.flatMap(({ id, distrustedMs }) => (distrustedMs === undefined ? [id] : []));
      machine.shows[name] = primaryId;
    }
  }

  /** A new machine, or one that converges on its new plan. */
  roll(index: number): void {
    this.reboot(index);
    const machine = this.machines[index % this.machines.length];
    if (machine !== undefined) machine.planned = this.state;
  }

  issueToken(index: number): void {
    const machine = this.machines[index % this.machines.length];
    const key = machine?.shows['service-account'];
    if (key !== undefined) machine?.tokens.push({ key, atMs: this.nowMs });
  }

  change(name: string, change: (keyset: Keyset) => Keyset): void {
    this.keysets = this.keysets.map((keyset) => (keyset.name === name ? change(keyset) : keyset));
  }

  /** One step of the rotation, cut off after `upTo` keysets. */
  step(upTo: number): void {
    const behind = this.machines.flatMap(({ planned }, index) => (planned === this.state ? [] : [String(index)]));
    const step = planRotation(this.rotation, { keysets: this.keysets, machinesBehind: behind }, this.nowMs);
    switch (step.action) {
      case 'create':
        for (const name of step.keysets.slice(0, upTo)) {
          const id = String(this.nextId++);
          this.change(name, (keyset) =>
            withPair(keyset, { id, certificatePem: `c${id}`, privateKeyPem: `k${id}` }, false),
          );
        }
        return;
      case 'promote':
        for (const [name, id] of Object.entries(step.pairs).slice(0, upTo)) {
          this.change(name, (keyset) => promoted(keyset, id));
        }
        return;
      case 'distrust':
        for (const name of step.keysets.slice(0, upTo)) {
          this.change(name, (keyset) => distrusted(keyset, [], this.nowMs));
        }
        return;
      case 'roll':
        for (const machine of step.machines.slice(0, upTo)) this.roll(Number(machine));
        return;
      case 'wait':
        this.nowMs += 20 * 60_000;
        return;
      case 'advance':
        this.rotation = step.rotation;
        return;
      case 'nothing':
    }
  }

  /** What one machine uses and another one does not trust. */
  broken(): readonly string[] {
    return this.machines.flatMap((one, shower) =>
      this.machines.flatMap((other, verifier) => [
        ...NAMES.filter((name) => !other.trusts[name]?.includes(one.shows[name] ?? '')).map(
          (name) => `${verifier} does not trust the ${name} of ${shower} in ${this.rotation.phase}`,
        ),
        ...one.tokens
          .filter(({ key, atMs }) => this.nowMs - atMs < HOUR_MS && !other.trusts['service-account']?.includes(key))
          .map(() => `${verifier} does not trust a token of ${shower} in ${this.rotation.phase}`),
      ]),
    );
  }
}

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('step'), number: fc.integer({ min: 1, max: 3 }) }) },
  fc.record({ type: fc.constantFrom('roll', 'reboot', 'token'), number: fc.nat(4) }),
);

test('at every moment of a rotation each machine trusts all that the others use, whichever have been rolled', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(event, { maxLength: 120 }), (count, events) => {
      const cluster = new Cluster(count);
      for (const { type, number } of events) {
        cluster.nowMs += 1_000;
        if (type === 'step') cluster.step(number);
        else if (type === 'roll') cluster.roll(number);
        else if (type === 'reboot') cluster.reboot(number);
        else cluster.issueToken(number);
        expect(cluster.broken()).toEqual([]);
      }
    }),
  );
});

test('a rotation that is cut off anywhere goes on to its end, and nothing old is trusted then', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 60 }),
      (count, cuts) => {
        const cluster = new Cluster(count);
        for (const upTo of [...cuts, ...Array.from({ length: 100 }, () => 5)]) cluster.step(upTo);
        expect(cluster.rotation.phase).toBe('done');
        for (const { trusts, shows } of cluster.machines) {
          for (const name of NAMES) expect(trusts[name]).toEqual([shows[name]]);
          expect(Object.values(shows)).not.toContain('1');
        }
      },
    ),
  );
});

test('the model can fail: a pair that signs before all machines trust it is noticed', () => {
  const cluster = new Cluster(2);
  cluster.step(5);
  cluster.change('kubernetes-ca', (keyset) => promoted(keyset, undefined));
  cluster.reboot(0);
  expect(cluster.broken()).toEqual(['1 does not trust the kubernetes-ca of 0 in create']);
});
