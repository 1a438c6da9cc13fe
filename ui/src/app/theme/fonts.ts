import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';

const FAMILIES = ['Inter Variable', 'JetBrains Mono Variable'];
/** They come from the same machine; after this time the window shows the system's fonts. */
const PATIENCE_MS = 1_000;

/**
 * Both fonts before the first paint. Otherwise a browser fetches a font when it draws its first letter, and lays
 * everything out again when it arrives: the monospaced one in the middle of the first connection. Without them, the system's fonts are used.
 */
export async function loadFonts(): Promise<void> {
  const enough = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const all = Promise.allSettled(FAMILIES.map((family) => document.fonts.load(`1em "${family}"`)));
  await Promise.race([all, enough]);
}
