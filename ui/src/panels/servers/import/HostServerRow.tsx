import { Badge, Checkbox, List } from '@mantine/core';
import type { HostDifference } from '../../../contract/generated';
import type { Offer } from '../../../model/servers/import/hosts';
import { reachedBy } from '../../../model/servers/serverForm';
import type { Import } from '../../../model/servers/import/useImport';
import { formatCount } from '../../../model/text/format';
import { Segments } from '../../../widgets/controls/Segments';
import classes from './ImportDialog.module.css';

/** A server of another host: what would run or be reached, whole, and how it compares. */
export function HostServerRow({ offer, importing }: { offer: Offer; importing: Import }) {
  const { key, server } = offer;
  const { draft, comparison, disabled, project, problems, secrets } = server;
  const { transport } = draft;
  const isChosen = importing.chosen.has(key);
  const variables = transport.type === 'stdio' ? transport.env.map(({ name }) => name) : [];
  return (
    <div>
      <div className={classes.line}>
        <Checkbox
          label={server.name}
          description={<span className={`pb-mono ${classes.command}`}>{reachedBy(transport)}</span>}
          checked={isChosen}
          disabled={comparison.type === 'same'}
          onChange={() => importing.toggle(key)}
        />
        <span className={classes.badges}>
          {disabled && <Mark>Disabled in the host</Mark>}
          {secrets.length > 0 && <Mark>{formatCount(secrets.length, 'secret')}</Mark>}
          {comparison.type === 'same' && <Mark>Same as {comparison.name}</Mark>}
          {comparison.type === 'differs' && <Mark>Differs from {comparison.name}</Mark>}
        </span>
      </div>
      <div className={classes.more}>
        {variables.length > 0 && (
          <div>
            Environment: <span className="pb-mono">{variables.join(', ')}</span>
          </div>
        )}
        {transport.type === 'stdio' && transport.cwd !== null && (
          <div>
            Working directory: <span className="pb-mono">{transport.cwd}</span>
          </div>
        )}
        {project !== null && (
          <div>
            Only in <span className="pb-mono">{project}</span>
          </div>
        )}
        {problems.length > 0 && (
          <List size="xs" c="var(--pb-warn)">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        )}
        {comparison.type === 'differs' && <Differences items={comparison.differences} />}
        {comparison.type === 'differs' && isChosen && (
          <Segments
            label={`What to do with ${server.name}`}
            segments={[
              { value: 'update', label: `Update ${comparison.name}` },
              { value: 'add', label: `Add as ${draft.name}` },
            ]}
            value={importing.differing[key] ?? 'update'}
            onChange={(value) => importing.setDiffering(key, value)}
          />
        )}
      </div>
    </div>
  );
}

function Mark({ children }: { children: React.ReactNode }) {
  return (
    <Badge variant="default" size="sm" tt="none">
      {children}
    </Badge>
  );
}

function Differences({ items }: { items: readonly HostDifference[] }) {
  return (
    <table className={`${classes.differences} pb-selectable`}>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">In Patchbay</th>
          <th scope="col">In the host</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ setting, ours, theirs }) => (
          <tr key={setting}>
            <th scope="row">{setting}</th>
            <td className="pb-mono">{ours === '' ? '–' : ours}</td>
            <td className="pb-mono">{theirs === '' ? '–' : theirs}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
