// Running processes, from /proc. The start time distinguishes processes that reuse a number.
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { until } from './until.mjs';

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It has ended, or is not ours.
  }
}

function look(pid) {
  const stat = read(pid, 'stat');
  // The name is in parentheses and may contain any character, so the last one is the end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || fields[0] === 'Z') return null;
  return {
    pid,
    parent: Number(fields[1]),
    started: fields[19],
    args: read(pid, 'cmdline').split('\0').slice(0, -1),
  };
}

/** Every running process. */
export function all() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => look(Number(pid)))
    .filter((found) => found !== null);
}

/** `pid` and all its descendants. */
export function family(pid) {
  const processes = all();
  const below = (parent) =>
    processes.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return [...processes.filter((one) => one.pid === pid), ...below(pid)];
}

/** The processes whose environment contains `text`, whatever their parent is now. */
export function marked(text) {
  return all().filter(({ pid }) => read(pid, 'environ').includes(text));
}

export function isRunning({ pid, started }) {
  return look(pid)?.started === started;
}

/** Waits until all of `processes` have ended. */
export function gone(processes, options) {
  const left = () => processes.filter(isRunning);
  return until('all of them have ended', () => left().length === 0, {
    seen: () => JSON.stringify(left(), null, 1),
    ...options,
  });
}

/** The first line that a started program prints; fails if it ends, or cannot be started. */
export function firstLine(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${child.spawnfile} ended with ${code ?? signal}`)));
  });
}

/** Proportional set size of all of them, in bytes: shared pages count once. */
export function memory(processes) {
  return processes.reduce((sum, { pid }) => {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'));
    return sum + (kilobytes ? Number(kilobytes[1]) * 1024 : 0);
  }, 0);
}
