import { type Json, memberAt, parseJson } from '../text/json';
import { shortened } from '../text/format';

/** The longest icon that is shown, in characters, and how many of them. */
const MAX_ICON = 65_536;
const MAX_ICONS = 20;

/** An icon that a server declares, for itself or for something it offers. */
export interface DeclaredIcon {
  /** Its address as declared, at most 200 characters of it. */
  address: string;
  mimeType: string | null;
  sizes: string;
  theme: string | null;
  /** A `data:` URI that can be shown; null if it would have to be fetched or is no image. */
  shown: string | null;
  /** Why it is not shown. */
  refusal: string | null;
}

/** Reads `icons`; what is no list has none. */
export function readIcons(icons: Json | undefined): DeclaredIcon[] {
  return Array.isArray(icons) ? icons.slice(0, MAX_ICONS).map(readIcon) : [];
}

/** The icons of a definition of a tool, resource or prompt. */
export function iconsOf(definitionJson: string | null): DeclaredIcon[] {
  const parsed = definitionJson?.includes('"icons"') === true ? parseJson(definitionJson) : null;
  return parsed?.ok === true ? readIcons(memberAt(parsed.value, ['icons'])) : [];
}

function readIcon(icon: Json): DeclaredIcon {
  const src = textAt(icon, 'src') ?? '';
  const sizes = memberAt(icon, ['sizes']);
  const refusal = iconRefusal(src);
  return {
    address: shortened(src, 200),
    mimeType: textAt(icon, 'mimeType'),
    sizes: Array.isArray(sizes) ? sizes.filter((size) => typeof size === 'string').join(', ') : '',
    theme: textAt(icon, 'theme'),
    shown: refusal === null ? src : null,
    refusal,
  };
}

/** Why an icon is not shown. Nothing is fetched, and SVG may hold script. */
function iconRefusal(src: string): string | null {
  if (/^data:image\/(png|jpeg|gif|webp)[;,]/i.test(src)) {
    return src.length > MAX_ICON ? 'larger than 64 kB' : null;
  }
  if (/^data:image\/svg/i.test(src)) return 'SVG may contain scripts or take minutes to render';
  if (/^https:/i.test(src)) return 'not fetched';
  return src === '' ? 'no URL' : 'only https: URLs and data: images are allowed';
}

function textAt(value: Json | undefined, name: string): string | null {
  const member = memberAt(value, [name]);
  return typeof member === 'string' ? member : null;
}
