import { expect, test } from 'vitest';
import { markPure } from './pure-schemas.ts';

test('each constant that is an array may be left out, and nothing else is changed', () => {
  const text = `const _A = "Address";
const _s_registry = new TypeRegistry(_s);
export var Failure$ = [-3, _s, "Failure", 0, [], []];
_s_registry.registerError(Failure$, Failure);
var Numbers = 64 | 0;
export var Request$ = [3, n0, _R,
    0,
    [_F, _V],
    [[() => List, { [_xN]: _F }], 0, [2, { [_eQN]: \`DryRun\`,
                [_xN]: _d }]]
];
var List = [1, n0, _L,
    0, [() => Request$,
        { [_xN]: _i }]
];
`;
  expect(markPure(text)).toBe(`const _A = "Address";
const _s_registry = new TypeRegistry(_s);
export var Failure$ = /* @__PURE__ */ (() => [-3, _s, "Failure", 0, [], []])();
_s_registry.registerError(Failure$, Failure);
var Numbers = 64 | 0;
export var Request$ = /* @__PURE__ */ (() => [3, n0, _R,
    0,
    [_F, _V],
    [[() => List, { [_xN]: _F }], 0, [2, { [_eQN]: \`DryRun\`,
                [_xN]: _d }]]
])();
var List = /* @__PURE__ */ (() => [1, n0, _L,
    0, [() => Request$,
        { [_xN]: _i }]
])();
`);
});
