import type { FailureWords } from '@kopsctl/model/failure-words.ts';

/** Codes of EC2 and S3, and what Auto Scaling groups say, most of it without a code (EC2 Auto Scaling user guide, "Troubleshoot"). */
export const AWS_FAILURE_WORDS: FailureWords = {
  'wrong-clock': /RequestTimeTooSkewed/,
  'machine-image': /InvalidAMIID|image id .* (?:does not exist|is malformed)/i,
  'machine-type': /instance type \([^)]*\) is not supported|requested configuration is currently not supported/i,
  architecture: /architecture '\w+' of the specified instance type does not match/i,
  addresses: /not enough free addresses/i,
  'spot-price': /SpotMaxPriceTooLow|lower than the minimum required Spot request fulfillment price/i,
  'lost-resource':
    /(?:subnet ID|security group|key pair|launch template) '[^']*' does not exist|Invalid IAM Instance Profile/i,
  // The second is all that EC2 says if Auto Scaling may not use the key.
  'volume-key': /InvalidKMSKey|Client\.InternalError: Client error on launch/,
  quota:
    /LimitExceeded|Insufficient\w*Capacity|vCPU (?:capacity|limit)|VcpuLimit|UnfulfillableCapacity|Max spot instance count/i,
};
