import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { RegistrySource } from '../../../contract/generated';
import { formatSize } from '../../../model/text/format';
import { CancelButton, useUnsaved } from '../../../widgets/layout/GuardedModal';
import { focused } from '../../../widgets/focus/focused';
import classes from '../bundle/BundleDialog.module.css';

/** The size of the largest file that is read, in bytes. The engine holds the same. */
const LARGEST = 4 * 1024 * 1024;

interface RegistrySourceFormProps {
  onSource: (source: RegistrySource) => void;
}

/** Where a `server.json` is: an address, or a file. */
export function RegistrySourceForm({ onSource }: RegistrySourceFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  useUnsaved(url !== '');

  async function choose(file: File): Promise<void> {
    if (file.size > LARGEST) {
      setProblem(`${file.name} has ${formatSize(file.size)}, more than the 4 MB that are read.`);
      return;
    }
    try {
      onSource({ type: 'text', text: await file.text() });
    } catch {
      setProblem(`${file.name} could not be read. It may be a folder, or have been moved.`);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (/^https?:\/\/./.test(url.trim())) onSource({ type: 'url', url: url.trim() });
        else setProblem('Enter an http or https address, or choose a file.');
      }}
    >
      <Stack gap="md">
        <TextInput
          label="URL of server.json"
          description="Or of a server, or its versions, in an MCP registry. It is requested once; the exchange is in the traffic log."
          placeholder="https://example.com/server.json"
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          ref={focused}
          data-autofocus
          value={url}
          error={problem}
          onChange={(event) => {
            setProblem(null);
            setUrl(event.currentTarget.value);
          }}
        />
        <input
          ref={input}
          type="file"
          accept=".json"
          hidden
          aria-label="File"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            // The same file can be chosen again.
            currentTarget.value = '';
            if (file !== undefined) void choose(file);
          }}
        />
        <Group justify="flex-end" gap="xs" className={classes.foot}>
          <Button variant="default" onClick={() => input.current?.click()} mr="auto">
            Choose a file…
          </Button>
          <CancelButton />
          <Button type="submit">Read</Button>
        </Group>
      </Stack>
    </form>
  );
}
