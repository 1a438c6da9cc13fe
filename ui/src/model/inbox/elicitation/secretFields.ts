import { normalized } from '../../text/normalized';
import { isSecretName } from '../../servers/secretNames';
import { TooExpensive } from '../../background/budget';
import { SchemaDocument } from '../../form/fields/document';
import { type Json, type JsonObject, isObject } from '../../text/json';

/**
 * Which fields of an elicitation look as if they ask for a secret: "Servers MUST NOT use form mode elicitation to request
 * sensitive information". A guess by words: it can miss one, and it can be wrong.
 */

/** Why a field looks like a secret: the word, and where it is. */
export interface SecretHint {
  where: 'name' | 'title' | 'description' | 'format';
  word: string;
}

// Words of their own, in the languages that servers are mostly written in. `token` and `key` alone mean many other things.
const LATIN =
  'passw(?:or)?ds?|pass ?phrases?|pass ?codes?|secrets?|credentials?|(?:api|access|auth|bearer|refresh|session|id|security|personal access) ?tokens?|' +
  '(?:api|access|secret|private|encryption|signing|ssh|license) ?keys?|seed phrases?|mnemonics?|pins?|pin code|otps?|one ?time (?:code|password)|' +
  'cvv|cvc|ssn|social security number|card number|iban|2fa|mfa|totp|' +
  // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Nordic, Turkish, Vietnamese, Indonesian
  'pass?w[oö]rt|kennwort|geheimnis|zugangsdaten|(?:api|geheimer|privater) ?schlüssel|mot de passe|clé (?:secrète|privée|api|d.accès)|jeton|' +
  'contraseña|clave (?:secreta|privada|api|de acceso)|senha|palavra.passe|chave (?:secreta|privada|de api)|parola d.ordine|chiave (?:segreta|privata|api)|' +
  'wachtwoord|hasło|heslo|lösenord|passord|adgangskode|salasana|şifre|parola|mật khẩu|kata sandi';
const WORDS = new RegExp(`(?<![\\p{L}\\p{N}])(?:${LATIN})(?![\\p{L}\\p{N}])`, 'iu');
// Russian and Ukrainian with their endings, Greek, Hebrew, Arabic, Hindi, Thai, Chinese, Japanese, Korean: without word borders.
const OTHERS =
  /парол|секрет|токен|закрытый ключ|ключ api|κωδικ|סיסמה|סיסמא|كلمة (?:المرور|السر)|पासवर्ड|รหัสผ่าน|密码|密碼|口令|密钥|密鑰|私钥|私鑰|令牌|验证码|驗證碼|パスワード|暗証番号|秘密鍵|アクセストークン|비밀번호|암호|토큰/iu;

/** Why a field looks as if it asks for a secret; null if it does not. */
export function secretHint(name: string, schema: Json | undefined): SecretHint | null {
  const keywords = isObject(schema) ? schema : {};
  if (keywords['format'] === 'password') return { where: 'format', word: 'password' };
  const inName = wordIn(spaced(name)) ?? (isToken(name) ? name : null);
  if (inName !== null) return { where: 'name', word: inName };
  for (const where of ['title', 'description'] as const) {
    const text = keywords[where];
    const word = typeof text === 'string' ? wordIn(text.slice(0, 2000)) : null;
    // “Do not give us your PIN” asks for none.
    if (word !== null && typeof text === 'string' && isRefused(text, word)) continue;
    if (word !== null) return { where, word };
  }
  return null;
}

/** Why a field, or a part of it, looks as if it asks for a secret; `unknown` if that takes too long to find out. */
export type SecretLook = SecretHint | 'unknown' | null;

/** Looks for secrets in the fields of a schema, also in their members, items and alternatives, and in what they refer to. */
export function secretLooker(
  schema: Json | undefined,
): (name: string, field: Json | undefined) => SecretLook {
  const within = <T>(look: () => T): T | 'unknown' => {
    try {
      return look();
    } catch (thrown) {
      if (thrown instanceof TooExpensive || thrown instanceof RangeError) return 'unknown';
      throw thrown;
    }
  };
  const document = within(() => new SchemaDocument(isObject(schema) ? schema : {}));
  return (name, field) => {
    const own = secretHint(name, field);
    if (own !== null || document === 'unknown') return own ?? 'unknown';
    return within(() => hintWithin(document, field));
  };
}

function hintWithin(document: SchemaDocument, field: Json | undefined): SecretHint | null {
  const seen = new Set<Json | undefined>();
  const parts: [string, Json | undefined][] = [['', field]];
  // It grows while it is walked through: a reference may lead back to where it is.
  for (const [name, part] of parts) {
    document.spend();
    const hint = secretHint(name, part);
    if (hint !== null) return hint;
    if (!isObject(part) || seen.has(part)) continue;
    seen.add(part);
    for (const inner of partsOf(part, document)) parts.push(inner);
  }
  return null;
}

/** The parts of a schema that values are typed for, with the names of members. A constant is a choice, which nobody types. */
function partsOf(schema: JsonObject, document: SchemaDocument): [string, Json | undefined][] {
  const { properties, $ref } = schema;
  const parts: Json[] = WITHOUT_NAMES.flatMap((keyword) => schema[keyword] ?? []);
  if (typeof $ref === 'string') parts.push(document.lookup($ref) ?? {});
  return [
    ...(isObject(properties) ? Object.entries(properties) : []),
    ...parts
      .filter((part) => isObject(part) && !Object.hasOwn(part, 'const'))
      .map((part): [string, Json] => ['', part]),
  ];
}

/** Keywords whose value is a schema, or a list of schemas. */
const WITHOUT_NAMES = [
  'items',
  'prefixItems',
  'additionalItems',
  'additionalProperties',
  'contains',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
];

/** Whether a member of a value, at any depth, has the name of a secret. */
export function namesSecret(value: Json): boolean {
  if (Array.isArray(value)) return value.some(namesSecret);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => secretHint(name, undefined) !== null || namesSecret(member),
  );
}

/** The word of a text that means a secret. */
export function wordIn(text: string): string | null {
  const plain = normalized(text, 'NFKC');
  return (WORDS.exec(plain) ?? OTHERS.exec(plain))?.[0] ?? null;
}

/** Whether a text says that a secret is not wanted, shortly before it names it. */
function isRefused(text: string, word: string): boolean {
  const before = text.slice(0, text.indexOf(word)).slice(-80);
  return /\b(do not|don['’]t|never|must not|not your|no)\b/i.test(before);
}

/** A name whose words are those of a secret, but not a number of tokens. */
function isToken(name: string): boolean {
  if (
    /tokens|(max|min|num|count|total|input|output) token|token (count|limit|budget|usage|type)/i.test(
      spaced(name),
    )
  )
    return false;
  // A key is mostly that of a map, a translation or a keyboard.
  return isSecretName(name) && !/^(sort|primary|foreign|map|object|public)?\s?keys?$/i.test(spaced(name));
}

function spaced(name: string): string {
  return name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/[_\-.]+/g, ' ');
}
