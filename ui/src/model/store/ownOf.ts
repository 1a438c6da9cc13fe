/** What a table has under a name, which may come from elsewhere: nothing for a name that JavaScript itself knows. */
export function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
