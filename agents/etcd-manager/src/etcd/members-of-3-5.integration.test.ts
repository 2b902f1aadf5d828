import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { describeEtcds } from '../../testing/describe-etcds.ts';
import { openEtcds } from '../../testing/real-etcds.ts';

const etcd = await findTestEtcd('3.5');
describeEtcds(`etcd ${etcd?.version ?? '3.5'}`, etcd && (() => openEtcds(etcd)));
