import { Button } from '@mantine/core';
import { IconClockX, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ClientItem, JwtItem, ServerId, TokenItem } from '../../../contract/generated';
import {
  foldMasks,
  isExpired,
  isUnderWay,
  originWords,
  timeLeft,
  withoutRefreshWords,
} from '../../../model/authorization/authorizationWords';
import { useNow } from '../../../model/store/clock';
import { useAuthorization, useModel, useServerPart } from '../../../model/workspace/context';
import { formatDateTime } from '../../../model/text/format';
import { indentJson } from '../../../model/text/json';
import { CodeText } from '../../../widgets/code/CodeView';
import { Segments } from '../../../widgets/controls/Segments';
import { ForgetButton } from '../ForgetButton';
import { useWhyUnused } from '../useWhyUnused';
import { ScopesEditor } from './ScopesEditor';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import classes from './TokenView.module.css';

/** The masked token, its decoded contents, and the client Patchbay is registered as. */
export function TokenView({ serverId }: { serverId: ServerId }) {
  const { data } = useAuthorization(serverId);
  if (data === undefined) return null;
  const { token, client } = data;
  return (
    <div className={`${classes.token} pb-selectable`}>
      {token === null ? (
        <p className={classes.none}>No token yet. It is shown here, masked, after authorization.</p>
      ) : (
        <>
          <Token serverId={serverId} token={token} />
          <Jwt jwt={token.jwt} />
        </>
      )}
      <ScopesEditor serverId={serverId} granted={token?.scopes ?? null} />
      {client !== null && (
        <Client client={client}>{token === null && <ForgetButton serverId={serverId} token={null} />}</Client>
      )}
    </div>
  );
}

function Token({ serverId, token }: { serverId: ServerId; token: TokenItem }) {
  const { authorizations } = useModel();
  const { busy, data } = useAuthorization(serverId);
  const mode = useServerPart(serverId, (server) => server?.draft.authorization?.mode ?? 'auto');
  const underWay = isUnderWay(data?.run ?? null);
  const unused = useWhyUnused(serverId);
  const isBound = token.resource !== null && token.resource !== '';
  return (
    <section className={classes.section} aria-label="Access token">
      <h3 className={classes.heading}>Access token</h3>
      {unused !== null && <p className={classes.note}>Stored, but not used. {unused}</p>}
      <Facts>
        <Fact name="Expires">
          <Expiry token={token} />
        </Fact>
        <Fact name="Token" mono>
          {foldMasks(token.masked)}
        </Fact>
        <Fact name="Issuer" mono>
          {token.issuer}
        </Fact>
        <Fact name="Resource" className={isBound ? 'pb-mono' : 'pb-dim'}>
          {isBound ? token.resource : 'Not bound to a resource'}
        </Fact>
        {token.dpopThumbprint !== null && (
          <Fact name="Bound to key" mono>
            {token.dpopThumbprint}
          </Fact>
        )}
        <Fact name="Sent to">
          <span className="pb-mono">{token.issuedTo}</span>
          <span className={classes.note}>
            and nowhere else. The traffic log shows every request that used it.
          </span>
        </Fact>
        <Fact name="Obtained">{formatDateTime(token.obtainedAtMs).slice(0, 19)}</Fact>
        <Fact name="Refresh token">
          {token.hasRefresh ? 'Yes: renewed automatically' : withoutRefreshWords(mode)}
        </Fact>
      </Facts>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          disabled={!token.hasRefresh || underWay || unused !== null}
          loading={busy}
          data-tip={
            unused ??
            (token.hasRefresh ? 'Get a new token with the refresh token' : 'There is no refresh token')
          }
          onClick={() => void authorizations.refreshToken(serverId)}
        >
          Refresh now
        </Button>
        <Button
          variant="default"
          leftSection={<IconClockX size={16} />}
          disabled={busy || underWay || unused !== null}
          data-tip={
            unused ?? 'Treats the token as expired, to see what the next request does. Nothing is sent.'
          }
          onClick={() => void authorizations.expireToken(serverId)}
        >
          Expire now
        </Button>
        <ForgetButton serverId={serverId} token={token} />
      </div>
    </section>
  );
}

/** A separate component: it renders every second. */
function Expiry({ token }: { token: TokenItem }) {
  const now = useNow(1000);
  const { expiresAtMs } = token;
  if (expiresAtMs === null) return <>Not specified by the authorization server</>;
  const at = <span className="pb-dim">{formatDateTime(expiresAtMs).slice(0, 19)}</span>;
  return isExpired(token, now) ? (
    <>
      <span className={classes.expired}>expired</span> {at}
    </>
  ) : (
    <>
      <span className="pb-num">in {timeLeft(expiresAtMs, now)}</span> {at}
    </>
  );
}

function Jwt({ jwt }: { jwt: JwtItem | null }) {
  const [part, setPart] = useState<keyof JwtItem>('claims');
  return (
    <section className={classes.section} aria-label="Token contents">
      <div className={classes.head}>
        <h3 className={classes.heading}>{jwt === null ? 'Contents' : 'JWT'}</h3>
        {jwt !== null && (
          <Segments
            label="Part of the JWT"
            value={part}
            onChange={(value) => setPart(value)}
            segments={[
              { value: 'claims', label: 'Claims' },
              { value: 'header', label: 'Header' },
            ]}
          />
        )}
      </div>
      {jwt === null ? (
        <p className={classes.note}>Opaque, not a JWT. Only the authorization server knows what it allows.</p>
      ) : (
        <>
          <p className={classes.note}>Decoded, not verified: verification is up to the server.</p>
          <div className={classes.well}>
            <CodeText
              text={indentJson(jwt[part])}
              language="json"
              label={part === 'claims' ? 'Claims' : 'Header'}
              numbered={false}
            />
          </div>
        </>
      )}
    </section>
  );
}

function Client({ client, children }: { client: ClientItem; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label="Client">
      <h3 className={classes.heading}>Client registration</h3>
      <Facts>
        <Fact name="Authorization server" mono>
          {client.issuer}
        </Fact>
        <Fact name="Client ID" mono>
          {client.clientId}
        </Fact>
        <Fact name="Source">
          {originWords(client.origin)}
          {client.origin === 'dynamic' && <DeprecatedNote feature="dynamicRegistration" isInline />}
        </Fact>
        <Fact name="Type">
          {client.isConfidential ? 'Confidential (has a secret or key)' : 'Public (no secret)'}
        </Fact>
        {client.redirectUri !== null && (
          <Fact name="Redirect URI" mono>
            {client.redirectUri}
          </Fact>
        )}
      </Facts>
      {children !== false && <div className={classes.buttons}>{children}</div>}
    </section>
  );
}
