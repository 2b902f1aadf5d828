import { expect, test } from 'vitest';
import { explainRefusal } from './explain-refusal.ts';
import { isPassing, refusalOf } from './google-refusal.ts';

const body = (status: number, message: string, reason: string, detail?: string) =>
  JSON.stringify({
    error: {
      code: status,
      message,
      errors: [{ message, domain: 'global', reason }],
      ...(detail === undefined
        ? {}
        : {
            details: [
              { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail, domain: 'googleapis.com' },
            ],
          }),
    },
  });

const needs = {
  right: 'compute.instances.list',
  scope: 'compute.readonly',
  service: 'compute.googleapis.com',
  otherwise: '-',
};
const next = (text: string, status = 403) => explainRefusal('look', needs, refusalOf('GET /x', status, text)).next;

test('what is missing is named: scope, right, or the API', () => {
  const scope = body(403, 'Request had insufficient authentication scopes.', 'insufficientPermissions');
  expect(next(scope)).toContain('access scope compute.readonly');
  expect(next(body(403, '', 'forbidden', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'))).toContain('access scope');
  expect(next(body(403, "Required 'compute.instances.list' permission", 'forbidden'))).toContain(
    'compute.instances.list',
  );
  expect(next(body(403, 'has not been used', 'accessNotConfigured'))).toBe(
    'gcloud services enable compute.googleapis.com',
  );
  expect(next(body(404, '', 'notFound'), 404)).toBe('-');
});

test('a quota of calls passes, a missing right does not', () => {
  const passes = (status: number, text: string) => isPassing(refusalOf('GET /x', status, text));
  expect(passes(403, body(403, 'Quota exceeded', 'rateLimitExceeded'))).toBe(true);
  expect(passes(403, body(403, 'no', 'forbidden'))).toBe(false);
  expect(passes(503, '<html>a proxy</html>')).toBe(true);
  expect(passes(400, body(400, 'no', 'resourceInUseByAnotherResource'))).toBe(false);
});

test('a page of some proxy is shown as it is', () => {
  const refusal = refusalOf('GET /x', 407, '<html>who are you</html>');
  expect([refusal.said, refusal.reasons]).toEqual(['<html>who are you</html>', []]);
});

test.each(['null', '{"error":"no"}', '{"error":{"message":5}}', '{"error":{"errors":{"reason":"no"}}}'])(
  'an answer that is not the error of Google is shown as it is: %s',
  (text) => {
    const refusal = refusalOf('GET /x', 500, text);
    expect([refusal.said, refusal.reasons]).toEqual([text, []]);
  },
);
