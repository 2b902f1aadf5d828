import { expect, test } from 'vitest';
import { isNodeName } from './node-name.ts';

test.each(['nodes-1', 'ip-10-0-0-1.eu-west-1.compute.internal', 'a', 'i-0123456789abcdef0', 'a'.repeat(253)])(
  '%j is a name of a Node',
  (name) => expect(isNodeName(name)).toBe(true),
);

test.each(['', '.', '..', 'a..b', '../a', 'a/b', 'a/', '/a', 'A', '-a', 'a-', 'a\0', 'a\nb', 'a%2fb', 'a'.repeat(254)])(
  '%j is none',
  (name) => expect(isNodeName(name)).toBe(false),
);
