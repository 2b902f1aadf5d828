import { basename } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { evaluate, type TemplateFunction } from '@kopsctl/model/go-template/evaluate.ts';
import { TEMPLATE_FUNCTIONS } from '@kopsctl/model/go-template/functions.ts';
import { type Node, parseTemplate } from '@kopsctl/model/go-template/parse.ts';
import { shown, type Value } from '@kopsctl/model/go-template/values.ts';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ActionContext } from './phases/action.ts';
import { channelFunctions } from './templates/channel-functions.ts';
import { merged, withSettings } from './templates/template-values.ts';
import { readTemplateFiles, type TemplateFile } from './templates/template-files.ts';
import { readVersionChannel } from './upgrade/read-version-channel.ts';

export interface TemplateRequest {
  /** Files or folders. */
  readonly templates: readonly string[];
  /** The same, for what templates include by name. */
  readonly snippets: readonly string[];
  /** Files of values in YAML; later ones override earlier ones. */
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly setText: readonly string[];
  readonly clusterName?: string | undefined;
  /** The channel that template functions ask: a name, a URL or a file. */
  readonly channel: string;
  /** A value that is missing ends the rendering. */
  readonly failsOnMissing: boolean;
  /** The value of this name is the output. */
  readonly configValue?: string | undefined;
  /** The output is parsed, and printed as YAML is. */
  readonly formatsYaml: boolean;
}

/** Renders Go templates of specs with the values of files and flags: documents of YAML, one below the other. */
export async function renderTemplates(
  { signal }: Pick<ActionContext, 'signal'>,
  request: TemplateRequest,
): Promise<string> {
  const { templates: paths, snippets, failsOnMissing, formatsYaml, configValue, channel } = request;
  if (configValue !== undefined) {
    const values = await valuesOf(request);
    const value = isRecord(values) ? values[configValue] : undefined;
    return `${value === undefined ? 'null' : shown(value)}\n`;
  }
  if (paths.length === 0) {
    throw new ActionableError({
      what: 'render templates',
      why: 'no template is named',
      next: 'name a file or a folder with --template',
      isUsage: true,
    });
  }
  const [files, parts, data, ofChannel] = await Promise.all([
    readTemplateFiles(paths, '--template'),
    readTemplateFiles(snippets, '--snippets'),
    valuesOf(request),
    readVersionChannel(channel, signal).then(channelFunctions),
  ]);
  const templates = new Map<string, readonly Node[]>();
  for (const { path, text } of parts) {
    const { nodes, definitions } = within(path, () => parseTemplate(text));
    templates.set(basename(path), nodes);
    for (const [name, body] of definitions) templates.set(name, body);
  }
  const functions = { ...TEMPLATE_FUNCTIONS, ...OF_SPECS, ...ofChannel };
  const rendered = files.map(({ path, text }) =>
    within(path, () => evaluate(parseTemplate(text), { data, functions, templates, failsOnMissing })),
  );
  const joined = rendered.map((text) => text.replace(/\n*$/, '\n')).join('---\n');
  return formatsYaml ? formatted(joined) : joined;
}

async function valuesOf({ values, set, setText, clusterName }: TemplateRequest): Promise<Value> {
  const files = await readTemplateFiles(values, '--values');
  const read = files.reduce((all, file) => merged(all, mapOf(file)), {});
  const named = clusterName === undefined ? read : { clusterName, ...read };
  return withSettings(withSettings(named, set, { isText: false }), setText, { isText: true });
}

function mapOf({ path, text }: TemplateFile): { readonly [key: string]: Value } {
  const value = within(path, () => parse(text) as Value);
  if (value === null || value === undefined) return {};
  if (isRecord(value)) return value;
  throw faultIn(path, 'it is not a mapping of values');
}

/** Functions that need YAML. */
const OF_SPECS: Readonly<Record<string, TemplateFunction>> = {
  toYaml: (value) => stringify(value ?? null).trimEnd(),
  fromYaml: (text) => parse(shown(text)) as Value,
};

function formatted(text: string): string {
  const documents = parseAllDocuments(text);
  const [fault] = documents.flatMap(({ errors }) => errors);
  if (fault !== undefined) throw faultIn('the output', fault.message, fault);
  return documents.map((document) => stringify(document.toJS())).join('---\n');
}

function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw faultIn(path, messageOf(error), error);
  }
}

const faultIn = (path: string, why: string, cause?: unknown): ActionableError =>
  new ActionableError({ what: `render ${path}`, why, next: 'fix that file, or give the value with --set', cause });
