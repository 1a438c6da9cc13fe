// Runs before the app. Reports its console, its errors and what its policy blocked; the app may change or remove it.
(() => {
  document.currentScript.remove();
  const host = window.parent;
  const send = (level, text) =>
    host.postMessage({ patchbay: { level, text: String(text).slice(0, 4000) } }, '*');
  const words = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.stack || String(value);
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    const original = console[level].bind(console);
    console[level] = (...values) => {
      original(...values);
      send(level, values.slice(0, 20).map(words).join(' '));
    };
  }
  addEventListener('error', ({ message, lineno }) => send('error', `${message} (line ${lineno})`));
  addEventListener('unhandledrejection', ({ reason }) => send('error', `Unhandled: ${words(reason)}`));
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    send('blocked', `${effectiveDirective} does not allow ${blockedURI}`),
  );
})();
