import { Checkbox, Input, Select, Stack, TextInput, Textarea } from '@mantine/core';
import {
  type AdvertisedForm,
  type AdvertisedProblems,
  type Feature,
  REVISIONS,
} from '../../../model/servers/advertisedForm';

interface AdvertisedFieldsProps {
  form: AdvertisedForm;
  problems: AdvertisedProblems;
  onChange: (part: Partial<AdvertisedForm>) => void;
}

interface Row {
  feature: Feature;
  label: string;
  description: string;
  /** The capability that it is a part of. */
  part?: Feature;
}

const ROWS: readonly Row[] = [
  { feature: 'sampling', label: 'Sampling', description: 'Deprecated in 2026-07-28, still served.' },
  { feature: 'samplingTools', label: 'Tools', description: 'A request may contain tools.', part: 'sampling' },
  {
    feature: 'samplingContext',
    label: 'Context',
    description: 'A request may include server context. You add the context yourself.',
    part: 'sampling',
  },
  { feature: 'elicitationForm', label: 'Elicitation forms', description: '' },
  { feature: 'elicitationUrl', label: 'Elicitation URLs', description: 'Since 2025-11-25.' },
  { feature: 'roots', label: 'Roots', description: 'Deprecated in 2026-07-28, still served.' },
  {
    feature: 'rootsListChanged',
    label: 'Change notifications',
    description: 'Legacy revisions only.',
    part: 'roots',
  },
  {
    feature: 'tasks',
    label: 'Tasks',
    description: 'A server may request sampling and elicitation as tasks. 2025-11-25 only.',
  },
];

/** What Patchbay declares to a server in the handshake. */
export function AdvertisedFields({ form, problems, onChange }: AdvertisedFieldsProps) {
  return (
    <Stack gap="md">
      <div role="group" aria-label="Capabilities">
        <Input.Description>
          Declared on the next connection. A request for a capability that is off is rejected and recorded as
          a violation.
        </Input.Description>
        <Stack gap={6} mt={6}>
          {ROWS.map(({ feature, label, description, part }) => (
            <Checkbox
              key={feature}
              size="xs"
              label={label}
              aria-label={part === undefined ? label : `${label} (${part})`}
              description={description === '' ? undefined : description}
              ml={part === undefined ? 0 : 24}
              disabled={part !== undefined && !form[part]}
              checked={form[feature]}
              onChange={(event) => onChange({ [feature]: event.currentTarget.checked })}
            />
          ))}
        </Stack>
      </div>
      <JsonField
        label="Experimental capabilities"
        description="A JSON object, declared as experimental. Patchbay implements none of them."
        value={form.experimental}
        error={problems.experimental}
        onChange={(experimental) => onChange({ experimental })}
      />
      <JsonField
        label="Extensions"
        description="A JSON object, declared instead of the extensions that Patchbay supports. Leave empty for the supported ones."
        value={form.extensions}
        error={problems.extensions}
        onChange={(extensions) => onChange({ extensions })}
      />
      <Revision form={form} problems={problems} onChange={onChange} />
    </Stack>
  );
}

interface JsonFieldProps {
  label: string;
  description: string;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function JsonField({ error, onChange, ...field }: JsonFieldProps) {
  return (
    <Textarea
      {...field}
      error={error}
      placeholder="{}"
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Revision({ form, problems, onChange }: AdvertisedFieldsProps) {
  return (
    <Stack gap="xs">
      <Select
        label="Offered revision"
        description="If the era is Auto, this revision determines it."
        allowDeselect={false}
        data={[
          { value: 'newest', label: 'Newest of the era' },
          ...REVISIONS.map((revision) => ({ value: revision, label: revision })),
          { value: 'other', label: 'Custom' },
        ]}
        value={form.revision}
        onChange={(revision) => onChange({ revision: revision ?? 'newest' })}
      />
      {form.revision === 'other' && (
        <TextInput
          label="Custom revision"
          description="Sent as entered, to test how the server handles an unknown revision."
          value={form.otherRevision}
          error={problems.otherRevision}
          spellCheck={false}
          onChange={(event) => onChange({ otherRevision: event.currentTarget.value })}
        />
      )}
      <Checkbox
        size="xs"
        label="Continue with an unknown revision"
        description="If the server responds with one, a violation is recorded and the newest known revision of the era is used."
        checked={form.anyRevision}
        onChange={(event) => onChange({ anyRevision: event.currentTarget.checked })}
      />
    </Stack>
  );
}
