import { Combobox, Loader, Textarea, type TextareaProps, useCombobox } from '@mantine/core';
import { useMemo } from 'react';
import type { Completion } from '../../model/form/useCompletion';
import { formatCount } from '../../model/text/format';
import classes from '../form.module.css';

interface CompletedTextProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
  /** The values that the server proposes. */
  completion: Completion;
}

/** The longest value that is shown, in characters; a longer one is still chosen in full. */
const MAX_LABEL = 300;

/**
 * A text of any number of lines, for which the server proposes values. Not Mantine's Autocomplete, whose input drops line
 * breaks. In a text of several lines the arrow keys move the caret.
 */
export function CompletedText({ value, onChange, completion, ...rest }: CompletedTextProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const values = useMemo(() => [...new Set(completion.values)], [completion.values]);
  const isOneLine = !value.includes('\n');
  const { onFocus, onBlur, ...shared } = rest;
  return (
    <>
      <Combobox
        store={combobox}
        onOptionSubmit={(chosen) => {
          onChange(values[Number(chosen)] ?? '');
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target withKeyboardNavigation={isOneLine}>
          <Textarea
            {...shared}
            value={value}
            autosize
            minRows={1}
            maxRows={10}
            spellCheck={false}
            aria-autocomplete="list"
            rightSection={
              completion.isLoading ? <Loader size={12} aria-label="Loading values" /> : shared.rightSection
            }
            onFocus={(event) => {
              onFocus?.(event);
              if (isOneLine) combobox.openDropdown();
            }}
            onBlur={(event) => {
              combobox.closeDropdown();
              onBlur?.(event);
            }}
            onChange={(event) => {
              onChange(event.currentTarget.value);
              if (event.currentTarget.value.includes('\n')) combobox.closeDropdown();
              else combobox.openDropdown();
              combobox.resetSelectedOption();
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={values.length === 0}>
          {/* A scrollable list has to be reachable; it closes when the text loses the focus. */}
          <Combobox.Options className={classes.completions} aria-label="Suggested values" tabIndex={0}>
            {values.map((one, index) => (
              // By index: a value may have any length.
              // oxlint-disable-next-line react/no-array-index-key
              <Combobox.Option key={index} value={String(index)}>
                {one === '' ? '(empty string)' : one.slice(0, MAX_LABEL)}
              </Combobox.Option>
            ))}
          </Combobox.Options>
          {completion.hasMore && (
            <Combobox.Footer className={classes.completionStatus} role="status">
              {completion.total === null
                ? `First ${formatCount(values.length)} values`
                : `${formatCount(values.length)} of ${formatCount(completion.total)} values`}
            </Combobox.Footer>
          )}
        </Combobox.Dropdown>
      </Combobox>
      {completion.error !== null && (
        <span className={classes.completionStatus} role="status">
          {completion.error}
        </span>
      )}
    </>
  );
}
