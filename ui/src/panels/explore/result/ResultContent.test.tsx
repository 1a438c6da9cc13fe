import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { BodyId, ContentItem, ResultView, StructuredView, TextBody } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ResultContent } from './ResultContent';

const body = (inline: string): TextBody => ({
  inline,
  body: 'b' as BodyId,
  size: inline.length,
  pretty: null,
});

function show(view: ResultView): void {
  render(
    <MantineProvider>
      <ModelProvider model={createModel(new ScriptedHost())}>
        <ResultContent view={view} raw={body('{"as":"received"}')} name="n" />
      </ModelProvider>
    </MantineProvider>,
  );
}

it('shows the contents of a resource', () => {
  const part = (uri: string, text: string): ContentItem => ({
    type: 'resourceText',
    uri,
    mimeType: 'text/plain',
    text: body(text),
    annotationsJson: null,
  });
  show({ type: 'resource', contents: [part('file:///a', 'one'), part('file:///b', 'two')], violations: [] });
  expect(screen.getByRole('region', { name: 'Content 2 of 2: resource' }).textContent).toContain('file:///b');
});

it('shows the messages of a prompt with their roles', () => {
  const content: ContentItem = { type: 'text', text: body('Hello'), annotationsJson: null };
  show({
    type: 'prompt',
    description: 'Greets',
    messages: [
      { role: 'user', content },
      { role: '', content },
    ],
    violations: [],
  });
  expect(screen.getByText('Greets')).toBeDefined();
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['user', 'no role']);
});

it('shows any other result as received', () => {
  show({ type: 'any' });
  expect(screen.getByRole('textbox', { name: 'Result' }).textContent).toContain('received');
});

it('does not measure the structured content of an error against the output schema', () => {
  const problem = { pointer: '', message: 'must be a string', schemaPointer: '' };
  const structured: StructuredView = { json: body('{}'), check: { type: 'invalid', problems: [problem] } };
  const content: ContentItem[] = [{ type: 'text', text: body('It failed'), annotationsJson: null }];
  const tool = (isError: boolean): ResultView => ({
    type: 'tool',
    tool: { isError, content, structured, structuredMissing: false, violations: [] },
  });
  show(tool(true));
  expect(screen.queryByText('The structured content does not match the output schema')).toBeNull();
  show(tool(false));
  expect(screen.getByText('The structured content does not match the output schema')).toBeDefined();
});
