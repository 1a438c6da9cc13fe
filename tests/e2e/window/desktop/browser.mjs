#!/usr/bin/env node
// The system browser of these tests: `browser.mjs ADDRESS` follows redirects with its cookies, fills in every form it meets as
// somebody would who agrees, and is done when it has been sent back to this machine's `localhost`. What it was opened with goes
// into the file that PATCHBAY_BROWSER_LOG names.
import { appendFileSync } from 'node:fs';
import { argv, env } from 'node:process';

const cookies = new Map();

async function go(address, form) {
  const response = await fetch(address, {
    method: form ? 'POST' : 'GET',
    body: form,
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  for (const line of response.headers.getSetCookie()) {
    const [pair] = line.split(';');
    const at = pair.indexOf('=');
    cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  const onward = response.headers.get('location');
  if (onward !== null) return go(new URL(onward, address).href);
  return { address, text: await response.text() };
}

/** The first form of a page, with the answer of somebody who agrees. */
function agreed(text) {
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
  if (action === undefined) return undefined;
  const inputs = [...text.matchAll(/<input[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?/g)];
  return { action, form: new URLSearchParams(inputs.map(([, name, value]) => [name, value ?? 'ada'])) };
}

appendFileSync(env.PATCHBAY_BROWSER_LOG, `${argv[2]}\n`);
let page = await go(argv[2]);
while (!page.address.startsWith('http://localhost:')) {
  const next = agreed(page.text);
  if (next === undefined) throw new Error(`nothing to agree to at ${page.address}: ${page.text}`);
  page = await go(new URL(next.action, page.address).href, next.form);
}
