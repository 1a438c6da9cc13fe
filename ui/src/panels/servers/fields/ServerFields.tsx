import { Group, Input, Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { EraChoice, TransportDraft } from '../../../contract/generated';
import { authorizationInWords } from '../../../model/authorization/authorizationForm';
import { debuggerInWords } from '../../../model/servers/debuggerForm';
import { fileWatchInWords } from '../../../model/servers/fileWatch/fileWatchForm';
import { rootsInWords } from '../../../model/servers/roots/rootWords';
import { advertisedInWords } from '../../../model/servers/advertisedForm';
import { limitsInWords } from '../../../model/servers/limitForm';
import {
  type FormProblems,
  type ServerForm,
  automaticInWords,
  trustInWords,
} from '../../../model/servers/serverForm';
import type { ServerDialogPlace } from '../../../model/workspace/workspace';
import { Segments } from '../../../widgets/controls/Segments';
import { AdvertisedFields } from './AdvertisedFields';
import { AuthorizationFields } from './AuthorizationFields';
import { AutomaticFields } from './AutomaticFields';
import { Disclosure } from './Disclosure';
import { GroupsField } from './GroupsField';
import { HttpFields } from './HttpFields';
import { LimitFields } from './LimitFields';
import { ListPagingField } from './ListPagingField';
import { DebuggerFields } from './program/DebuggerFields';
import { FileWatchFields } from './program/FileWatchFields';
import { ProgramFields } from './ProgramFields';
import { RootsFields } from './RootsFields';
import { TrustFields } from './TrustFields';

const TRANSPORTS: readonly { value: TransportDraft['type']; label: string }[] = [
  { value: 'stdio', label: 'Program (stdio)' },
  { value: 'http', label: 'URL (HTTP)' },
];

const ERAS: readonly { value: EraChoice; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description:
      'Tries server/discover, then initialize. The probe is in the traffic log; its result is remembered.',
  },
  {
    value: 'legacy',
    label: 'Legacy',
    description: 'Revision 2025-11-25 and earlier: starts with initialize.',
  },
  { value: 'modern', label: 'Modern', description: '2026-07-28 and later: server/discover, no handshake.' },
];

interface ServerFieldsProps {
  form: ServerForm;
  problems: FormProblems;
  onChange: (part: Partial<ServerForm>) => void;
  /** The built-in server: its command cannot be edited. */
  isDemo: boolean;
  /** The setting that is open from the start, with the focus. */
  at?: ServerDialogPlace | undefined;
}

