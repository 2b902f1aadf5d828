import { expect, test } from 'vitest';
import { withEtcdReserved } from './etcd-reservation.ts';

test('kubelet keeps from pods what its etcd members ask for, beside what the spec reserves', () => {
  const clusters = [
    { cpuRequest: '200m', memoryRequest: '100Mi' },
    { cpuRequest: '0.1', memoryRequest: '100Mi' },
  ];
  expect(withEtcdReserved({}, clusters)).toEqual({ cpu: '300m', memory: '200Mi' });
  expect(withEtcdReserved({ cpu: '1', memory: '1Gi', 'ephemeral-storage': '2Gi' }, clusters)).toEqual({
    cpu: '1300m',
    memory: '1224Mi',
    'ephemeral-storage': '2Gi',
  });
});

test('nothing is added where no member asks for anything', () => {
  expect(withEtcdReserved({ cpu: '1' }, [{ name: 'main' }])).toEqual({ cpu: '1' });
  expect(withEtcdReserved({}, [{ cpuRequest: '0.0001' }])).toEqual({ cpu: '1m' });
  expect(withEtcdReserved({}, [{ memoryRequest: '1000001' }])).toEqual({ memory: '1000001' });
});

test('an amount that is not a quantity stays as it is written', () => {
  expect(withEtcdReserved({ cpu: 'half' }, [{ cpuRequest: '200m' }])).toEqual({ cpu: 'half' });
});
