import { Segments } from './Segments';

interface ScopeSwitchProps {
  /** The selected server's; none if none is selected. */
  serverName: string | undefined;
  oneServer: boolean;
  onChange: (oneServer: boolean) => void;
}

/** Whether a log is of all servers or of the selected one. */
export function ScopeSwitch({ serverName, oneServer, onChange }: ScopeSwitchProps) {
  if (serverName === undefined) return null;
  return (
    <Segments
      label="Whose records"
      value={oneServer ? 'one' : 'all'}
      onChange={(value) => onChange(value === 'one')}
      segments={[
        { value: 'all', label: 'All servers' },
        { value: 'one', label: <span className="pb-scope-name">{serverName}</span> },
      ]}
    />
  );
}
