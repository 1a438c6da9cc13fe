import { Segments } from './Segments';

interface ScopeSwitchProps {
  /** The name of the selected server; undefined if none is selected. */
  serverName: string | undefined;
  oneServer: boolean;
  onChange: (oneServer: boolean) => void;
}

/** Switches a log between all servers and the selected one. */
export function ScopeSwitch({ serverName, oneServer, onChange }: ScopeSwitchProps) {
  if (serverName === undefined) return null;
  return (
    <Segments
      label="Servers shown"
      value={oneServer ? 'one' : 'all'}
      onChange={(value) => onChange(value === 'one')}
      segments={[
        { value: 'all', label: 'All servers' },
        { value: 'one', label: <span className="pb-scope-name">{serverName}</span> },
      ]}
    />
  );
}
