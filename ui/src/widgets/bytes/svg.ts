/** Whether an SVG can be drawn: its parts can repeat each other, and a few bytes can stand for hours of drawing. */

/** The largest SVG that is drawn, in bytes. */
const MAX_SVG = 500_000;
/** How often its parts may refer to each other: a plot has one reference for each letter and each of its points. */
const MAX_REFERENCES = 10_000;
/** The same with a reference of a style counted for each part that it is for. */
const MAX_APPLIED = 50_000;
/** How many references may lead from one part to the next. */
const MAX_LEVELS = 50;
/** How many parts and references are looked at to find how large the picture is. */
const MAX_LOOKED_AT = 2_000_000;
/** The most characters of an SVG when each part is written where it is drawn. */
const MAX_EXPANDED = 5_000_000;
/** The most elements with one id, of which a browser draws one. */
const MAX_SAME = 10;

/** A reason not to draw an SVG, in a sentence. */
class NotDrawn extends Error {}

/** A call and no `throw` in its place: the catalogue of texts has what is given to a call. */
function refuse(why: string): never {
  throw new NotDrawn(why);
}

/** What is known of a picture within an SVG: its pixels, or its text if it is an SVG too. Null if it is neither. */
export type Inner = { pixels: number } | { svg: ArrayBuffer } | null;

/** Why an SVG is not drawn, in a sentence; null if it is. `look` knows the pictures in it, which may have `maxPixels` together. */
export function whyNoSvg(
  bytes: ArrayBuffer,
  maxPixels: number,
  look: (dataAddress: string) => Inner,
): string | null {
  let pixels = 0;
  const sizeOfPicture = (address: string): number => {
    const inner = look(address);
    if (inner === null) refuse('SVG not shown: the size of a picture in it cannot be read.');
    if ('svg' in inner) return expandedSize(inner.svg, sizeOfPicture);
    pixels += inner.pixels;
    if (pixels > maxPixels)
      refuse(`SVG not shown: the pictures in it have more than ${maxPixels / 1e6} million pixels.`);
    return 0;
  };
  try {
    if (!(expandedSize(bytes, sizeOfPicture) <= MAX_EXPANDED)) refuse(TOO_OFTEN);
    return null;
  } catch (thrown) {
    if (thrown instanceof NotDrawn) return thrown.message;
    throw thrown;
  }
}

