import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '..', '..', 'servers', 'src', 'faults.c');

/** What is struck. */
export const WRITE = 1;
/** `errno`: no space is left, a device failed. */
export const ENOSPC = 28;
export const EIO = 5;

/** A disk that is full or fails, below a process that is started with its variables (`tests/servers/src/faults.c`). Linux only. */
export class Faults {
  private readonly control: string;
  private readonly library: string;

  /** `folder` is an existing one for its files, which the process does not use. */
  constructor(folder: string) {
    this.control = join(folder, 'control');
    this.library = join(folder, 'faults.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.library, SOURCE]);
    writeFileSync(this.control, new Uint8Array(64));
  }

  /** For files whose path begins with `below`. */
  variables(below: string): Record<string, string> {
    return { LD_PRELOAD: this.library, FAULTS_BELOW: below, FAULTS_CONTROL: this.control };
  }

  /** Every operation of these kinds fails from now on. */
  fail(kinds: number, errno: number): void {
    // From the first one, all, failing.
    this.set([kinds, 1, 0xffffffff, 1, errno, 0, 0]);
  }

  /** The disk works from now on. */
  end(): void {
    this.set([0, 0, 0, 0, 0, 0, 0]);
  }

  private set(fields: number[]): void {
    const file = openSync(this.control, 'r+');
    // The process has the file mapped.
    writeSync(file, new Uint8Array(new Uint32Array(fields).buffer), 0, fields.length * 4, 0);
    closeSync(file);
  }
}
