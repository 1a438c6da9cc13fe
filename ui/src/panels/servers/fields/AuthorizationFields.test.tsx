import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { AuthorizationMode } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { emptyAuthorizationForm } from '../../../model/authorization/authorizationForm';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { AuthorizationFields } from './AuthorizationFields';

it.each<[AuthorizationMode, string, boolean]>([
  ['auto', 'Supported by the authorization server', false],
  ['enterprise', 'Supported by the authorization server', false],
  ['workload', 'Supported by the authorization server', false],
  ['clientCredentials', 'Signed with the private key (private_key_jwt)', true],
])('shows how a client with a secret authenticates: %s', async (mode, shown, hasKey) => {
  const form = { ...emptyAuthorizationForm(), mode, clientSecret: 's', clientAuth: 'privateKeyJwt' as const };
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(new ScriptedHost({}))}>
        <AuthorizationFields form={form} problems={{}} onChange={() => {}} />
      </ModelProvider>
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Token endpoint authentication' });
  expect(field.value).toBe(shown);
  await userEvent.setup().click(field);
  expect(screen.queryAllByRole('option', { name: /private key/ })).toHaveLength(hasKey ? 1 : 0);
  expect(screen.getAllByRole('option').length).toBeGreaterThan(3);
});
