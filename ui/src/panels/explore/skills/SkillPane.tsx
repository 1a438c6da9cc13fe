import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ResourceItem, ServerId, SkillItem } from '../../../contract/generated';
import { shownExchange } from '../../../model/exchange/exchanges';
import { resourceKey } from '../../../model/exchange/request';
import type { ListRow } from '../../../model/lists/serverList';
import { type SkillFile, filesAmong, pathIn, folderOf, problemsOf } from '../../../model/lists/skills/skill';
import { initialSkillView } from '../../../model/lists/skills/skillViews';
import { useSkillDefinition } from '../../../model/lists/skills/useSkillDefinition';
import { useVerification } from '../../../model/lists/skills/useVerification';
import type { Verification } from '../../../model/lists/skills/verify';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { useLayout } from '../../../model/workspace/useLayout';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { CopyUri } from '../../../widgets/links/CopyUri';
import { ReadResult } from '../resources/ReadResult';
import { useRunKey } from '../request/useRunKey';
import { SkillFiles } from './SkillFiles';
import { SkillHead } from './SkillHead';
import classes from './skills.module.css';

interface SkillPaneProps {
  serverId: ServerId;
  skill: SkillItem;
  /** The resources of the server: files of skills that are known from them only. */
  resources: ListRow<ResourceItem>[];
}

const PANELS = ['files', 'file'];

/** One skill: what its server says about it, its files, and what was read of the selected one. */
export function SkillPane({ serverId, skill, resources }: SkillPaneProps) {
  const { exchanges, skillViews } = useModel();
  const loaded = useSkillDefinition(serverId, skill);
  const definition = loaded.state === 'ready' ? loaded.definition : null;
  const files = useMemo<SkillFile[]>(() => {
    const main: SkillFile = { uri: skill.uri, digest: null, size: null };
    if (skill.index < 0) return filesAmong(resources, skill.uri);
    const found = definition?.files ?? [];
    return found.some(({ uri }) => uri === skill.uri) ? found : [main, ...found];
  }, [skill, resources, definition]);
  const chosen = useStore(skillViews, (views) => (views[serverId] ?? initialSkillView).files.get(skill.uri));
  const uri = chosen ?? skill.uri;
  const file = files.find((each) => each.uri === uri);
  const isListed = definition?.files?.some((each) => each.uri === uri) === true;
  const problems = loaded.state === 'ready' ? problemsOf(skill.uri, skill.name, loaded.definition.files) : [];

  const key = resourceKey(serverId, uri);
  const shown = useStore(exchanges, (state) => shownExchange(state, key));
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const isRunning = shown !== undefined && shown.outcome === null;
  const verification = useVerification(
    isListed ? file : undefined,
    uri === skill.uri ? (definition?.frontmatter ?? null) : null,
    shown?.outcome ?? null,
  );
  const reason = uri === '' ? 'The file has no URI' : isReady ? null : 'Not connected';
  const read = (of: string): void => {
    const isBusy = shownExchange(exchanges.getState(), resourceKey(serverId, of))?.outcome === null;
    if (isReady && of !== '' && !isBusy) exchanges.start(serverId, { type: 'resource', uri: of });
  };
  const root = useRef<HTMLDivElement>(null);
  useRunKey(root, () => read(uri));
  const layout = useLayout('skillFiles', PANELS);
  return (
    <div ref={root} className={classes.pane}>
      <SkillHead skill={skill} loaded={loaded} problems={problems} />
      <Group orientation="horizontal" className={classes.body} {...layout}>
        <Panel id="files" defaultSize="30%" minSize="140px">
          <SkillFiles
            serverId={serverId}
            files={files}
            isDynamic={loaded.state === 'ready' && loaded.definition.files === null}
            selected={uri}
            onSelect={(of) => skillViews.selectFile(serverId, skill.uri, of)}
            onOpen={read}
          />
        </Panel>
        <Separator className="pb-separator" />
        <Panel id="file" minSize="240px">
          <div className={classes.pane}>
            <div className={classes.fileBar}>
              <span className={`${classes.path} pb-mono pb-selectable`} data-tip={uri.slice(0, 1_000)}>
                {pathIn(folderOf(skill.uri), uri) ?? uri}
              </span>
              <Verified of={verification} />
              <span className="pb-grow" />
              <CopyUri uri={uri} />
              <Button
                data-primary
                onClick={() => read(uri)}
                disabled={reason !== null || isRunning}
                data-tip={reason ?? 'Read the file (Ctrl/Cmd-Enter)'}
              >
                Read
              </Button>
            </div>
            {verification !== null && !verification.matches && (
              <p className={classes.warn} role="status">
                <IconAlertTriangle size={14} aria-hidden />
                {verification.words}
              </p>
            )}
            <div className={classes.body}>
              {shown === undefined ? (
                <EmptyState
                  title="Not read yet"
                  text={isReady ? 'Read the file to see its contents.' : 'Connect the server to read it.'}
                />
              ) : (
                <ReadResult serverId={serverId} uri={uri} onRead={() => read(uri)} />
              )}
            </div>
          </div>
        </Panel>
      </Group>
    </div>
  );
}

function Verified({ of }: { of: Verification | null }) {
  if (of?.matches !== true) return null;
  return (
    <span className={classes.verified} data-tip={of.words}>
      <IconCircleCheck size={14} aria-hidden /> as listed
    </span>
  );
}
