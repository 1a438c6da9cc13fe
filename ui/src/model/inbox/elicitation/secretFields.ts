import { normalized } from '../../text/normalized';
import { isSecretName } from '../../servers/secretNames';
import { type Json, isObject } from '../../text/json';

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
