import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import { TEMPLATE_FUNCTIONS } from './functions.ts';
import { parseTemplate } from './parse.ts';
import type { Value } from './values.ts';

const data: Value = {
  name: 'demo.example.com',
  zones: ['eu-west-1a', 'eu-west-1b'],
  sizes: { nodes: 3, masters: 1 },
  bastion: false,
  nested: { deep: { value: 'x' } },
};

function rendered(template: string, { failsOnMissing = true } = {}): string {
  const parsed = parseTemplate(template);
  return evaluate(parsed, { data, functions: TEMPLATE_FUNCTIONS, templates: new Map(), failsOnMissing });
}

test.each([
  ['name: {{ .name }}', 'name: demo.example.com'],
  ['{{ .nested.deep.value }}{{/* gone */}}', 'x'],
  ['a  {{- " b " -}}  c', 'a b c'],
  ['{{ if .bastion }}yes{{ else if eq .sizes.nodes 3 }}three{{ else }}no{{ end }}', 'three'],
  ['{{ range $i, $zone := .zones }}{{ $i }}={{ $zone }};{{ end }}', '0=eu-west-1a;1=eu-west-1b;'],
  ['{{ range .zones }}{{ if hasSuffix "1b" . }}{{ break }}{{ end }}{{ . }}{{ end }}', 'eu-west-1a'],
  ['{{ range $k, $v := .sizes }}{{ $k }}{{ $v }} {{ end }}', 'masters1 nodes3 '],
  ['{{ with .nested.deep }}{{ .value }}{{ $.name }}{{ end }}', 'xdemo.example.com'],
  [
    '{{ define "zone" }}<{{ . }}>{{ end }}{{ range .zones }}{{ template "zone" . }}{{ end }}',
    '<eu-west-1a><eu-west-1b>',
  ],
  ['{{ define "z" }}- {{ . }}\n{{ end }}{{ include "z" "a" | indent 2 }}', '  - a\n'],
  ['{{ $n := 1 }}{{ if true }}{{ $n = 2 }}{{ end }}{{ $n }}', '2'],
  ['{{ printf "%s-%02d %q" .name 7 "a" }}', 'demo.example.com-07 "a"'],
  ['{{ .name | replace "." "-" | upper | trunc 4 }}', 'DEMO'],
  ['{{ (index .zones 1) | quote }}', '"eu-west-1b"'],
  ['{{ and .bastion (fail "never") }}{{ or .bastion "b" }}', 'falseb'],
  [
    '{{ join "," .zones }} {{ len .zones }} {{ .zones }} {{ .sizes }}',
    'eu-west-1a,eu-west-1b 2 [eu-west-1a eu-west-1b] map[masters:1 nodes:3]',
  ],
  ['{{ default "m5.large" .bastion }} {{ add 1 2 }} {{ ternary 1 2 true }} {{ `raw }}` }}', 'm5.large 3 1 raw }}'],
  ['{{ dict "a" 1 | toJson }}{{ until 3 }}', '{"a":1}[0 1 2]'],
])('%s', (template, text) => {
  expect(rendered(template)).toBe(text);
});

test('a value that is missing ends it, unless it may be missing', () => {
  expect(() => rendered('\n{{ .nested.other }}')).toThrow('line 2: the values have no .nested.other');
  expect(rendered('{{ .other.more }}', { failsOnMissing: false })).toBe('<no value>');
});

test.each([
  ['{{ if .name }}', 'line 1: {{if}} is not closed by {{end}}'],
  ['a\n{{ .name', 'line 2: an action is not closed by }}'],
  ['{{ end }}', '{{end}} closes nothing'],
  ['{{ nope 1 }}', 'there is no function nope'],
  ['{{ template "x" }}', 'there is no template "x"'],
  ['{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}', 'includes itself without end'],
  ['{{ required "say zones" "" }}', 'say zones'],
  ['{{ $x }}', 'the variable $x is not declared'],
])('%s is refused', (template, why) => {
  expect(() => rendered(template)).toThrow(why);
});
