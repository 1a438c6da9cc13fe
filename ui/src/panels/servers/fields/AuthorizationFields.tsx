import { Group, Input, Select, Stack, TextInput } from '@mantine/core';
import type { AssertionFrom, ClientAuth, DpopMode, Signing } from '../../../contract/generated';
import type {
  AuthorizationForm,
  AuthorizationProblems,
} from '../../../model/authorization/authorizationForm';
import { MODES } from '../../../model/authorization/authorizationWords';
import { SecretInput } from '../../../widgets/controls/SecretInput';
import { Segments } from '../../../widgets/controls/Segments';
import { WhereStored } from './WhereStored';

const AUTHS: readonly { value: ClientAuth | 'auto'; label: string }[] = [
  { value: 'auto', label: 'Supported by the authorization server' },
  { value: 'basic', label: 'Secret in a header (client_secret_basic)' },
  { value: 'post', label: 'Secret in the form (client_secret_post)' },
  { value: 'privateKeyJwt', label: 'Signed with the private key (private_key_jwt)' },
  { value: 'none', label: 'None (none)' },
];
/** Without client credentials there is no key to sign with. */
const AUTHS_WITHOUT_KEY = AUTHS.filter(({ value }) => value !== 'privateKeyJwt');

const SIGNINGS: readonly { value: Signing | 'auto'; label: string }[] = [
  { value: 'auto', label: 'From the key' },
  { value: 'ES256', label: 'ES256' },
  { value: 'RS256', label: 'RS256' },
];

const SOURCES: readonly { value: AssertionFrom; label: string; field: string; example: string }[] = [
  { value: 'file', label: 'File', field: 'Assertion file', example: '/var/run/secrets/tokens/mcp' },
  { value: 'variable', label: 'Environment variable', field: 'Assertion variable', example: 'MCP_ASSERTION' },
  { value: 'command', label: 'Command', field: 'Assertion command', example: 'spire-agent api fetch jwt …' },
];

const DPOP: readonly { value: DpopMode | 'auto'; label: string }[] = [
  { value: 'auto', label: 'If both servers support it' },
  { value: 'always', label: 'Always: refuse bearer tokens' },
  { value: 'never', label: 'Never' },
];

interface AuthorizationFieldsProps {
  form: AuthorizationForm;
  problems: AuthorizationProblems;
  onChange: (part: Partial<AuthorizationForm>) => void;
}

/** How Patchbay gets a token for an HTTP server. */
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
          {mode?.description} A custom Authorization header overrides this setting.
        </Input.Description>
      </div>
      {form.mode !== 'off' && (
        <>
          {form.mode === 'enterprise' && <IdentityProvider {...props} />}
          {form.mode === 'workload' && <Workload {...props} />}
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
        label="Client ID"
        description={
          isClientItself
            ? undefined
            : form.mode === 'workload'
              ? 'Only if the authorization server requires one.'
              : 'Only if Patchbay is already registered. Without it, Patchbay registers itself or asks you.'
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
            description="PEM (PKCS #8), instead of a secret. EC P-256 or RSA."
            placeholder="-----BEGIN PRIVATE KEY-----"
            multiline
            value={form.privateKey}
            error={problems.privateKey}
            onChange={(privateKey) => onChange({ privateKey })}
          />
          <Group grow align="flex-start" gap="md">
            <EndpointAuth auths={AUTHS} value={form.clientAuth} onChange={onChange} />
            <Select
              label="Signing algorithm"
              data={SIGNINGS}
              value={form.signing}
              allowDeselect={false}
              disabled={form.privateKey.trim() === ''}
              onChange={(value) => onChange({ signing: value ?? 'auto' })}
            />
          </Group>
        </>
      )}
      {!isClientItself && form.clientSecret.trim() !== '' && (
        <EndpointAuth
          auths={AUTHS_WITHOUT_KEY}
          value={form.clientAuth === 'privateKeyJwt' ? 'auto' : form.clientAuth}
          onChange={onChange}
        />
      )}
    </>
  );
}

function EndpointAuth({
  auths,
  value,
  onChange,
}: {
  auths: typeof AUTHS;
  value: ClientAuth | 'auto';
  onChange: AuthorizationFieldsProps['onChange'];
}) {
  return (
    <Select
      label="Token endpoint authentication"
      data={auths}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange({ clientAuth: chosen ?? 'auto' })}
    />
  );
}

function ScopesAndPort({ form, problems, onChange }: AuthorizationFieldsProps) {
  const usesBrowser = form.mode === 'auto';
  return (
    <>
      <TextInput
        label="Scopes"
        description="Separated by spaces. Leave empty for the scopes the server requests."
        placeholder="Scopes from the server"
        value={form.scopes}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ scopes: event.currentTarget.value })}
      />
      <Select
        label="Bind tokens to a key (DPoP)"
        description="A bound token is useless without the key, which stays in the vault."
        data={DPOP}
        value={form.dpop}
        allowDeselect={false}
        onChange={(value) => onChange({ dpop: value ?? 'auto' })}
      />
      {usesBrowser && (
        <Group grow align="flex-start" gap="md">
          <TextInput
            label="Redirect port"
            description="Only if the client is registered with a fixed port."
            placeholder="Any free port"
            inputMode="numeric"
            value={form.redirectPort}
            error={problems.redirectPort}
            onChange={(event) => onChange({ redirectPort: event.currentTarget.value })}
          />
          <TextInput
            label="Client metadata URL"
            description="If you publish a client metadata document."
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

function Workload({ form, problems, onChange }: AuthorizationFieldsProps) {
  const source = SOURCES.find(({ value }) => value === form.assertionFrom) ?? SOURCES[0];
  return (
    <>
      <Segments
        label="Assertion from"
        segments={SOURCES}
        value={form.assertionFrom}
        onChange={(assertionFrom) => onChange({ assertionFrom })}
      />
      <TextInput
        label={source?.field}
        description={
          form.assertionFrom === 'command'
            ? 'Its output is the JWT. It runs without a shell for each token request, for at most 30 s.'
            : 'Read for each token request, because platforms renew it.'
        }
        placeholder={source?.example}
        value={form.assertion}
        error={problems.assertion}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ assertion: event.currentTarget.value })}
      />
    </>
  );
}

function IdentityProvider({ form, problems, onChange }: AuthorizationFieldsProps) {
  return (
    <>
      <Group grow align="flex-start" gap="md">
        <TextInput
          label="Identity provider issuer"
          placeholder="https://login.company.example"
          value={form.idpIssuer}
          error={problems.idpIssuer}
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ idpIssuer: event.currentTarget.value })}
        />
        <TextInput
          label="Identity provider token endpoint"
          placeholder="Discovered from the issuer"
          value={form.idpTokenEndpoint}
          error={problems.idpTokenEndpoint}
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ idpTokenEndpoint: event.currentTarget.value })}
        />
      </Group>
      <Group grow align="flex-start" gap="md">
        <TextInput
          label="Identity provider client ID"
          value={form.idpClientId}
          error={problems.idpClientId}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ idpClientId: event.currentTarget.value })}
        />
        <SecretInput
          label="Identity provider client secret"
          value={form.idpClientSecret}
          onChange={(idpClientSecret) => onChange({ idpClientSecret })}
        />
      </Group>
      <SecretInput
        label="ID token"
        description="Your ID token from the identity provider. It is exchanged for a token, never sent to the server."
        value={form.idToken}
        error={problems.idToken}
        onChange={(idToken) => onChange({ idToken })}
      />
    </>
  );
}
