/** What replaces a secret in a text. */
export const REDACTED = '[redacted]';

/** Shorter texts are words, which would be removed from every text. */
const SHORTEST_SECRET = 8;

/** Text that is secret by its form, no matter who wrote it and where it appears. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // A key in a JSON text has its line breaks escaped, which the form above matches too; base64 of PEM begins with this.
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/=]*/g, REDACTED],
  [/AGE-SECRET-KEY-1[0-9A-Z]+/g, REDACTED],
  // JSON Web Tokens: service accounts, OIDC.
  [/eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  // Temporary and lasting access keys of AWS.
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, REDACTED],
  [/(authorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+)[^\s"',]+/gi, `$1${REDACTED}`],
  [/([a-z][a-z0-9+.-]*:\/\/[^\s/:@"']+:)[^\s/@"']+(@)/gi, `$1${REDACTED}$2`],
  [
    /((?:password|passwd|secret[-_]?(?:access[-_]?)?key|client[-_]key[-_]data|private[-_]?material|api[-_]?key|access[-_]?token|session[-_]?token|auth)["']?\s*[:=]\s*["']?)[^\s"',}]{4,}/gi,
    `$1${REDACTED}`,
  ],
];

/**
 * A function that removes from a text everything that is secret by its form, and each of the given secrets: as it is,
 * line by line, and in base64. Pure.
 */
export function redactor(secrets: readonly Uint8Array[]): (text: string) => string {
  const known = [...new Set(secrets.flatMap(spellings))]
    .filter((text) => text.length >= SHORTEST_SECRET)
    // The longest first: if a part of it were removed before, the rest would remain.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, REDACTED);
    for (const [form, instead] of FORMS) clean = clean.replace(form, instead);
    return clean;
  };
}

function spellings(secret: Uint8Array): readonly string[] {
  const bytes = Buffer.from(secret);
  const text = bytes.toString('utf8');
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const base64 = [bytes.toString('base64'), bytes.toString('base64url'), Buffer.from(text.trim()).toString('base64')];
  return [
    text,
    text.trim(),
    JSON.stringify(text).slice(1, -1),
    // The first and last lines of PEM are not secret, and certificates have them too.
    ...lines.filter((line) => !line.startsWith('-----')),
    ...base64,
    ...base64.map((one) => one.replace(/=+$/, '')),
    bytes.toString('hex'),
  ];
}
