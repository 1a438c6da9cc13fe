import type { BundleItem, BundleReview, BundleSignature } from '../../../contract/generated';
import { formatCount, formatSize, shownLine } from '../../../model/text/format';
import { ownOf } from '../../../model/store/ownOf';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { ExternalLink } from '../../../widgets/links/ExternalLink';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { Clamped } from '../../../widgets/text/Clamped';
import { Disclosure } from '../fields/Disclosure';
import classes from './BundleDialog.module.css';

const TYPES: Readonly<Record<string, string>> = {
  node: 'Node.js',
  python: 'Python',
  binary: 'Program in the bundle',
  uv: 'Python, installed by uv',
};

/** A type that is not known is shown as the bundle has it. */
function typeInWords(type: string): string {
  return ownOf(TYPES, type) ?? type;
}

const SIGNATURES: Readonly<Record<BundleSignature, string>> = {
  none: 'Not signed',
  unverified: 'Signed; Patchbay does not verify the signature',
  damaged: 'The signature is damaged',
};

/** What a bundle says about itself, and what would be run. */
export function BundleFacts({ review }: { review: BundleReview }) {
  const line = shownLine(review.command, review.args);
  return (
    <div className={classes.facts}>
      <header>
        <h2 className={classes.title}>
          {review.title} <span className={classes.version}>{review.version}</span>
        </h2>
        <p className={classes.about}>
          <Clamped text={review.description} label="Description" />
        </p>
      </header>
      <Facts names={112}>
        <Fact name="Author">{review.author}</Fact>
        <Fact name="Type">{typeInWords(review.serverType)}</Fact>
        <Fact name="Runs">
          <code className={classes.command}>{line}</code>
          {line.includes('${__dirname}') && (
            <span className={classes.small}>
              <code>{'${__dirname}'}</code> is a new folder below <code>{review.folder}</code>
            </span>
          )}
        </Fact>
        <Fact name="Environment" mono>
          {review.env.length > 0 && <Variables review={review} />}
        </Fact>
        <Fact name="Needs">{needs(review)}</Fact>
        <Fact name="Tools">
          {(review.tools.length > 0 || review.toolsGenerated) && (
            <Declared items={review.tools} isOpenEnded={review.toolsGenerated} />
          )}
        </Fact>
        <Fact name="Prompts">
          {(review.prompts.length > 0 || review.promptsGenerated) && (
            <Declared items={review.prompts} isOpenEnded={review.promptsGenerated} />
          )}
        </Fact>
        <Fact name="Signature">{SIGNATURES[review.signature]}</Fact>
        <Fact name="Size">
          {`${formatSize(review.size)}; ${formatCount(review.files, 'file')}, ${formatSize(review.unpackedSize)} unpacked`}
        </Fact>
      </Facts>
      <Disclosure label="More about this bundle" isForced={false}>
        <Facts names={112}>
          <Fact name="License">{review.license}</Fact>
          <Fact name="Pages">
            {review.links.length > 0 && (
              <span className={classes.links}>
                {review.links.map(({ label, url }) => (
                  <ExternalLink key={`${label} ${url}`} url={url}>
                    {label}
                  </ExternalLink>
                ))}
              </span>
            )}
          </Fact>
          <Fact name="Manifest">{review.manifestVersion}</Fact>
          <Fact name="SHA-256" mono>
            {review.sha256}
          </Fact>
        </Facts>
        {review.longDescription !== null && (
          <div className={classes.long}>
            <Markdown text={review.longDescription} />
          </div>
        )}
      </Disclosure>
    </div>
  );
}

/** The runtimes and systems, and what was found here. */
function needs({ runtimes, platforms, program }: BundleReview): string | null {
  const parts = [
    ...runtimes.map(({ name, versions }) => `${name} ${versions}`),
    ...(platforms.length > 0 ? [`on ${platforms.join(', ')}`] : []),
    ...(program !== null ? [`found: ${program}`] : []),
  ];
  return parts.length > 0 ? parts.join(' · ') : null;
}

function Variables({ review }: { review: BundleReview }) {
  return (
    <ul className={classes.list}>
      {review.env.map(({ name, value }) => (
        <li key={name}>{`${name}=${value}`}</li>
      ))}
    </ul>
  );
}

/** The tools or prompts that a bundle declares: what the server really has is known when it is connected. */
function Declared({ items, isOpenEnded }: { items: readonly BundleItem[]; isOpenEnded: boolean }) {
  return (
    <ul className={`${classes.list} ${classes.declared}`}>
      {items.map(({ name, description }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a manifest may repeat a name, and the list does not change
        <li key={i}>
          <span className="pb-mono">{name}</span>
          {description !== '' && <span className={classes.small}> {description}</span>}
        </li>
      ))}
      {isOpenEnded && <li className={classes.small}>More when it runs</li>}
    </ul>
  );
}
