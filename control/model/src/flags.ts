import { flagNameOf } from '@kopsctl/spec/flag-name.ts';
import { parseQuantity } from '@kopsctl/spec/quantity.ts';

/** A setting of a component, as in the spec. */
export type Setting =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | Readonly<Record<string, unknown>>
  | undefined;

export type Settings = Readonly<Record<string, Setting>>;

export interface FlagRules {
  /** Fields whose flag is not simply their name in kebab-case. An empty string means that the field is not a flag. */
  readonly names: Readonly<Record<string, string>>;
  /** Flags that are repeated for each value, instead of taking a comma-separated list. */
  readonly repeated?: readonly string[];
}

/** A component's settings by name. The type of a value determines how it is rendered. */
export function settingsOf(config: object): Settings {
  return Object.fromEntries(Object.entries(config));
}

/** Resources, images and environment variables of a component are set on its pod, never by a flag. */
const POD_FIELDS = [
  'image',
  // For a second program of Azure; no component here is started with it.
  'azureNodeManagerImage',
  'cpuRequest',
  'cpuLimit',
  'memoryRequest',
  'memoryLimit',
  'env',
  'enabled',
];

/** Quantities of the API whose flags take a number with a point (kops pkg/flagbuilder/build_flags.go). */
const RATES = ['auditWebhookBatchThrottleQps', 'horizontalPodAutoscalerTolerance', 'kubeAPIQPS', 'qps'];

/** A quantity as a number with a point: 3140m is 3.14. What is none is left as it is, for the component to refuse. */
export function decimalOf(quantity: string | number | boolean): string {
  const value = parseQuantity(String(quantity));
  // Fifteen digits are what a product of such numbers is exact to.
  return value === undefined ? String(quantity) : String(Number(value.toPrecision(15)));
}

/**
 * Renders a component's settings as flags, sorted by name, in the form that kops uses: lists separated by commas, maps as
 * `key=value`. The values of a repeated flag stay in their order, which may have a meaning.
 */
export function renderFlags(settings: Settings, rules: FlagRules): readonly string[] {
  return Object.entries(settings)
    .flatMap(([field, value]) => flagsOf(field, value, rules))
    .sort((one, other) => compareText(nameIn(one), nameIn(other)));
}

/** With its `=`, so that flags are in the order that kops has from sorting whole flags. */
const nameIn = (flag: string): string => flag.slice(0, flag.indexOf('=') + 1);

const compareText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

function flagsOf(field: string, value: Setting, rules: FlagRules): readonly string[] {
  if (value === undefined || POD_FIELDS.includes(field)) return [];
  const flag = rules.names[field] ?? flagNameOf(field);
  if (flag === '') return [];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const values: readonly string[] = value.map(String);
    return rules.repeated?.includes(flag) ? values.map((one) => `--${flag}=${one}`) : [`--${flag}=${values.join(',')}`];
  }
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(([key, one]) => `${key}=${String(one)}`);
    return pairs.length === 0 ? [] : [`--${flag}=${pairs.sort().join(',')}`];
  }
  if (value === '') return [];
  return [`--${flag}=${RATES.includes(field) ? decimalOf(value) : String(value)}`];
}
