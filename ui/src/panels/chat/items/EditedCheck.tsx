import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { ConversationStore } from '../../../model/chat/conversation';
import { LONG_LIMIT_MS } from '../../../model/form/check/checker';
import { useCheck } from '../../../model/form/check/useCheck';
import { pointerInWords } from '../../../model/form/check/validate';
import { memberAt, parseJson, writeJsonCompact } from '../../../model/text/json';
import { useChatTools } from '../useChatTools';
import { Problems } from './Problems';

/** The schema in the definition of a tool, as JSON text; null if it has none. */
function schemaOf(definitionJson: string): string | null {
  const definition = parseJson(definitionJson);
  if (!definition.ok) return null;
  const schema = memberAt(definition.value, ['inputSchema']);
  return schema === undefined ? null : writeJsonCompact(schema);
}

interface EditedCheckProps {
  alias: string;
  edited: string;
  conversation: ConversationStore;
}

/** How changed arguments differ from the schema that the model got, checked off the UI thread while they are edited. */
export function EditedCheck({ alias, edited, conversation }: EditedCheckProps) {
  const { data } = useChatTools(conversation);
  const given = data?.tools.find((tool) => tool.alias === alias)?.givenJson;
  const schemaJson = useMemo(() => (given === undefined ? null : schemaOf(given)), [given]);
  const check = useCheck(schemaJson, parseJson(edited).ok ? edited : null);
  const { validation } = check;
  if (validation?.type === 'tooExpensive') {
    return (
      <Problems problems={[]} notChecked="checking against this schema takes too long">
        <Button
          size="compact-xs"
          variant="default"
          onClick={check.checkLonger}
          data-tip={`Checks these arguments once more, for ${LONG_LIMIT_MS / 1000} s at most`}
        >
          Check longer
        </Button>
      </Problems>
    );
  }
  return (
    <Problems
      problems={check.problems
        .slice(0, 20)
        .map(({ pointer, message }) => `${pointerInWords(pointer)} ${message}`)}
      notChecked={validation?.type === 'notChecked' ? validation.reason : null}
    />
  );
}
