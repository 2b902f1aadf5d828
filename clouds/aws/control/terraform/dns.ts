import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { block } from '@kopsctl/model/terraform/value.ts';
import type * as dns from '../kinds/dns.ts';
import { attribute, data, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { isZoneId } from '../defaults.ts';

/** A zone always exists already: its id is given, or a data source looks it up by name. */
export const hostedZone: TerraformKind<dns.HostedZoneProps> = {
  resources: (name, props) => [
    data(
      'aws_route53_zone',
      name,
      isZoneId(props.zone) ? { zone_id: props.zone } : { name: props.zone, private_zone: props.private },
    ),
  ],
  output: (output, name, { zone }) =>
    output === 'id' && isZoneId(zone)
      ? `/hostedzone/${zone}`
      : attribute('data.aws_route53_zone', name, output === 'id' ? 'zone_id' : output),
};

export const hostedZoneAssociation: TerraformKind<dns.HostedZoneAssociationProps> = {
  resources: (name, props, { link }) => [
    resource('aws_route53_zone_association', name, { vpc_id: link(props.vpc), zone_id: link(props.zone) }),
  ],
  output: noOutput,
};

export const dnsRecord: TerraformKind<dns.DnsRecordProps> = {
  resources: (name, props, { link }) => [
    resource('aws_route53_record', name, {
      alias: block({
        evaluate_target_health: false,
        name: link(props.alias.name),
        zone_id: link(props.alias.zoneId),
      }),
      name: props.name,
      type: props.type,
      zone_id: link(props.zone),
    }),
  ],
  output: noOutput,
};

/** Machines create these records themselves; Terraform would revert what they write. */
export const reservedNames: TerraformKind<dns.ReservedNamesProps> = { resources: () => [], output: noOutput };
