import { writeJsonCompact } from '../../model/text/json';
import { Segments } from '../../widgets/controls/Segments';
import type { BodyProps } from '../formContext';

/** True, false and not set are three different values. */
export function BooleanControl({ id, label, field, value, place, onValue }: BodyProps) {
  const segments = [
    { value: 'true', label: 'true' },
    { value: 'false', label: 'false' },
  ];
  if (field.nullable || value === null) segments.unshift({ value: 'null', label: 'null' });
  if (place === 'property') segments.unshift({ value: 'unset', label: 'Not set' });
  return (
    <Segments
      id={id}
      label={label}
      segments={segments}
      value={value === undefined ? 'unset' : writeJsonCompact(value)}
      onChange={(choice) =>
        onValue(choice === 'unset' ? undefined : choice === 'null' ? null : choice === 'true')
      }
    />
  );
}
