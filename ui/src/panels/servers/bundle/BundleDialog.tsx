import { Button, Group, Progress, Stack } from '@mantine/core';
import { useRef } from 'react';
import type { BundleReview } from '../../../contract/generated';
import {
  BUNDLE_ENDINGS,
  type BundleFile,
  bundleName,
} from '../../../model/servers/adding/bundles/bundleFile';
import { useBundle } from '../../../model/servers/adding/bundles/useBundle';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { CancelButton, GuardedModal } from '../../../widgets/layout/GuardedModal';
import classes from './BundleDialog.module.css';
import { BundleFacts } from './BundleFacts';
import { Notes } from './Notes';
import { ReviewForm } from './ReviewForm';
import { focused } from '../../../widgets/focus/focused';

interface BundleDialogProps {
  /** The bundle to begin with; null: the user chooses one here. */
  bundle: BundleFile | null;
  onClose: () => void;
}

/** Shows what a bundle contains and would run, asks for its settings, and adds its server. Nothing is unpacked before that. */
export function BundleDialog({ bundle: initial, onClose }: BundleDialogProps) {
  const bundle = useBundle(initial, onClose);
  const { state } = bundle;
  const name = bundle.bundle === null ? '' : bundleName(bundle.bundle);
  return (
    <GuardedModal
      isChanged={bundle.isChanged}
      onClose={onClose}
      size={720}
      stackId="bundle"
      title="Add a server from a bundle"
    >
      {bundle.bundle === null && (
        <EmptyState
          title="Choose a bundle"
          text="A file that ends in .mcpb (formerly .dxt). You review it before anything is unpacked or run."
        >
          <ChooseFile label="Choose a file…" onFile={bundle.choose} />
        </EmptyState>
      )}
      {bundle.bundle !== null && state.type === 'reading' && (
        <Stack gap="xs">
          <span>Reading {name} …</span>
          <Progress value={state.part * 100} aria-label={`Reading ${name}`} size="sm" />
          <Group justify="flex-end">
            <CancelButton />
          </Group>
        </Stack>
      )}
      {state.type === 'failed' && (
        <Stack gap="md">
          <p className={classes.file}>{name}</p>
          <CommandAlert error={state.error} />
          <Group justify="flex-end" gap="xs">
            <CancelButton />
            <ChooseFile label="Choose another file…" onFile={bundle.choose} />
          </Group>
        </Stack>
      )}
      {state.type === 'read' && <Review review={state.review} bundle={bundle} />}
    </GuardedModal>
  );
}

/** Opens the file picker of the system. */
function ChooseFile({ label, onFile }: { label: string; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={BUNDLE_ENDINGS}
        hidden
        aria-label="Bundle"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      <Button variant="default" ref={focused} data-autofocus onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}

interface ReviewProps {
  review: BundleReview;
  bundle: ReturnType<typeof useBundle>;
}

function Review({ review, bundle }: ReviewProps) {
  const isBlocked = review.blockers.length > 0;
  return (
    <ReviewForm
      adding={bundle.adding}
      hint="Nothing is unpacked before you add it, or run before you connect."
      isBlocked={isBlocked}
      name={bundle.name}
      onName={bundle.setName}
      schemaJson={review.schemaJson}
      label="Settings of the bundle"
      values={bundle.values}
      onValues={bundle.setValues}
    >
      <BundleFacts review={review} />
      {isBlocked && (
        <CommandAlert error={{ code: 'invalidParams', message: review.blockers.join(' '), detail: null }} />
      )}
      <Notes notes={review.notes} />
    </ReviewForm>
  );
}
