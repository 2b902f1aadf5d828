import { findCompiledEtcd } from '@kopsctl/test-peers/etcd.ts';
import { describeEtcds } from '../../testing/describe-etcds.ts';
import { openEtcds } from '../../testing/real-etcds.ts';

const etcd = await findCompiledEtcd('etcd-3.6');
describeEtcds(`etcd ${etcd?.version ?? '3.6'}`, etcd && (() => openEtcds(etcd)));
