import '@mantine/core/styles.css';
import './styles/tokens.css';
import './styles/global.css';
import { StrictMode } from 'react';
import { type Root, createRoot } from 'react-dom/client';
import { App } from './app/App';
import { keepAppearance } from './app/theme/appearance';
import { loadFonts } from './app/theme/fonts';
import { StartFailed } from './app/notices/StartFailed';
import { chooseHost } from './host/choose';
import { restoreSession, saveSession } from './model/store/session';
import { createModel } from './model/workspace/context';

async function start(root: Root): Promise<void> {
  const fonts = loadFonts();
  const { host, link } = await chooseHost();
  const model = createModel(host, link);
  // All before the first paint, so that it is already the right one.
  await Promise.all([model.ui.load(), model.servers.refresh(), fonts]);
  keepAppearance(model.ui, document, (query) => window.matchMedia(query));
  restoreSession(model, sessionStorage);
  // Another window may have changed what all share.
  window.addEventListener('focus', () => void model.ui.refresh());
  // The tab that comes to the front reads what was changed here.
  document.addEventListener('visibilitychange', () => document.hidden && model.ui.flush());
  window.addEventListener('pagehide', () => {
    model.ui.flush();
    saveSession(model, sessionStorage);
  });
  root.render(
    <StrictMode>
      <App model={model} />
    </StrictMode>,
  );
}

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root');
const root = createRoot(element);
// A failure before the window exists must be visible too.
start(root).catch((thrown: unknown) => {
  root.render(<StartFailed error={thrown instanceof Error ? thrown : new Error(String(thrown))} />);
});
