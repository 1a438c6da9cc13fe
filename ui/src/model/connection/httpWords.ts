import type { GetStream, HttpDialect } from '../../contract/generated';

/** What is spoken over HTTP, in words. The whole UI uses these and no others. */

export function dialectWord(dialect: HttpDialect | null): string {
  switch (dialect) {
    case 'streamableHttp':
      return 'Streamable HTTP';
    case 'httpSse':
      return 'HTTP+SSE (2024-11-05)';
    case null:
      return 'not known yet';
  }
}

export function getStreamWords(state: GetStream): string {
  switch (state) {
    case 'none':
      return 'none';
    case 'opening':
      return 'opening';
    case 'open':
      return 'open: the server can send by itself';
    case 'refused':
      return 'not offered: the server sends only in answers';
    case 'lost':
      return 'lost; being opened again';
  }
}
