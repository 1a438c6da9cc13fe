import { Button } from '@mantine/core';
import { IconArrowDownRight } from '@tabler/icons-react';
import type { Seq } from '../../contract/generated';
import { useReveal } from '../../model/workspace/context';

interface RecordLinkProps {
  seq: Seq;
  /** What the record is: `Request`, `Answer`. */
  label: string;
}

/** Goes to a record of the traffic log. */
export function RecordLink({ seq, label }: RecordLinkProps) {
  const reveal = useReveal();
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      data-tip={`Show record ${seq} in the traffic log`}
      rightSection={<IconArrowDownRight size={14} />}
      onClick={() => reveal(seq)}
    >
      {label}
    </Button>
  );
}