/** The fields of a server: name, transport, authorization, era and timeouts. */
export function ServerFields({ form, problems, onChange, isDemo, at }: ServerFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        value={form.name}
        error={problems.name}
        spellCheck={false}
        // What is added begins with what is pasted, above.
        data-autofocus={at === undefined || undefined}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {!isDemo && (
        <div>
          <Input.Label size="xs">Transport</Input.Label>
          <Segments
            label="Transport"
            wide
            segments={TRANSPORTS}
            value={form.transport}
            onChange={(transport) => onChange({ transport })}
          />
        </div>
      )}
      {form.transport === 'http' ? (
        <>
          <HttpFields
            form={form.http}
            problems={problems.http}
            onChange={(part) => onChange({ http: { ...form.http, ...part } })}
          />
          <Disclosure
            label="Authorization"
            summary={authorizationInWords(form.authorization)}
            isForced={Object.keys(problems.authorization).length > 0}
          >
            <AuthorizationFields
              form={form.authorization}
              problems={problems.authorization}
              onChange={(part) => onChange({ authorization: { ...form.authorization, ...part } })}
            />
          </Disclosure>
        </>
      ) : (
        <ProgramFields form={form} problems={problems} onChange={onChange} isDemo={isDemo} />
      )}
      <Disclosure
        label="Era and timeouts"
        summary={form.era === 'auto' ? '' : form.era}
        isForced={
          problems.requestSeconds !== undefined ||
          problems.maxTotalSeconds !== undefined ||
          problems.pingSeconds !== undefined
        }
      >
        <EraAndTimeouts form={form} problems={problems} onChange={onChange} />
      </Disclosure>
      <Disclosure label="Groups" summary={form.groups.join(', ')} isForced={false}>
        <GroupsField form={form} onChange={onChange} />
      </Disclosure>
      <Disclosure label="Automatic connection" summary={automaticInWords(form.automatic)} isForced={false}>
        <AutomaticFields form={form} onChange={onChange} />
      </Disclosure>
      {form.transport === 'stdio' && !isDemo && (
        <Disclosure
          label="Restart when files change"
          summary={fileWatchInWords(form.fileWatch)}
          isForced={Object.keys(problems.fileWatch).length > 0}
        >
          <FileWatchFields form={form} problems={problems.fileWatch} onChange={onChange} />
        </Disclosure>
      )}
      {form.transport === 'stdio' && !isDemo && (
        <Disclosure
          label="Debugger"
          summary={debuggerInWords(form.debugger)}
          isForced={Object.keys(problems.debugger).length > 0}
        >
          <DebuggerFields form={form} problems={problems.debugger} onChange={onChange} />
        </Disclosure>
      )}
      <Disclosure
        label="Advertised capabilities"
        summary={advertisedInWords(form.advertised)}
        isForced={Object.keys(problems.advertised).length > 0}
      >
        <AdvertisedFields
          form={form.advertised}
          problems={problems.advertised}
          onChange={(part) => onChange({ advertised: { ...form.advertised, ...part } })}
        />
      </Disclosure>
      <Disclosure
        label="Roots"
        summary={rootsInWords(form.roots, form.rootFolders, form.rootSets.length)}
        isForced={problems.roots !== undefined}
      >
        <RootsFields form={form} problem={problems.roots} onChange={onChange} />
      </Disclosure>
      <Disclosure label="Lists" summary={form.listPaging === 'all' ? '' : 'page by page'} isForced={false}>
        <ListPagingField form={form} onChange={onChange} />
      </Disclosure>
      <Disclosure
        label="Tool definitions and trust"
        summary={trustInWords(form)}
        isForced={at === 'annotations'}
      >
        <TrustFields form={form} onChange={onChange} focusAnnotations={at === 'annotations'} />
      </Disclosure>
      <Disclosure
        label="Limits"
        summary={limitsInWords(form.limits)}
        isForced={Object.keys(problems.limits).length > 0}
      >
        <LimitFields
          form={form.limits}
          problems={problems.limits}
          onChange={(limits) => onChange({ limits })}
        />
      </Disclosure>
    </Stack>
  );
}

function EraAndTimeouts({ form, problems, onChange }: Omit<ServerFieldsProps, 'isDemo' | 'at'>) {
  return (
    <Stack gap="md">
      <Radio.Group label="Era" value={form.era} onChange={(era) => onChange({ era })}>
        <Stack gap="xs" mt={4}>
          {ERAS.map((era) => (
            <Radio key={era.value} {...era} />
          ))}
        </Stack>
      </Radio.Group>
      <Group grow align="flex-start" gap="md">
        <TextInput
          label="Request timeout (s)"
          rightSection="s"
          inputMode="decimal"
          value={form.requestSeconds}
          error={problems.requestSeconds}
          onChange={(event) => onChange({ requestSeconds: event.currentTarget.value })}
        />
        <TextInput
          label="Maximum total (s)"
          rightSection="s"
          inputMode="decimal"
          value={form.maxTotalSeconds}
          error={problems.maxTotalSeconds}
          onChange={(event) => onChange({ maxTotalSeconds: event.currentTarget.value })}
        />
      </Group>
      <Switch
        label="Reset timeout on progress"
        checked={form.resetOnProgress}
        onChange={(event) => onChange({ resetOnProgress: event.currentTarget.checked })}
      />
      <Switch
        label="Count the time that the server waits for my input"
        checked={form.countInputWait}
        onChange={(event) => onChange({ countInputWait: event.currentTarget.checked })}
      />
      {form.era !== 'modern' && (
        <TextInput
          label="Legacy ping interval (s)"
          description="Empty: no pings. An unanswered ping is recorded and does not end the connection."
          placeholder="never"
          rightSection="s"
          inputMode="decimal"
          w={{ base: '100%', xs: '50%' }}
          value={form.pingSeconds}
          error={problems.pingSeconds}
          onChange={(event) => onChange({ pingSeconds: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
