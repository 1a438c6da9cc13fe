import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ProcessItem, ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ProcessFacts } from './ProcessFacts';

/** Draws the facts of a process, and returns what is said under a name. */
function show(more: Partial<ProcessItem>): (name: string) => string {
  const process: ProcessItem = {
    command: 'node',
    resolved: '/usr/bin/node',
    args: ['server.mjs'],
    cwd: '/srv',
    path: { value: '/usr/bin:/bin', source: 'inherited', shell: null, problem: null },
    envNames: ['API_URL'],
    inheritedNames: ['HOME', 'LANG', 'PATH'],
    withheld: 0,
    pid: 7,
    exit: null,
    environmentOutdated: false,
    ...more,
  };
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(new ScriptedHost({}))}>
        <ProcessFacts serverId={'a' as ServerId} process={process} />
      </ModelProvider>
    </MantineProvider>,
  );
  return (name) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent ?? '';
}

it('says how many variables a program got from our environment, how many were withheld, and names the first', () => {
  const fact = show({ withheld: 41 });
  expect(fact('Inherited')).toContain('3 variables from Patchbay’s environment; 41 withheld');
  expect([...document.querySelectorAll('details li')].map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['HOME', 'LANG', 'PATH']),
  );
  expect(fact('Environment')).toBe('API_URL');
});

it('says one variable in the singular', () => {
  const fact = show({ inheritedNames: ['PATH'], withheld: 1 });
  expect(fact('Inherited')).toContain('1 variable from Patchbay’s environment; 1 withheld');
});

it('says that a program got all variables only if none was withheld', () => {
  const fact = show({ withheld: 0 });
  expect(fact('Inherited')).toContain('All variables of Patchbay’s environment (3)');
  expect(fact('Inherited')).not.toContain('withheld');
});

it.each([
  ['/usr/bin:/bin:/usr/bin', ['/usr/bin', '/bin']],
  ['C:\\Windows;D:\\tools', ['C:\\Windows', 'D:\\tools']],
  ['/opt/a;b:C:/x', ['/opt/a;b', 'C', '/x']],
])('lists the folders of the PATH %s', (value, folders) => {
  show({ path: { value, source: 'inherited', shell: null, problem: null } });
  const lists = [...document.querySelectorAll('details ul')];
  expect([...(lists.at(-1)?.children ?? [])].map(({ textContent }) => textContent)).toEqual(folders);
});
