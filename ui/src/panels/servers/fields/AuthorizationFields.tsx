import { Group, Input, Select, Stack, TextInput } from '@mantine/core';
import type { ClientAuth, Signing } from '../../../contract/generated';
import type {
  AuthorizationForm,
  AuthorizationProblems,
} from '../../../model/authorization/authorizationForm';
import { MODES } from '../../../model/authorization/authorizationWords';
import { SecretInput } from '../../../widgets/controls/SecretInput';
import { Segments } from '../../../widgets/controls/Segments';
import { WhereStored } from './WhereStored';

const AUTHS: readonly { value: ClientAuth | 'auto'; label: string }[] = [
  { value: 'auto', label: 'What the authorization server supports' },
  { value: 'basic', label: 'Secret in a header (client_secret_basic)' },
  { value: 'post', label: 'Secret in the form (client_secret_post)' },
  { value: 'privateKeyJwt', label: 'Signed with the private key (private_key_jwt)' },
  { value: 'none', label: 'Not at all (none)' },
];

const SIGNINGS: readonly { value: Signing | 'auto'; label: string }[] = [
  { value: 'auto', label: 'By the key' },
  { value: 'ES256', label: 'ES256' },
  { value: 'RS256', label: 'RS256' },
];

interface AuthorizationFieldsProps {
  form: AuthorizationForm;
  problems: AuthorizationProblems;
  onChange: (part: Partial<AuthorizationForm>) => void;
}

/** How a server at an address is given a token. */
export function AuthorizationFields(props: AuthorizationFieldsProps) {
  const { form, onChange } = props;
  const mode = MODES.find(({ value }) => value === form.mode);
  return (
    <Stack gap="md">
      <div>
        <Segments
          label="Authorization"
          segments={MODES}
          value={form.mode}
          onChange={(value) => onChange({ mode: value })}
        />
        <Input.Description size="xs" mt={4}>
          {mode?.description} A header Authorization of your own takes the place of any.
        </Input.Description>
      </div>
      {form.mode !== 'off' && (
        <>
          {form.mode === 'enterprise' && <IdentityProvider {...props} />}
          <Client {...props} />
          <ScopesAndPort {...props} />
        </>
      )}
    </Stack>
  );
}

function Client({ form, problems, onChange }: AuthorizationFieldsProps) {
  const isClientItself = form.mode === 'clientCredentials';
  return (
    <>
      <TextInput
        label="Client id"
        description={
          isClientItself
            ? undefined
            : 'Only if the authorization server knows Patchbay already. Without it Patchbay registers by itself, or asks.'
        }
        value={form.clientId}
        error={problems.clientId}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ clientId: event.currentTarget.value })}
      />
      <div>
        <SecretInput
          label="Client secret"
          value={form.clientSecret}
          error={problems.clientSecret}
          onChange={(clientSecret) => onChange({ clientSecret })}
        />
        <WhereStored>A secret, a key or a token entered here is</WhereStored>
      </div>
      {isClientItself && (
        <>
          <SecretInput
            label="Private key"
            description="In PEM (PKCS #8), in place of a secret: EC P-256 or RSA."
            placeholder="-----BEGIN PRIVATE KEY-----"
            multiline
            value={form.privateKey}
            error={problems.privateKey}
            onChange={(privateKey) => onChange({ privateKey })}
          />
          <Group grow align="flex-start" gap="md">
            <Select
              label="Shown to the token endpoint"
              data={AUTHS}
              value={form.clientAuth}
              allowDeselect={false}
              onChange={(value) => onChange({ clientAuth: value ?? 'auto' })}
            />
            <Select
              label="Signing"
              data={SIGNINGS}
              value={form.signing}
              allowDeselect={false}
              disabled={form.privateKey.trim() === ''}
              onChange={(value) => onChange({ signing: value ?? 'auto' })}
            />
          </Group>
        </>
      )}
    </>
  );
}

function ScopesAndPort({ form, problems, onChange }: AuthorizationFieldsProps) {
  const usesBrowser = form.mode === 'auto';
  return (
    <>
      <TextInput
        label="Scopes"
        description="Separated by spaces, in place of those the server names."
        placeholder="what the server names"
        value={form.scopes}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ scopes: event.currentTarget.value })}
      />
      {usesBrowser && (
        <Group grow align="flex-start" gap="md">
          <TextInput
            label="Port of the redirect URI"
            description="Where a client is registered with a fixed one."
            placeholder="a free one"
            inputMode="numeric"
            value={form.redirectPort}
            error={problems.redirectPort}
            onChange={(event) => onChange({ redirectPort: event.currentTarget.value })}
          />
          <TextInput
            label="Client metadata document"
            description="Its address, if you publish one."
            placeholder="https://"
            value={form.metadataUrl}
            error={problems.metadataUrl}
            spellCheck={false}
            classNames={{ input: 'pb-mono' }}
            onChange={(event) => onChange({ metadataUrl: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}

function IdentityProvider({ form, problems, onChange }: AuthorizationFieldsProps) {
  return (
    <>
      <Group grow align="flex-start" gap="md">
        <TextInput
          label="Issuer of the identity provider"
          placeholder="https://login.company.example"
          value={form.idpIssuer}
          error={problems.idpIssuer}
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ idpIssuer: event.currentTarget.value })}
        />
        <TextInput
          label="Its token endpoint"
          placeholder="found from the issuer"
          value={form.idpTokenEndpoint}
          error={problems.idpTokenEndpoint}
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ idpTokenEndpoint: event.currentTarget.value })}
        />
      </Group>
      <Group grow align="flex-start" gap="md">
        <TextInput
          label="Client id there"
          value={form.idpClientId}
          error={problems.idpClientId}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ idpClientId: event.currentTarget.value })}
        />
        <SecretInput
          label="Client secret there"
          value={form.idpClientSecret}
          onChange={(idpClientSecret) => onChange({ idpClientSecret })}
        />
      </Group>
      <SecretInput
        label="ID token"
        description="Of you, from the identity provider. It is exchanged, never sent to the server itself."
        value={form.idToken}
        error={problems.idToken}
        onChange={(idToken) => onChange({ idToken })}
      />
    </>
  );
}
