/** What a title adds to a name: nothing if it is the same words, written with spaces and capitals. */

/** The letters and digits of a name, without the word for its kind at the end. */
function letters(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/(tool|prompt|resource)$/, '');
}

/** The title, if it says more than the name (`get-sum`, “Get Sum Tool” does not). */
export function ownTitle(name: string, title: string | null): string | null {
  return title === null || letters(title) === letters(name) ? null : title;
}

/** What is beside a name in a list: its title if that says more, else the first line of its description. */
export function besideName(item: { name: string; title: string | null; description: string | null }): string {
  return ownTitle(item.name, item.title) ?? item.description?.split('\n')[0] ?? '';
}
