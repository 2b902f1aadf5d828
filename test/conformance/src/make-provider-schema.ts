/**
 * Cuts the resources that clusters consist of out of the npm package @cdktf/provider-google or @cdktf/provider-aws (300 MB each),
 * which are made of the schemas of Terraform's providers, and prints them:
 *
 *   node make-provider-schema.ts google FOLDER_OF_PACKAGE > clouds/gce/control/terraform/testdata/google-provider.json
 *   node make-provider-schema.ts aws FOLDER_OF_PACKAGE > clouds/aws/control/terraform/testdata/aws-provider.json
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArgumentSchema, BlockSchema, ProviderSchema } from '@kopsctl/model/terraform/testdata/provider-schema.ts';

const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  google: [
    'compute_address',
    'compute_disk',
    'compute_firewall',
    'compute_forwarding_rule',
    'compute_http_health_check',
    'compute_instance_group_manager',
    'compute_instance_template',
    'compute_network',
    'compute_region_backend_service',
    'compute_region_health_check',
    'compute_router',
    'compute_router_nat',
    'compute_subnetwork',
    'compute_target_pool',
    'kms_crypto_key_iam_member',
    'project_iam_member',
    'service_account',
    'storage_bucket_iam_member',
    'storage_bucket_object',
    'data_google_compute_subnetwork',
  ],
  aws: [
    'autoscaling_group',
    'autoscaling_lifecycle_hook',
    'cloudwatch_event_rule',
    'cloudwatch_event_target',
    'ebs_volume',
    'egress_only_internet_gateway',
    'eip',
    'iam_instance_profile',
    'iam_openid_connect_provider',
    'iam_role',
    'iam_role_policy',
    'iam_role_policy_attachment',
    'internet_gateway',
    'key_pair',
    'launch_template',
    'lb',
    'lb_listener',
    'lb_target_group',
    'nat_gateway',
    'route',
    'route53_record',
    'route53_zone_association',
    'route_table',
    'route_table_association',
    's3_object',
    'security_group',
    'security_group_rule',
    'sqs_queue',
    'subnet',
    'vpc',
    'vpc_dhcp_options',
    'vpc_dhcp_options_association',
    'vpc_ipv4_cidr_block_association',
    'data_aws_ami',
    'data_aws_eip',
    'data_aws_instance',
    'data_aws_internet_gateway',
    'data_aws_network_interface',
    'data_aws_network_interfaces',
    'data_aws_route53_zone',
    'data_aws_ssm_parameter',
    'data_aws_vpc',
  ],
};

const [cloud = '', folder = ''] = process.argv.slice(2);
const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const resources: Record<string, BlockSchema> = {};
let provider = '';
for (const name of RESOURCES[cloud] ?? []) {
  const [code, types] = await Promise.all([textOf(name, '.js'), textOf(name, '.d.ts')]);
  provider = /providerVersion: '([\d.]+)'/.exec(code)?.[1] ?? provider;
  const [, whole = ''] = /synthesizeHclAttributes\(\) \{\s*const attrs = \{([\s\S]*?)\n {8}\};/.exec(code) ?? [];
  const config = `${pascal(name)}Config`;
  resources[name.startsWith('data_') ? name.replace('_', '.') : `${cloud}_${name}`] = blockOf(
    whole,
    config,
    code,
    types,
  );
}
const schema: ProviderSchema = {
  source: `@cdktf/provider-${cloud} ${version}, hashicorp/${cloud} ${provider}`,
  resources,
};
console.log(JSON.stringify(schema, null, 1));

/** The modules of one resource: large ones are split. */
async function textOf(name: string, ending: string): Promise<string> {
  const path = join(folder, 'lib', name.replaceAll('_', '-'));
  const files = (await readdir(path)).filter((file) => file.endsWith(ending)).toSorted();
  return (await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))).join('\n');
}

/** The arguments in the text of `attrs`; which are required is in the declaration of the interface. */
function blockOf(text: string, declared: string, code: string, types: string): BlockSchema {
  const entries = text.matchAll(
    /^ +(\w+): \{\s*value: .*\s*isBlock: (true|false),\s*type: "(\w+)",\s*storageClassType: "(\w+)"/gm,
  );
  const [, declaration = ''] =
    new RegExp(String.raw`export interface ${declared} (?:extends [^{]+)?\{([\s\S]*?)\n\}`).exec(types) ?? [];
  if (text === '' || declaration === '') throw new Error(`${declared} is not where it is expected`);
  return Object.fromEntries(
    [...entries].map(([, name = '', isBlock, , type = '']): [string, ArgumentSchema] => {
      const isRequired = new RegExp(String.raw`readonly ${camel(name)}: `).test(declaration);
      const required = isRequired ? ({ isRequired } as const) : {};
      if (isBlock === 'false') return [name, { type, ...required }];
      const nested = type.replace(/List$/, '');
      const render = `${nested.charAt(0).toLowerCase()}${nested.slice(1)}ToHclTerraform`;
      const [, body = ''] =
        new RegExp(String.raw`function ${render}\(struct\) \{[\s\S]*?const attrs = \{([\s\S]*?)\n {4}\};`).exec(code) ??
        [];
      return [name, { block: body.trim() === '' ? {} : blockOf(body, nested, code, types), ...required }];
    }),
  );
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function pascal(name: string): string {
  return camel(`_${name}`);
}
