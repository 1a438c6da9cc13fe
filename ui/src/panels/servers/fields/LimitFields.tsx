import { Input, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LimitItem } from '../../../contract/generated';
import {
  type LimitForm,
  type LimitProblems,
  limitInWords,
  rangeProblem,
} from '../../../model/servers/limitForm';
import { commandError } from '../../../model/store/errors';
import { useModel } from '../../../model/workspace/context';
import { useDescribedBy } from '../../../widgets/layout/useDescribedBy';
import classes from './LimitFields.module.css';

interface LimitFieldsProps {
  form: LimitForm;
  problems: LimitProblems;
  onChange: (limits: LimitForm) => void;
}

/** What the server may cost: one row for each limit, with its default where nothing is entered. */
export function LimitFields({ form, problems, onChange }: LimitFieldsProps) {
  const { host } = useModel();
  const [items, setItems] = useState<readonly LimitItem[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    host.call('limit_list', {}).then(
      (listed) => setItems(listed.items),
      (thrown: unknown) => setFailure(commandError(thrown).message),
    );
  }, [host]);
  return (
    <div role="group" aria-label="Limits">
      <Input.Description>
        Exceeding a limit records a violation, or fails the request with an error that names the limit. Takes
        effect on the next connection.
      </Input.Description>
      {failure !== undefined && <Input.Error mt={6}>{failure}</Input.Error>}
      <div className={classes.rows}>
        {items.map((item) => (
          <Row
            key={item.name}
            item={item}
            text={form[item.name] ?? ''}
            problem={problems[item.name]}
            onChange={(text) => onChange({ ...form, [item.name]: text })}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  item: LimitItem;
  text: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}

function Row({ item, text, problem, onChange }: RowProps) {
  const id = `limit-${item.name}`;
  const error = problem ?? rangeProblem(text, item);
  // Mantine draws the error with this id.
  useDescribedBy(id, `${id}-meaning`, Boolean(error) && `${id}-error`);
  return (
    <div className={classes.row}>
      <div>
        <label htmlFor={id} className={classes.name}>
          {item.name}
        </label>
        <Input.Description id={`${id}-meaning`}>{item.meaning}</Input.Description>
      </div>
      <TextInput
        id={id}
        placeholder={limitInWords(item.default, item.unit)}
        value={text}
        error={error}
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
