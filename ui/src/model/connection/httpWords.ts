import type { GetStream, HttpDialect } from '../../contract/generated';

/** The wording of HTTP transports, shared by the whole UI. */

export function dialectWord(dialect: HttpDialect | null): string {
  switch (dialect) {
    case 'streamableHttp':
      return 'Streamable HTTP';
    case 'httpSse':
      return 'HTTP+SSE (2024-11-05)';
    case null:
      return 'Not known yet';
  }
}

export function getStreamWords(state: GetStream): string {
  switch (state) {
    case 'none':
      return 'None';
    case 'opening':
      return 'Opening';
    case 'open':
      return 'Open: the server can send at any time';
    case 'refused':
      return 'Not offered: the server sends only in responses';
    case 'lost':
      return 'Lost';
  }
}
