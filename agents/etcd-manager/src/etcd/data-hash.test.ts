import { expect, test } from 'vitest';
import { parseDataHash } from './data-hash.ts';

test('the hash of a member is read from what etcdctl prints', () => {
  const printed =
    '[{"Endpoint":"https://a:4001","HashKV":{"header":{"cluster_id":14841639068965178418,"member_id":10276657743932975437,"revision":7,"raft_term":2},"hash":4084519789,"compact_revision":-1}}]\n';
  expect(parseDataHash(printed)).toEqual({ hash: 4084519789, compactRevision: -1 });
});

test('a field that is zero is left out, and an answer without a hash is refused', () => {
  expect(parseDataHash('[{"Endpoint":"a","HashKV":{"header":{}}}]')).toEqual({ hash: 0, compactRevision: 0 });
  expect(() => parseDataHash('null\n')).toThrow('`endpoint hashkv` printed no hash: null');
});
