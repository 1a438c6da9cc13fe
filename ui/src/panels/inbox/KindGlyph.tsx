import { IconFolders, IconMessageQuestion, IconSparkles, type Icon } from '@tabler/icons-react';
import type { InputKind } from '../../contract/generated';
import { kindWord } from '../../model/inbox/inputRequest';

const GLYPHS: Record<InputKind, Icon> = {
  sampling: IconSparkles,
  elicitation: IconMessageQuestion,
  roots: IconFolders,
};

/** The kind of a request as a glyph. */
export function KindGlyph({ kind, size = 16 }: { kind: InputKind; size?: number }) {
  const Glyph = GLYPHS[kind];
  return <Glyph size={size} color="var(--pb-warn)" aria-label={kindWord(kind)} style={{ flex: 'none' }} />;
}
