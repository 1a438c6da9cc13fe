/** The first name that is not taken: `first`, else that with the number 2, 3 … */
export function firstFree(
  first: string,
  withNumber: (number: number) => string,
  isTaken: (name: string) => boolean,
): string {
  let name = first;
  for (let number = 2; isTaken(name); number += 1) name = withNumber(number);
  return name;
}
