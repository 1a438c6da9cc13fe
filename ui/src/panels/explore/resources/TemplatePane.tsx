import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ResourceTemplateItem, ServerId } from '../../../contract/generated';
import {
  type VariableDraft,
  emptyRecord,
  initialView,
  withMember,
} from '../../../model/lists/resources/resourceViews';
import { useExpansion } from '../../../model/lists/resources/useExpansion';
import { asSentence } from '../../../model/text/format';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { useLayout } from '../../../model/workspace/useLayout';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { CopyUri } from '../../../widgets/links/CopyUri';
import { ReadResult } from './ReadResult';
import { SubscribeButton, SubscriptionProblem } from './SubscribeButton';
import { VariableField } from '../../../forms/completed/VariableField';
import { useCanComplete } from '../../../model/connection/useCanComplete';
import { useRunKey } from '../request/useRunKey';
import { useDefinition } from '../list/useDefinition';
import { Clamped } from '../../../widgets/text/Clamped';
import panes from '../list/panes.module.css';
import classes from './resources.module.css';

const NO_DRAFTS = emptyRecord<VariableDraft>();

/** The field of the first variable, not the choice of its type. */
export const FIRST_VARIABLE = '[data-variables] :is(input:not([type=radio]), textarea)';

interface TemplatePaneProps {
  serverId: ServerId;
  uriTemplate: string;
  /** Its row; none if it is no longer in the list. */
  item: ResourceTemplateItem | undefined;
}

/** One template: its variables with completion, the URI they make, and what was read last. */
export function TemplatePane({ serverId, uriTemplate, item }: TemplatePaneProps) {
  const { exchanges, resources, resourceTemplates, resourceViews } = useModel();
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const drafts = useStore(
    resourceViews,
    (views) => (views[serverId] ?? initialView).drafts[uriTemplate] ?? NO_DRAFTS,
  );
  const readUri = useStore(resourceViews, (views) => (views[serverId] ?? initialView).read[uriTemplate]);
  const canComplete = useCanComplete(serverId);
  const { variables, uri, error, whenCurrent } = useExpansion(uriTemplate, drafts);
  const root = useRef<HTMLDivElement>(null);
  const definition = useDefinition(serverId, 'resourceTemplates', item);
  const description = definition?.description ?? item?.description ?? null;
  const read = (of: string | null): void => {
    if (!isReady || of === null || of === '') return;
    resources.setInUse(serverId);
    const { read: before } = resourceViews.getState()[serverId] ?? initialView;
    resourceViews.change(serverId, { read: withMember(before, uriTemplate, of) });
    exchanges.start(serverId, { type: 'resource', uri: of });
  };
  const run = (): void => whenCurrent(read);
  useRunKey(root, run);
  /** The first variable, or “Read” for a template without variables. */
  useFocusRequest('resources', serverId, uri !== null || error !== null, () => {
    const find = (selector: string): HTMLElement | null | undefined => root.current?.querySelector(selector);
    (find(FIRST_VARIABLE) ?? find('[data-primary]'))?.focus();
  });
  const layout = useLayout('template', ['form', 'result']);
  return (
    <div ref={root} className={panes.pane}>
      <header className={classes.head}>
        <div className={classes.title}>
          <h2 className={`${panes.name} pb-selectable`}>
            {[item?.title, item?.name].find((name) => name !== null && name !== undefined && name !== '') ??
              'Template'}
          </h2>
          <span className="pb-grow" />
          {uri !== null && <SubscribeButton serverId={serverId} uri={uri} />}
          <Button
            data-primary
            onClick={run}
            disabled={!isReady || uri === null || uri === ''}
            data-tip={isReady ? 'Read the resource (Ctrl/Cmd-Enter)' : 'Not connected'}
          >
            Read
          </Button>
        </div>
        <div className={`${panes.uri} pb-dim pb-selectable`}>{uriTemplate}</div>
        {uri !== null && (
          <div className={classes.preview}>
            <output className={`${classes.previewUri} pb-selectable`} aria-label="Expanded URI">
              {uri}
            </output>
            <CopyUri uri={uri} />
          </div>
        )}
        {uri !== null && <SubscriptionProblem serverId={serverId} uri={uri} className={classes.warn} />}
        {definition !== null && (
          <div className={classes.facts}>
            {item?.mimeType !== null && item?.mimeType !== undefined && (
              <span>{item.mimeType.slice(0, 100)}</span>
            )}
            <RecordLink seq={definition.seq} label="Definition" />
          </div>
        )}
        {description !== null && description !== '' && (
          <div className={`${classes.description} pb-selectable`}>
            <Clamped text={description} label="Description" />
          </div>
        )}
        {item !== undefined && item.violations.length > 0 && (
          <Violations items={item.violations} label="Problems in the definition" />
        )}
      </header>
      <Group orientation="vertical" className={panes.body} {...layout}>
        <Panel id="form" minSize="100px">
          <section className={classes.form} aria-label="Variables" data-variables>
            {error !== null && (
              <p className={classes.warn} role="alert">
                {asSentence(error)}
              </p>
            )}
            {variables.map((name) => (
              <VariableField
                key={name}
                serverId={serverId}
                uriTemplate={uriTemplate}
                name={name}
                canComplete={canComplete}
                drafts={drafts}
                onChange={(draft) => {
                  resourceTemplates.setInUse(serverId);
                  resourceViews.setDraft(serverId, uriTemplate, name, draft);
                }}
              />
            ))}
            {variables.length === 0 && error === null && uri !== null && (
              <p className="pb-dim">The template has no variables.</p>
            )}
          </section>
        </Panel>
        {readUri !== undefined && (
          <>
            <Separator className="pb-separator" />
            <Panel id="result" defaultSize="55%" minSize="120px">
              <ReadResult key={readUri} serverId={serverId} uri={readUri} onRead={() => read(readUri)} />
            </Panel>
          </>
        )}
      </Group>
    </div>
  );
}
