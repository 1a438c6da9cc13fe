import { Radio, Select, Stack } from '@mantine/core';
import type { RegistryServer, RegistryOption } from '../../../contract/generated';
import type { useRegistry } from '../../../model/servers/adding/registry/useRegistry';
import { formatCount, shownLine } from '../../../model/text/format';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { ExternalLink } from '../../../widgets/links/ExternalLink';
import { Clamped } from '../../../widgets/text/Clamped';
import { Notes } from '../bundle/Notes';
import { ReviewForm } from '../bundle/ReviewForm';
import classes from '../bundle/BundleDialog.module.css';

interface RegistryReviewProps {
  servers: readonly RegistryServer[];
  registry: ReturnType<typeof useRegistry>;
}

/** The servers of a document: which, how it is run or reached, and what it asks for. */
export function RegistryReview({ servers, registry }: RegistryReviewProps) {
  const { choice, server, option } = registry;
  const isBlocked = option === undefined || option.blocker !== null;

  return (
    <ReviewForm
      adding={registry.adding}
      hint="Nothing is installed, run or reached before you connect."
      isBlocked={isBlocked}
      name={choice.name}
      onName={registry.setName}
      schemaJson={option?.schemaJson ?? null}
      label="Settings of the server"
      values={choice.values}
      onValues={registry.setValues}
      formKey={`${choice.server} ${choice.option}`}
    >
      {servers.length > 1 && (
        <Select
          label={formatCount(servers.length, 'server or version', 'servers or versions')}
          data={servers.map(({ name, version }, i) => ({ value: String(i), label: `${name} ${version}` }))}
          value={String(choice.server)}
          allowDeselect={false}
          searchable
          maxDropdownHeight={280}
          onChange={(value) => registry.chooseServer(Number(value))}
        />
      )}
      {server !== undefined && <ServerFacts server={server} />}
      {server !== undefined && server.options.length > 1 && (
        <Radio.Group
          label="Package or address"
          value={String(choice.option)}
          onChange={(value) => registry.chooseWay(Number(value))}
        >
          <Stack gap={4} mt={4}>
            {server.options.map(({ label, blocker }, i) => (
              <Radio
                // oxlint-disable-next-line react/no-array-index-key -- labels may repeat, and the list does not change
                key={i}
                value={String(i)}
                label={<span className="pb-mono">{label}</span>}
                description={blocker === null ? undefined : 'Cannot be added here'}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {option !== undefined && <OptionFacts option={option} />}
      {(server === undefined || server.options.length === 0) && (
        <CommandAlert
          error={{
            code: 'invalidParams',
            message:
              'It has neither a package nor an address. Look at its pages for how to run it, then add its command.',
            detail: null,
          }}
        />
      )}
      {option !== undefined && option.blocker !== null && (
        <CommandAlert error={{ code: 'invalidParams', message: option.blocker, detail: null }} />
      )}
      {option !== undefined && <Notes notes={option.notes} />}
    </ReviewForm>
  );
}

function ServerFacts({ server }: { server: RegistryServer }) {
  return (
    <header>
      <h2 className={classes.title}>
        {server.title} <span className={classes.version}>{server.version}</span>
      </h2>
      <p className={classes.about}>
        <Clamped text={server.description} label="Description" />
      </p>
      <p className={classes.small}>
        <span className="pb-mono pb-selectable">{server.name}</span>
        {server.status !== null && <strong> · The registry calls it {server.status}</strong>}
        {server.links.map(({ label, url }) => (
          <span key={`${label} ${url}`}>
            {' · '}
            <ExternalLink url={url}>{label}</ExternalLink>
          </span>
        ))}
      </p>
    </header>
  );
}

/** What would be run or reached. `{NAME}` is a value of the form. */
function OptionFacts({ option }: { option: RegistryOption }) {
  const line = option.command === null ? null : shownLine(option.command, option.args);
  return (
    <Facts names={112}>
      <Fact name="Runs">{line !== null && <code className={classes.command}>{line}</code>}</Fact>
      <Fact name="Reaches">
        {option.url !== null && <code className={classes.command}>{option.url}</code>}
      </Fact>
      <Fact name={option.url === null ? 'Environment' : 'Headers'} mono>
        {option.members.length > 0 && (
          <ul className={classes.list}>
            {option.members.map(({ name, value }) => (
              <li key={name}>{option.url === null ? `${name}=${value}` : `${name}: ${value}`}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Found" mono>
        {option.program}
      </Fact>
    </Facts>
  );
}
