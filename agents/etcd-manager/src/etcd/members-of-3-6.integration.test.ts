import { test } from 'vitest';
import { findCompiledEtcd } from '@kopsctl/test-peers/etcd.ts';
import { describeEtcds } from '../../testing/describe-etcds.ts';
import { openEtcds } from '../../testing/real-etcds.ts';

const etcd = await findCompiledEtcd('etcd-3.6');
if (etcd !== undefined) describeEtcds(`etcd ${etcd.version}`, () => openEtcds(etcd));
else test.skip('members of etcd 3.6: it is not there', () => undefined);
