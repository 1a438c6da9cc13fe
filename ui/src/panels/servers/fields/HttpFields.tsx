import { Input, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import type { HttpKind } from '../../../contract/generated';
import { type HttpForm, type HttpProblems, isInTheClear } from '../../../model/servers/httpForm';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Segments } from '../../../widgets/controls/Segments';
import { Disclosure } from './Disclosure';
import { HeaderRows } from './HeaderRows';
import classes from '../ServerDialog.module.css';

const KINDS: readonly { value: HttpKind; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description:
      'Streamable HTTP first; HTTP+SSE if the server does not know it. Each attempt is in the log.',
  },
  {
    value: 'streamableHttp',
    label: 'Streamable HTTP',
    description: 'Revisions from 2025-03-26 on: one address for everything.',
  },
  {
    value: 'sse',
    label: 'HTTP+SSE',
    description: 'Revision 2024-11-05: a stream that names another address for messages. Deprecated.',
  },
];

const PROXIES: readonly { value: HttpForm['proxy']; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'none', label: 'None' },
  { value: 'url', label: 'Other' },
];

interface HttpFieldsProps {
  form: HttpForm;
  problems: HttpProblems;
  onChange: (part: Partial<HttpForm>) => void;
}

/** The fields of a server at an address. */
export function HttpFields({ form, problems, onChange }: HttpFieldsProps) {
  const kind = KINDS.find(({ value }) => value === form.kind);
  return (
    <Stack gap="md">
      <div>
        <TextInput
          label="URL"
          placeholder="https://mcp.example/mcp"
          value={form.url}
          error={problems.url}
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
        {problems.url === undefined && isInTheClear(form.url) && (
          <p className={classes.caution}>
            <IconAlertTriangle size={14} aria-hidden />
            Without https, anyone on the way can read and change what crosses, secret headers too.
          </p>
        )}
      </div>
      <div>
        <Input.Label size="xs" display="block">
          Transport over HTTP
        </Input.Label>
        <Segments
          label="Transport over HTTP"
          segments={KINDS}
          value={form.kind}
          onChange={(value) => onChange({ kind: value })}
        />
        <Input.Description size="xs" mt={4}>
          {kind?.description}
        </Input.Description>
      </div>
      <HeaderRows
        headers={form.headers}
        problems={problems.headers}
        onChange={(headers) => onChange({ headers })}
      />
      <Disclosure
        label="TLS and proxy"
        summary={tlsInWords(form)}
        isForced={problems.fingerprint !== undefined || problems.proxyUrl !== undefined}
      >
        <Tls form={form} problems={problems} onChange={onChange} />
      </Disclosure>
    </Stack>
  );
}

function Tls({ form, problems, onChange }: HttpFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Additional certificate authorities"
        description="A PEM file, trusted besides the system’s."
        placeholder="/path/to/ca.pem"
        value={form.caFile}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ caFile: event.currentTarget.value })}
      />
      <TextInput
        label="Client certificate"
        description="A PEM file with the certificate and its key, shown to the server when it asks."
        placeholder="/path/to/client.pem"
        value={form.clientCertificate}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ clientCertificate: event.currentTarget.value })}
      />
      <TextInput
        label="Accepted certificate"
        description="SHA-256 of the one certificate that is accepted though no authority vouches for it. The connection doctor shows it and can put it here."
        value={form.fingerprint}
        error={problems.fingerprint}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        rightSection={
          form.fingerprint !== '' && (
            <IconButton
              icon={IconX}
              label="Accept it no longer"
              onClick={() => onChange({ fingerprint: '' })}
            />
          )
        }
        onChange={(event) => onChange({ fingerprint: event.currentTarget.value })}
      />
      <div>
        <Input.Label size="xs" display="block">
          Proxy
        </Input.Label>
        <Segments
          label="Proxy"
          segments={PROXIES}
          value={form.proxy}
          onChange={(proxy) => onChange({ proxy })}
        />
        {form.proxy === 'url' && (
          <TextInput
            aria-label="Address of the proxy"
            placeholder="http://proxy.example:3128"
            mt={6}
            value={form.proxyUrl}
            error={problems.proxyUrl}
            spellCheck={false}
            classNames={{ input: 'pb-mono' }}
            onChange={(event) => onChange({ proxyUrl: event.currentTarget.value })}
          />
        )}
      </div>
    </Stack>
  );
}

/** What is set there, for a closed fold. */
function tlsInWords(form: HttpForm): string {
  return [
    form.caFile.trim() !== '' && 'CA file',
    form.clientCertificate.trim() !== '' && 'client certificate',
    form.fingerprint.trim() !== '' && 'accepted certificate',
    form.proxy === 'url' && `proxy ${form.proxyUrl}`,
    form.proxy === 'none' && 'no proxy',
  ]
    .filter((word) => word !== false)
    .join(', ');
}
