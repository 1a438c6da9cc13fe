import { indentJson } from './json';

/** The formats in which a call can be copied. */

/** One word of a POSIX shell. */
export function shellQuote(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** JSON text without the line breaks of its indent; left alone if it is not JSON. */
function oneLine(text: string): string {
  let inString = false;
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (inString) {
      out += char;
      if (char === '\\') {
        at += 1;
        out += text.charAt(at);
      } else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
      out += char;
    } else if (!/\s/.test(char)) out += char;
  }
  return out;
}

/** The `params` of `tools/call`, as they will be sent, without the `_meta` members the protocol adds. */
export function callParams(tool: string, argumentsJson: string, metaJson: string | null): string {
  const meta = metaJson === null ? '' : `,"_meta":${metaJson}`;
  return `{"name":${JSON.stringify(tool)},"arguments":${argumentsJson}${meta}}`;
}

/** The call as a JSON-RPC request. */
export function asJsonRpc(tool: string, argumentsJson: string, metaJson: string | null): string {
  return indentJson(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${callParams(tool, argumentsJson, metaJson)}}`,
  );
}

/** The call as a `patchbay` command line. */
export function asCli(server: string, tool: string, argumentsJson: string): string {
  const words = ['patchbay', 'tools', 'call', '--server', server, tool, oneLine(argumentsJson)];
  return words.map(shellQuote).join(' ');
}

export interface Report {
  server: string;
  tool: string;
  argumentsJson: string;
  outcome: string;
  duration: string | null;
  at: string;
  result: string | null;
}

/** The call and its outcome as Markdown. */
export function asMarkdown({ server, tool, argumentsJson, outcome, duration, at, result }: Report): string {
  const facts = [
    `- Server: ${server}`,
    `- When: ${at}`,
    `- Outcome: ${outcome}${duration === null ? '' : ` in ${duration}`}`,
  ];
  const parts = [`## \`${tool}\``, facts.join('\n'), `Arguments:\n\n${fence(indentJson(argumentsJson))}`];
  if (result !== null) parts.push(`Result:\n\n${fence(indentJson(result))}`);
  return `${parts.join('\n\n')}\n`;
}

function fence(json: string): string {
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}json\n${json}\n${ticks}`;
}
