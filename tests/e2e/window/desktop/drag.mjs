// Dragging files and folders from another program into the window, with the pointer.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { shownWindow, xWindow, xdotool } from '../harness.mjs';
import { until } from './until.mjs';

const SOURCE = join(import.meta.dirname, 'dragSource.py');

/** Where a window is on the screen, without its frame. */
function placeOf(window) {
  const shell = xdotool('getwindowgeometry', '--shell', window);
  const number = (name) => Number(new RegExp(`^${name}=(-?\\d+)$`, 'm').exec(shell)?.[1]);
  return { x: number('X'), y: number('Y'), width: number('WIDTH'), height: number('HEIGHT') };
}

/** Moves the pointer to a point of the screen in steps, as a hand does. */
function moveTo({ x, y }, from) {
  for (let step = 1; step <= 10; step += 1) {
    const at = (one, other) => String(Math.round(one + ((other - one) * step) / 10));
    xdotool('mousemove', '--sync', at(from.x, x), at(from.y, y));
  }
}

/** Drags files or folders to an element of the page; `isOver` says on the page whether it shows that it takes them. */
export async function dragFiles({ page, app }, paths, selector, isOver) {
  // The Python of the system has the bindings of GTK.
  const source = spawn('/usr/bin/python3', [SOURCE, ...paths], { stdio: ['inherit', 'pipe', 'inherit'] });
  let said = '';
  source.stdout.setEncoding('utf8').on('data', (part) => (said += part));
  try {
    const window = await shownWindow('--pid', String(source.pid));
    // In the corner of the screen: the app is in its middle.
    xdotool('windowmove', window, '20', '20');
    const { x, y, width, height } = await until('the source is in the corner', () => {
      const place = placeOf(window);
      return place.x < 100 && place.y < 100 && place;
    });
    const start = { x: x + width / 2, y: y + height / 2 };
    const outer = placeOf(await xWindow(app));
    /** Where the element is now: what is above it may still unfold or load. */
    const middle = async () => {
      const box = await page.run(
        `const place = document.querySelector(arguments[0]);
        place.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = place.getBoundingClientRect();
        return { x, y, width, height };`,
        selector,
      );
      return { x: Math.round(outer.x + box.x + box.width / 2), y: Math.round(outer.y + box.y + box.height / 2) };
    };
    xdotool('mousemove', '--sync', String(start.x), String(start.y), 'mousedown', '1');
    moveTo(await middle(), start);
    await until('the place shows that it takes them', async () => {
      // The pointer is still only for an instant.
      const { x, y } = await middle();
      xdotool('mousemove', String(x + 1), String(y), 'mousemove', String(x), String(y));
      return page.run(`return ${isOver}`);
    });
    xdotool('mouseup', '1');
    // The app asks it for what was dropped: without an answer there was no drop.
    await until('the drag has ended', () => said.includes('ended'));
  } finally {
    source.kill();
  }
}