/** How many characters an SVG has when each part is written where it is drawn. */
function expandedSize(bytes: ArrayBuffer, sizeOfPicture: (address: string) => number): number {
  if (bytes.byteLength > MAX_SVG) refuse('SVG not shown: it is larger than 500 kB.');
  const raw = new TextDecoder().decode(bytes);
  const encoding = /^\s*<\?xml[^<>]{0,200}?encoding\s*=\s*["']([^"'<>]*)/i.exec(raw)?.[1] ?? 'utf-8';
  // A browser would read another text than is looked at here.
  if (raw.includes('\0') || !/^(utf-?8|(us-)?ascii|iso-8859-\d+|windows-125\d)$/i.test(encoding))
    refuse('SVG not shown: its encoding is not UTF-8.');
  const text = unescaped(raw);
  // Nothing in these patterns can be matched in two ways: half a megabyte of spaces took half an hour. Markup is never escaped.
  if (/<!(ENTITY|ATTLIST|DOCTYPE[^<>]*\[)/i.test(raw)) refuse('SVG not shown: it defines entities.');
  if (/<([^\s<>/:]*:)?(fe[A-Z]|filter)/i.test(raw))
    refuse('SVG not shown: it has filters, which can take arbitrarily long.');
  const references = countReferences(text) - countLinks(raw);
  if (references > MAX_REFERENCES)
    refuse(`SVG not shown: it contains ${references} internal references (the limit is ${MAX_REFERENCES}).`);
  if (addressesIn(withoutStyleEscapes(text)) !== addressesIn(text)) refuse(HIDDEN);
  if (/attributeName\s*=\s*["'][^"'<>]*href/i.test(text)) refuse(ANIMATED);
  // A picture in a style would be drawn like one in an element; fonts are there for the texts, and are known by how they begin.
  if (
    /url\(\s*(?:["']\s*)?data:(?!font\/|application\/(x-)?font|[^,]{0,80};base64,(d09G|T1RUT|AAEAA))/i.test(
      text,
    )
  )
    refuse('SVG not shown: a style in it has a picture.');
  // The parts of an address may have line breaks between them.
  if (references === 0 && !/d\s*a\s*t\s*a\s*:/i.test(text)) return text.length;
  return sizeOfParts(partsOf(raw, sizeOfPicture));
}

const HIDDEN = 'SVG not shown: it writes internal references in a way that hides them.';
const ANIMATED = 'SVG not shown: it animates references.';
const TOO_OFTEN = 'SVG not shown: its parts repeat each other too often.';
const MALFORMED = 'SVG not shown: it is not well-formed XML.';

function addressesIn(text: string): number {
  return (text.match(/href\s*=|url\(/gi) ?? []).length;
}

function countReferences(text: string): number {
  return (text.match(/(href\s*=|url\()\s*(?:["']\s*)?#/gi) ?? []).length;
}

/** References that say where a click goes, and draw nothing. */
function countLinks(raw: string): number {
  return (raw.match(/<([^\s<>/:]*:)?a\s[^<>]*?href\s*=\s*["']#/g) ?? []).length;
}

function characterOf(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The text that XML means. */
function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|(lt|gt|amp|quot|apos));/gi,
    (_, hex?: string, decimal?: string, name?: string) =>
      NAMED[name?.toLowerCase() ?? ''] ??
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}

/** The text that a style means. */
function withoutStyleEscapes(text: string): string {
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, hex?: string, other?: string) =>
    hex === undefined ? (other ?? '').trim() : characterOf(Number.parseInt(hex, 16)),
  );
}

interface Reference {
  id: string;
  /** What it draws: one more part, or something for every part within this one. */
  isInherited: boolean;
}

/** An element. */
interface Part {
  name: string;
  ids: string[];
  classes: string[];
  /** The position of the element that it is in. */
  parent: number;
  /** The position after the last element in it. */
  end: number;
  /** Its characters, without the elements in it. */
  size: number;
  references: Reference[];
}

/** The elements of an SVG, in order. What is between them belongs to the first, which is the whole picture. */
function partsOf(raw: string, sizeOfPicture: (address: string) => number): Part[] {
  const part = (name: string, parent: number): Part => ({
    name,
    ids: [],
    classes: [],
    parent,
    end: 0,
    size: 0,
    references: [],
  });
  const add = (to: Part, text: string): void => {
    to.size += text.length;
    to.references.push(...paintsIn(text));
  };
  const whole = part('', -1);
  const parts = [whole];
  const open = [0];
  /** The texts of the styles, by the positions of their elements. */
  const styles = new Map<number, string>();
  const addText = (text: string): void => {
    const position = open.at(-1) ?? 0;
    if (parts[position]?.name !== 'style') add(whole, text);
    else styles.set(position, (styles.get(position) ?? '') + text);
  };
  let at = 0;
  while (at < raw.length) {
    const start = raw.indexOf('<', at);
    addText(unescaped(raw.slice(at, start < 0 ? raw.length : start)));
    if (start < 0) break;
    const { end, values } = tagAt(raw, start);
    at = end;
    const tag = raw.slice(start + 1, end - 1);
    if (tag.startsWith('/')) {
      const closed = open.length > 1 ? parts[open.pop() ?? 0] : undefined;
      if (closed === undefined) refuse(MALFORMED);
      closed.end = parts.length;
    } else if (tag.startsWith('![CDATA[')) addText(tag.slice(8, -2));
    else if (/^[!?]/.test(tag)) add(whole, unescaped(tag));
    else {
      const next = part(/^(?:[^\s/:]*:)?([^\s/]*)/.exec(tag)?.[1] ?? '', open.at(-1) ?? 0);
      next.end = parts.length + 1;
      add(next, unescaped(tag));
      addValues(next, values, sizeOfPicture);
      if (!tag.endsWith('/')) open.push(parts.length);
      parts.push(next);
    }
  }
  whole.end = parts.length;
  if (open.length > 1) refuse(MALFORMED);
  const apply = applierOf(parts);
  for (const text of styles.values()) addStyle(whole, text, apply);
  return parts;
}

/** Notes what a style draws: for the parts of its classes, or for any part if it has more than rules for classes. */
function addStyle(whole: Part, text: string, apply: (rule: Rule) => void): void {
  const rules = rulesOf(text);
  whole.size += text.length;
  if (rules === null) whole.references.push(...paintsIn(text));
  else for (const rule of rules) apply(rule);
}

/** Notes the references of a rule at each part that has one of its classes. */
function applierOf(parts: readonly Part[]): (rule: Rule) => void {
  const byClass = new Map<string, Part[]>();
  for (const part of parts) {
    for (const name of new Set(part.classes)) {
      const same = byClass.get(name);
      if (same === undefined) byClass.set(name, [part]);
      else same.push(part);
    }
  }
  let applied = 0;
  return ({ classes, references }) => {
    for (const name of references.length === 0 ? [] : new Set(classes)) {
      for (const part of byClass.get(name) ?? []) {
        applied += references.length;
        if (applied > MAX_APPLIED) refuse(TOO_OFTEN);
        part.references.push(...references);
      }
    }
  };
}

/** What a style says for classes. */
interface Rule {
  classes: string[];
  references: Reference[];
}

/** The rules of a style that has no selectors but classes, as drawing programs write it; null if it could mean anything else. */
function rulesOf(text: string): Rule[] | null {
  const rules = text.split('}');
  // In texts, comments and brackets, a rule may end elsewhere than it seems.
  if (rules.pop()?.trim() !== '' || /["'\\@[\]<]|\/\*/.test(text)) return null;
  const found = rules.map((rule) => {
    const [selectors = '', declarations = '', ...more] = rule.split('{');
    const classes = selectors.split(',').map((selector) => /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1]);
    const isPlain = !/[()]/.test(declarations.replaceAll(/\([^()]*\)/g, ''));
    const isKnown = more.length === 0 && rule.includes('{') && isPlain;
    return isKnown && classes.every((name) => name !== undefined)
      ? { classes, references: paintsIn(declarations) }
      : null;
  });
  return found.every((rule) => rule !== null) ? found : null;
}

/** Attributes whose address is drawn, also of the HTML in an SVG. */
const DRAWN = /^([^:]*:)?(href|src|data|poster|background)$/i;

/** Notes which parts and pictures an element refers to, and how it is referred to. */
function addValues(part: Part, values: readonly Value[], sizeOfPicture: (address: string) => number): void {
  const isAnimation = /^(set|animate)/i.test(part.name);
  // Their addresses say where to go, and what is animated.
  const isDrawing = !isAnimation && part.name !== 'a';
  for (const { name, text } of values) {
    const address = text.replaceAll(/[\t\n\r]/g, '').trim();
    if (/^([^:]*:)?id$/.test(name)) part.ids.push(text);
    else if (name === 'class') part.classes.push(...text.trim().split(/\s+/));
    else if (/srcset$/i.test(name)) refuse(HIDDEN);
    else if (isAnimation && name === 'attributeName' && text.trim() === 'class') refuse(ANIMATED);
    else if (!isDrawing || !DRAWN.test(name)) continue;
    else if (/^data:/i.test(address)) part.size += sizeOfPicture(address);
    else if (address.startsWith('#') && /href$/i.test(name))
      part.references.push({ id: plain(address.slice(1)), isInherited: false });
  }
  if (isAnimation && part.references.length > 0) refuse(ANIMATED);
}

/** An attribute. */
interface Value {
  name: string;
  text: string;
}

/** What begins at a `<`: a comment, CDATA, an instruction or a tag, whose attributes are read. */
function tagAt(raw: string, start: number): { end: number; values: Value[] } {
  const values: Value[] = [];
  const after = (what: string, from: number): number => {
    const found = raw.indexOf(what, from);
    if (found < 0) refuse(MALFORMED);
    return found + what.length;
  };
  if (raw.startsWith('<!--', start)) return { end: after('-->', start + 4), values };
  if (raw.startsWith('<![CDATA[', start)) return { end: after(']]>', start), values };
  if (raw.startsWith('<?', start)) return { end: after('?>', start), values };
  // A document type has texts that are no attributes.
  const isTag = !raw.startsWith('<!', start);
  for (let at = start; at < raw.length; at += 1) {
    const character = raw[at];
    if (character === '>') return { end: at + 1, values };
    if (character !== '"' && character !== "'") continue;
    const end = after(character, at + 1);
    if (isTag) {
      const name = /([^\s"'<>=]+)\s*=\s*$/.exec(raw.slice(Math.max(start + 1, at - 80), at))?.[1];
      if (name === undefined) refuse(MALFORMED);
      values.push({ name, text: unescaped(raw.slice(at + 1, end - 1)) });
    }
    at = end - 1;
  }
  refuse(MALFORMED);
}

/** The references by which a style or an attribute draws something: with what, or in what limits. */
function paintsIn(text: string): Reference[] {
  return [...text.matchAll(/url\(\s*(?:["']\s*)?#([^)]*)/gi)].map((found) => ({
    id: plain((found[1] ?? '').replace(/["']\s*$/, '')),
    isInherited: !/(clip-path|mask)\s*[:=]\s*["']?\s*$/i.test(
      text.slice(Math.max(0, found.index - 40), found.index),
    ),
  }));
}

/** An id that is read here as it is by a browser. */
function plain(written: string): string {
  const id = written.trim();
  if (/[\s"'()<>\\%]/.test(id)) refuse(HIDDEN);
  return id;
}

interface Sum {
  parts: number;
  size: number;
}

/** The size of all parts, each as often as it is drawn. */
function sizeOfParts(parts: readonly Part[]): number {
  const places = new Map<string, number[]>();
  for (const [at, { ids }] of parts.entries()) {
    for (const id of new Set(ids)) {
      const same = places.get(id);
      if (same === undefined) places.set(id, [at]);
      else same.push(at);
    }
  }
  const known = new Map<string, Sum>();
  const running = new Set<string>();
  let lookedAt = 0;
  const look = (count: number): void => {
    lookedAt += count;
    if (lookedAt > MAX_LOOKED_AT) refuse(TOO_OFTEN);
  };
  const sumAt = (at: number): Sum => {
    look((parts[at]?.end ?? at) - at);
    return sumOf(parts, at, target);
  };
  const target = (id: string): Sum => {
    look(1);
    const before = known.get(id);
    if (before !== undefined) return before;
    if (running.has(id)) refuse('SVG not shown: a part of it contains itself.');
    if (running.size >= MAX_LEVELS)
      refuse(`SVG not shown: its parts refer to each other in more than ${MAX_LEVELS} levels.`);
    running.add(id);
    const sum: Sum = { parts: 0, size: 0 };
    const targets = places.get(id) ?? [];
    if (targets.length > MAX_SAME) refuse(`SVG not shown: ${targets.length} parts of it have the same id.`);
    for (const at of targets) {
      // A gradient draws nothing itself.
      if (['linearGradient', 'radialGradient'].includes(parts[at]?.name ?? '')) continue;
      const own = sumAt(at);
      sum.parts += own.parts;
      sum.size += own.size;
    }
    running.delete(id);
    known.set(id, sum);
    return sum;
  };
  const drawn = sumAt(0);
  // A style may draw its references for any part, also within what they refer to.
  const styles = (parts[0]?.references ?? [])
    .map(({ id }) => target(id))
    .filter(({ parts: count }) => count > 0);
  const often = styles.reduce((product, { parts: count }) => product * (1 + count), 1) - 1;
  const longest = styles.reduce((most, { size }) => Math.max(most, size), 0);
  return drawn.size + drawn.parts * often * longest;
}

/** The sum of one element and what is in it. */
function sumOf(parts: readonly Part[], from: number, target: (id: string) => Sum): Sum {
  const end = parts[from]?.end ?? from;
  const inside = Array.from({ length: end - from }, (): Sum => ({ parts: 0, size: 0 }));
  for (let at = end - 1; at >= from; at -= 1) {
    const part = parts[at];
    const sum = inside[at - from];
    if (part === undefined || sum === undefined) continue;
    sum.parts += 1;
    sum.size += part.size;
    if (at > 0) addReferences(sum, part.references, target);
    const outer = at > from ? inside[part.parent - from] : undefined;
    if (outer === undefined) continue;
    outer.parts += sum.parts;
    outer.size += sum.size;
  }
  return inside[0] ?? { parts: 0, size: 0 };
}

function addReferences(sum: Sum, references: readonly Reference[], target: (id: string) => Sum): void {
  for (const { id } of references.filter(({ isInherited }) => !isInherited)) {
    const { parts, size } = target(id);
    sum.parts += parts;
    sum.size += size;
  }
  const each = sum.parts;
  for (const { id } of references.filter(({ isInherited }) => isInherited)) {
    const { parts, size } = target(id);
    sum.parts += each * parts;
    sum.size += each * size;
  }
}
