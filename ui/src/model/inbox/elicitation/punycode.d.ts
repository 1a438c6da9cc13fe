declare module 'punycode/punycode.es6.js' {
  /** A host name with its `xn--` labels decoded. Throws a `RangeError` for one that is not valid. */
  export function toUnicode(host: string): string;
}
