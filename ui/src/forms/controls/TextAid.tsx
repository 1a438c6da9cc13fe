import { ColorPicker, ColorSwatch, Popover } from '@mantine/core';
import { IconCalendar, IconClock, IconFile, IconFileUpload, IconFolder } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { aidOf, isColour, nowAs } from '../../model/form/fields/aid';
import { useHost } from '../../model/workspace/context';
import { IconButton } from '../../widgets/controls/IconButton';
import type { BodyProps } from '../formContext';
import classes from '../form.module.css';

interface AidProps extends Pick<BodyProps, 'field' | 'label' | 'value' | 'onValue'> {
  /** Asks for a file. */
  onFile: () => void;
}

/** What writes the text of a field for which typing it is tedious; null for any other field. */
export function textAid(props: AidProps): ReactNode {
  const aid = aidOf(props.field.keywords);
  switch (aid) {
    case null:
      return null;
    case 'color':
      return <Colour {...props} />;
    case 'base64':
    case 'dataUrl':
      return (
        <IconButton
          icon={IconFileUpload}
          size={22}
          label={`Choose a file for ${props.label}`}
          onClick={props.onFile}
        />
      );
    case 'directory':
    case 'file':
      return <PathPicker aid={aid} {...props} />;
    case 'date':
    case 'time':
    case 'date-time':
      return (
        <IconButton
          icon={aid === 'date' ? IconCalendar : IconClock}
          size={22}
          label={aid === 'date' ? `Today in ${props.label}` : `Now in ${props.label}`}
          onClick={() => props.onValue(nowAs(aid, new Date()))}
        />
      );
  }
}

/** Chooses a path in a dialog of the system. A browser does not tell paths: there it is typed. */
function PathPicker({ aid, label, value, onValue }: AidProps & { aid: 'directory' | 'file' }) {
  const host = useHost();
  const pick = aid === 'directory' ? host.pickFolder?.bind(host) : host.pickFile?.bind(host);
  if (pick === undefined) return null;
  return (
    <IconButton
      icon={aid === 'directory' ? IconFolder : IconFile}
      size={22}
      label={aid === 'directory' ? `Choose a folder for ${label}` : `Choose a file for ${label}`}
      onClick={() => {
        void pick(typeof value === 'string' ? value : '')
          .then((path) => {
            if (path !== null) onValue(path);
          })
          // Without a dialog, paths are typed.
          .catch(() => {});
      }}
    />
  );
}

function Colour({ label, value, onValue }: AidProps) {
  const colour = typeof value === 'string' && isColour(value) ? value : null;
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.swatch}
          aria-label={`Choose ${label}`}
          data-tip="Choose a colour"
        >
          <ColorSwatch size={16} radius={3} color={colour ?? 'transparent'} withShadow />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ColorPicker
          format="hex"
          value={colour ?? '#000000'}
          onChange={onValue}
          saturationLabel="Saturation"
          hueLabel="Hue"
        />
      </Popover.Dropdown>
    </Popover>
  );
}
