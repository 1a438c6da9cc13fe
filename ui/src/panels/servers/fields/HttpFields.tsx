import { Input, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import type { HttpKind } from '../../../contract/generated';
import { type HttpForm, type HttpProblems, isInTheClear } from '../../../model/servers/httpForm';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Segments } from '../../../widgets/controls/Segments';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import { Disclosure } from './Disclosure';
import { HeaderRows } from './HeaderRows';
import classes from '../ServerDialog.module.css';

const KINDS: readonly { value: HttpKind; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description: 'Streamable HTTP first, then HTTP+SSE. Each attempt is in the traffic log.',
  },
  {
    value: 'streamableHttp',
    label: 'Streamable HTTP',
    description: 'Revision 2025-03-26 and later: one endpoint.',
  },
  {
    value: 'sse',
    label: 'HTTP+SSE',
    description: 'Revision 2024-11-05: an SSE stream plus a message endpoint.',
  },
];

const PROXIES: readonly { value: HttpForm['proxy']; label: string }[] = [
  { value: 'app', label: 'As in Settings' },
  { value: 'system', label: 'System' },
  { value: 'none', label: 'None' },
  { value: 'url', label: 'Custom' },
];

interface HttpFieldsProps {
  form: HttpForm;
  problems: HttpProblems;
  onChange: (part: Partial<HttpForm>) => void;
}

/** The fields of an HTTP server. */
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
            Without HTTPS, anyone on the network can read and change the traffic, including secret headers.
          </p>
        )}
      </div>
      <div>
        <Input.Label size="xs" display="block">
          HTTP transport
        </Input.Label>
        <Segments
          label="HTTP transport"
          segments={KINDS}
          value={form.kind}
          onChange={(value) => onChange({ kind: value })}
        />
        <Input.Description size="xs" mt={4}>
          {kind?.description}
        </Input.Description>
        {form.kind === 'sse' && <DeprecatedNote feature="httpSse" isInline />}
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
        description="PEM file, trusted in addition to the system’s."
        placeholder="/path/to/ca.pem"
        value={form.caFile}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ caFile: event.currentTarget.value })}
      />
      <TextInput
        label="Client certificate"
        description="PEM file with the certificate and its key, for servers that request one."
        placeholder="/path/to/client.pem"
        value={form.clientCertificate}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ clientCertificate: event.currentTarget.value })}
      />
      <TextInput
        label="Accepted certificate"
        description="SHA-256 fingerprint of a certificate that is trusted without an authority, such as a self-signed one. Diagnose can fill it in."
        value={form.fingerprint}
        error={problems.fingerprint}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        rightSection={
          form.fingerprint !== '' && (
            <IconButton
              icon={IconX}
              label="Remove accepted certificate"
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
            aria-label="Proxy URL"
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

/** A summary for the collapsed section. */
function tlsInWords(form: HttpForm): string {
  return [
    form.caFile.trim() !== '' && 'CA file',
    form.clientCertificate.trim() !== '' && 'client certificate',
    form.fingerprint.trim() !== '' && 'accepted certificate',
    form.proxy === 'url' && `proxy ${form.proxyUrl}`,
    form.proxy === 'none' && 'no proxy',
    form.proxy === 'system' && 'proxy of the system',
  ]
    .filter((word) => word !== false)
    .join(', ');
}
