import { Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { useAdding } from '../../../model/servers/adding/useAdding';
import { useReview } from '../../../model/servers/adding/useReview';
import { nameProblem } from '../../../model/servers/serverForm';
import { useServers } from '../../../model/workspace/context';
import { ReviewFooter } from './ReviewFooter';
import { ReviewSettings } from './ReviewSettings';
import { focused } from '../../../widgets/focus/focused';

interface ReviewFormProps {
  adding: ReturnType<typeof useAdding>;
  /** What has not happened yet. */
  hint: string;
  /** It cannot be added here: nothing is asked for. */
  isBlocked: boolean;
  name: string;
  onName: (name: string) => void;
  /** What is asked for; null: nothing. */
  schemaJson: string | null;
  /** The accessible name of its settings. */
  label: string;
  /** What was entered for them, as JSON text. */
  values: string;
  onValues: (values: string) => void;
  /** Another form is shown when this changes. */
  formKey?: string;
  /** What is reviewed. */
  children: ReactNode;
}

/** A review: what would be added, its name and settings, and the buttons that add it. */
export function ReviewForm({
  adding,
  hint,
  isBlocked,
  name,
  onName,
  schemaJson,
  label,
  values,
  onValues,
  formKey = '',
  children,
}: ReviewFormProps) {
  const items = useServers((state) => state.items) ?? [];
  const taken = items.map(({ draft }) => draft.name);
  const form = useReview({ schemaJson, values, name }, nameProblem(name, taken), (connect) => {
    if (!isBlocked) void adding.run(connect);
  });
  /** The name appears again once another option is chosen: the focus stays at that choice. */
  const [wasBlocked, setWasBlocked] = useState(isBlocked);
  if (isBlocked && !wasBlocked) setWasBlocked(true);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        form.add(true);
      }}
    >
      <Stack gap="md">
        {children}
        {!isBlocked && (
          <>
            <TextInput
              label="Name"
              value={name}
              error={form.nameProblem}
              ref={wasBlocked ? undefined : focused}
              data-autofocus
              onChange={(event) => onName(event.currentTarget.value)}
            />
            {schemaJson !== null && (
              <ReviewSettings
                key={formKey}
                label={label}
                schemaJson={schemaJson}
                text={values}
                problems={form.problems}
                onText={onValues}
              />
            )}
          </>
        )}
        <ReviewFooter adding={adding} hint={hint} isBlocked={isBlocked} onAdd={() => form.add(false)} />
      </Stack>
    </form>
  );
}
