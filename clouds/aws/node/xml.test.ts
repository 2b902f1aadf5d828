import { expect, test } from 'vitest';
import { itemsAt, parseXml, textAt } from './xml.ts';

test('a response of EC2 is parsed, with empty lists, entities and whitespace', () => {
  const answer = parseXml(`<?xml version="1.0" encoding="UTF-8"?>
    <DescribeVolumesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
      <volumeSet>
        <item><volumeId>vol-1</volumeId><attachmentSet/><tagSet><item><key>a&amp;b</key><value>&lt;&#233;&#x41;></value></item></tagSet></item>
        <item><volumeId>vol-2</volumeId></item>
      </volumeSet>
      <nextToken></nextToken>
    </DescribeVolumesResponse>`);
  const [first, second] = itemsAt(answer, 'volumeSet');
  if (first === undefined || second === undefined) throw new Error('two volumes are expected');
  expect(textAt(first, 'volumeId')).toBe('vol-1');
  expect(itemsAt(first, 'attachmentSet')).toEqual([]);
  expect(itemsAt(first, 'tagSet').map((tag) => [textAt(tag, 'key'), textAt(tag, 'value')])).toEqual([['a&b', '<éA>']]);
  expect(itemsAt(second, 'tagSet')).toEqual([]);
  expect(textAt(answer, 'nextToken')).toBe('');
});

test.each([
  '',
  '<a><b></a>',
  '<a>',
  '</a>',
  'text',
  // What another reader of XML might take for something else.
  '<a/><b/>',
  '<a/>text',
  '{"a":"<a/>"}',
  '<a><!--<b/>--></a>',
  '<a><![CDATA[<b/>]]></a>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<a><b<c/></b></a>',
  '<a><?b?></a>',
])('%j is refused', (text) => {
  expect(() => parseXml(text)).toThrow(Error);
});
