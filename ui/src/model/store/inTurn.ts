/** Runs work after what was given to it before has ended, however that ended; settles with it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** For work that begins from what the work before it leaves. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}
