import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { AudioContent } from '../../../content/media/AudioContent';
import { ImageContent } from '../../../content/media/ImageContent';
import { type SampledBlock, bytesOf } from '../../../model/inbox/sampling/conversation';
import { formatSize, shortened } from '../../../model/text/format';
import { type Json, writeJson } from '../../../model/text/json';
import { CodeText } from '../../../widgets/code/CodeView';
import classes from './Conversation.module.css';

/** Longer texts are cut until asked for. */
const SHOWN_TEXT = 4_000;
/** Larger images and recordings are decoded only when asked for, in characters of base64. */
const SHOWN_DATA = 1_000_000;

/** A content block of a message, by its type. */
export function SampledBlockView({ block }: { block: SampledBlock }) {
  switch (block.type) {
    case 'text':
      return <LongText text={block.text} />;
    case 'media':
      return <Media block={block} />;
    case 'toolUse':
      return (
        <div className={classes.nested}>
          <p className={classes.blockName}>
            Calls <b>{block.name}</b> <span className={classes.dim}>{block.id}</span>
          </p>
          <Snippet value={block.input} label={`Input of ${block.name}`} />
        </div>
      );
    case 'toolResult':
      return (
        <div className={classes.nested} data-error={block.isError || undefined}>
          <p className={classes.blockName}>
            {block.isError ? 'Error from call' : 'Result of call'}{' '}
            <span className={classes.dim}>{block.toolUseId}</span>
          </p>
          {block.blocks.map((inner, at) => (
            // Blocks have no identity other than their position.
            // oxlint-disable-next-line react/no-array-index-key
            <SampledBlockView key={at} block={inner} />
          ))}
          {block.structured !== undefined && <Snippet value={block.structured} label="Structured content" />}
        </div>
      );
    case 'link':
      return (
        <p className={classes.text}>
          Resource link: {block.name} <span className="pb-mono">{block.uri}</span>
          {block.description !== '' && <span className={classes.dim}> {block.description}</span>}
        </p>
      );
    case 'resource':
      return (
        <div className={classes.nested}>
          <p className={classes.blockName}>
            Resource <span className="pb-mono">{block.uri}</span>{' '}
            <span className={classes.dim}>{block.mimeType}</span>
          </p>
          {block.text !== null && <LongText text={block.text} />}
          {block.blob !== null && (
            <p className={classes.dim}>
              {formatSize(Math.floor((block.blob.length * 3) / 4))} of binary data
            </p>
          )}
        </div>
      );
    case 'unknown':
      return (
        <div className={classes.nested}>
          <p className={classes.problem}>
            <IconAlertTriangle size={14} aria-hidden /> Not a content block defined by the specification:{' '}
            {block.kind}
          </p>
          <Snippet value={block.json} label="Content block as received" />
        </div>
      );
  }
}

function LongText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (text === '') return <p className={classes.dim}>Empty text</p>;
  if (text.length <= SHOWN_TEXT) return <p className={classes.text}>{text}</p>;
  if (isWhole) return <CodeText text={text} language="plain" height={320} label="Text" numbered={false} />;
  return (
    <>
      <p className={classes.text}>{shortened(text, SHOWN_TEXT)}</p>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setIsWhole(true)}>
        Show all {formatSize(text.length)}
      </Button>
    </>
  );
}

function Snippet({ value, label }: { value: Json; label: string }) {
  const text = useMemo(() => writeJson(value), [value]);
  const lines = text.split('\n', 12).length;
  return <CodeText text={text} language="json" height={lines * 18 + 10} label={label} numbered={false} />;
}

function Media({ block }: { block: Extract<SampledBlock, { type: 'media' }> }) {
  const { kind, mimeType, data } = block;
  const [isWanted, setIsWanted] = useState(data.length <= SHOWN_DATA);
  const bytes = useMemo(() => (isWanted ? bytesOf(data) : null), [isWanted, data]);
  const size = formatSize(Math.floor((data.length * 3) / 4));
  if (!isWanted) {
    return (
      <p className={classes.text}>
        {kind} {mimeType}, {size}{' '}
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setIsWanted(true)}>
          Show
        </Button>
      </p>
    );
  }
  if (bytes === null) {
    return (
      <p className={classes.problem}>
        <IconAlertTriangle size={14} aria-hidden /> This {kind} is not valid base64.
      </p>
    );
  }
  const Viewer = kind === 'image' ? ImageContent : AudioContent;
  return (
    <Viewer
      bytes={bytes}
      mimeType={mimeType}
      fileName={`sampling.${mimeType.split('/')[1] ?? 'bin'}`}
      fill={false}
    />
  );
}
