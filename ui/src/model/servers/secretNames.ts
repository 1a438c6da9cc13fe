// The words by which the engine chooses what it keeps in the vault and masks in the log (traffic/src/redact/names.rs).
// Both sides are tested with the same names: tests/fixtures/secret-names.json.
const SECRET_WORDS = new Set(
  (
    'TOKEN KEY SECRET PASSWORD PASSWD PASSPHRASE PWD CREDENTIAL AUTH AUTHORIZATION BEARER COOKIE SESSION PAT DSN PRIVATE ' +
    'APIKEY ACCESSKEY SECRETKEY AUTHTOKEN'
  ).split(' '),
);
const HARMLESS_ENDS = new Set(
  (
    'FILE PATH DIR FOLDER SOCK SOCKET URL URI HOST PORT ADDRESS NAME TYPE MODE CLASS DESKTOP ENABLED TIMEOUT ' +
    'TTL SIZE'
  ).split(' '),
);
const NO_SECRETS = new Set(['PWD', 'OLDPWD', 'DESKTOP_SESSION']);

/** Whether a setting of this name (a variable, an option, a header) holds a secret: it is always masked. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  if (NO_SECRETS.has(name) || HARMLESS_ENDS.has(words.at(-1) ?? '')) return false;
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_WORDS.has(word.replace(/S$/, '')));
}
