import { List, Select, TextInput } from '@mantine/core';
import type { HostFile } from '../../../contract/generated';
import { inputKey, inputsOf, offersOf } from '../../../model/servers/import/hosts';
import type { Import } from '../../../model/servers/import/useImport';
import { SecretInput } from '../../../widgets/controls/SecretInput';
import { HostServerRow } from './HostServerRow';
import classes from './ImportDialog.module.css';

/** One file of a host: its servers, what it asks for, and what could not be read. */
export function HostFileSection({ file, importing }: { file: HostFile; importing: Import }) {
  const { chosen } = importing;
  const offers = offersOf([file]);
  const asked = inputsOf(offers.filter(({ key }) => chosen.has(key)).map(({ server }) => server));
  return (
    <section className={classes.file} aria-label={file.place.host}>
      <header className={classes.head}>
        <h3>{file.place.host}</h3>
        <span className="pb-mono pb-ellipsis pb-selectable" title={file.place.path}>
          {file.place.path}
        </span>
      </header>
      {file.problems.length > 0 && (
        <List size="xs" c="var(--pb-warn)" className="pb-selectable">
          {file.problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      {offers.map((offer) => (
        <HostServerRow key={offer.key} offer={offer} importing={importing} />
      ))}
      {asked.map(({ id, description, password, default: standard, options }) => {
        const key = inputKey(file, id);
        const value = importing.answers[key] ?? standard ?? '';
        const change = (next: string): void => importing.setAnswer(key, next);
        const label = description === '' ? id : description;
        if (options.length > 0) {
          return (
            <Select
              key={id}
              label={label}
              data={[...new Set(options)]}
              value={value === '' ? null : value}
              onChange={(next) => change(next ?? '')}
            />
          );
        }
        return password ? (
          <SecretInput key={id} label={label} value={value} onChange={change} />
        ) : (
          <TextInput
            key={id}
            label={label}
            value={value}
            onChange={(event) => change(event.currentTarget.value)}
          />
        );
      })}
    </section>
  );
}
