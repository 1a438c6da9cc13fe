import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/spotlight/styles.css';
import './styles/tokens.css';
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { chooseHost } from './host/choose';
import { createModel } from './model/context';

async function start(): Promise<void> {
  const { host, link } = await chooseHost();
  const model = createModel(host, link);
  // Both before the first paint, so that it is already the right one.
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  window.addEventListener('pagehide', () => model.ui.flush());
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <App model={model} />
    </StrictMode>,
  );
}

void start();
