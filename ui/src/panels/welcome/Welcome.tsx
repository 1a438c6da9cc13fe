import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { CommandError } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { useModel } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import classes from './Welcome.module.css';

/** The first screen: the ways to add the first server. */
export function Welcome() {
  const { workspace } = useModel();
  const actions = useActions();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const [text, setText] = useState('');

  async function openDemo(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await actions.openDemo();
    } catch (thrown) {
      setError(commandError(thrown));
    } finally {
      setBusy(false);
    }
  }

  function add(pasted: string): void {
    workspace.setState({ dialog: { type: 'addServer', pasted } });
  }

  return (
    <section className={classes.welcome} aria-label="Welcome">
      <div className={classes.inner}>
        <h1 className={classes.title}>Patchbay</h1>
        <p className={classes.lead}>
          See, touch and change everything that passes between a host and its MCP servers, on this machine.
        </p>
        <div className={classes.ways}>
          <div className={classes.way}>
            <div>
              <h2>Try the built-in demo server</h2>
              <p>Tools of every kind, progress, logs, errors. No network or Node.js required.</p>
            </div>
            <Button loading={busy} onClick={() => void openDemo()}>
              Connect demo
            </Button>
          </div>
          {error !== null && <CommandAlert error={error} />}
          <div className={classes.way}>
            <div>
              <h2>Add a server</h2>
              <p>A program on this machine that uses MCP over stdio, or a URL.</p>
            </div>
            <Button variant="default" onClick={() => add('')}>
              Add server…
            </Button>
          </div>
          <div className={classes.way}>
            <div>
              <h2>Import from other hosts</h2>
              <p>The servers of Claude, Cursor, VS Code, Codex and others on this machine.</p>
            </div>
            <Button
              variant="default"
              onClick={() =>
                workspace.setState({ dialog: { type: 'importServers', source: { type: 'hosts' } } })
              }
            >
              Import…
            </Button>
          </div>
          <div className={`${classes.way} ${classes.paste}`}>
            <div>
              <h2>Paste anything</h2>
              <p>A command line, a URL, or JSON with mcpServers from another host.</p>
            </div>
            <Button variant="default" disabled={text.trim() === ''} onClick={() => add(text)}>
              Review…
            </Button>
            <Textarea
              aria-label="Command line, URL or JSON"
              placeholder="npx -y @modelcontextprotocol/server-everything"
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              classNames={{ input: 'pb-mono' }}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onPaste={(event) => {
                const { selectionStart, selectionEnd } = event.currentTarget;
                // A part of what is being written is pasted into it.
                if (text.trim() !== '' && selectionEnd - selectionStart < text.length) return;
                event.preventDefault();
                add(event.clipboardData.getData('text'));
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || text.trim() === '') return;
                event.preventDefault();
                add(text);
              }}
            />
          </div>
        </div>
      </div>
    </section>
  );
}
