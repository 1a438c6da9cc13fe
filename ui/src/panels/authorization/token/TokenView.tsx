import { Button } from '@mantine/core';
import { IconAlertTriangle, IconClockX, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ClientItem, JwtItem, ServerId, TokenItem } from '../../../contract/generated/contract';
import {
  foldMasks,
  isExpired,
  isUnderWay,
  originWords,
  timeLeft,
} from '../../../model/authorization/authorizationWords';
import { useNow } from '../../../model/store/clock';
import { useAuthorization, useModel } from '../../../model/workspace/context';
import { formatDateTime } from '../../../model/text/format';
import { indentJson } from '../../../model/text/json';
import { CodeText } from '../../../widgets/code/CodeView';
import { Segments } from '../../../widgets/controls/Segments';
import { ForgetDialog } from '../ForgetDialog';
import { ScopesEditor } from './ScopesEditor';
import classes from './TokenView.module.css';

/** The token as far as it may be shown, what stands in it, and whom the authorization server knows us as. */
export function TokenView({ serverId }: { serverId: ServerId }) {
  const { data } = useAuthorization(serverId);
  if (data === undefined) return null;
  const { token, client, problem } = data;
  return (
    <div className={`${classes.token} pb-selectable`}>
      {problem !== null && (
        <p className={classes.problem} role="status">
          <IconAlertTriangle size={14} aria-hidden />
          {problem}
        </p>
      )}
      {token === null ? (
        <p className={classes.none}>There is no token. When a run gets one, it is shown here, masked.</p>
      ) : (
        <>
          <Token serverId={serverId} token={token} />
          <Jwt jwt={token.jwt} />
        </>
      )}
      <ScopesEditor serverId={serverId} granted={token?.scopes ?? null} />
      {client !== null && <Client client={client} />}
    </div>
  );
}

function Token({ serverId, token }: { serverId: ServerId; token: TokenItem }) {
  const { authorizations } = useModel();
  const { busy, data } = useAuthorization(serverId);
  const [forgetting, setForgetting] = useState(false);
  const underWay = isUnderWay(data?.run ?? null);
  const isBound = token.resource !== null && token.resource !== '';
  return (
    <section className={classes.section} aria-label="Access token">
      <h3 className={classes.heading}>Access token</h3>
      <dl className={classes.facts}>
        <dt>Expires</dt>
        <dd>
          <Expiry token={token} />
        </dd>
        <dt>Token</dt>
        <dd className="pb-mono">{foldMasks(token.masked)}</dd>
        <dt>Issuer</dt>
        <dd className="pb-mono">{token.issuer}</dd>
        <dt>Resource</dt>
        <dd className={isBound ? 'pb-mono' : classes.dim}>{isBound ? token.resource : 'not bound to one'}</dd>
        <dt>Sent to</dt>
        <dd>
          <span className="pb-mono">{token.issuedTo}</span>
          <span className={classes.note}>
            and to nothing else; the traffic log shows each request that carried it.
          </span>
        </dd>
        <dt>Obtained</dt>
        <dd>{formatDateTime(token.obtainedAtMs).slice(0, 19)}</dd>
        <dt>Refresh token</dt>
        <dd>
          {token.hasRefresh ? 'yes: it is renewed without you' : 'none: when it ends, you are asked again'}
        </dd>
      </dl>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          disabled={!token.hasRefresh || underWay}
          loading={busy}
          data-tip={
            token.hasRefresh ? 'Gets a new token with the refresh token' : 'There is no refresh token'
          }
          onClick={() => void authorizations.refreshToken(serverId)}
        >
          Refresh now
        </Button>
        <Button
          variant="default"
          leftSection={<IconClockX size={16} />}
          disabled={busy || underWay}
          data-tip="Acts as if the token had ended, to see what the next request does. Nothing is sent."
          onClick={() => void authorizations.expireToken(serverId)}
        >
          Expire now
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          disabled={busy}
          onClick={() => setForgetting(true)}
        >
          Forget …
        </Button>
      </div>
      {forgetting && <ForgetDialog serverId={serverId} token={token} onClose={() => setForgetting(false)} />}
    </section>
  );
}

/** Alone what changes every second. */
function Expiry({ token }: { token: TokenItem }) {
  const now = Math.floor(useNow() / 1000) * 1000;
  const { expiresAtMs } = token;
  if (expiresAtMs === null) return <>not said by the authorization server</>;
  const at = <span className={classes.dim}>{formatDateTime(expiresAtMs).slice(0, 19)}</span>;
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
    <section className={classes.section} aria-label="What stands in the token">
      <div className={classes.head}>
        <h3 className={classes.heading}>{jwt === null ? 'What stands in it' : 'JWT'}</h3>
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
        <p className={classes.note}>
          It is opaque: no JWT. What it allows, only its authorization server knows.
        </p>
      ) : (
        <>
          <p className={classes.note}>
            As it stands there; not checked, since the token is the server’s to judge.
          </p>
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

function Client({ client }: { client: ClientItem }) {
  return (
    <section className={classes.section} aria-label="Client">
      <h3 className={classes.heading}>Patchbay as a client</h3>
      <dl className={classes.facts}>
        <dt>Known to</dt>
        <dd className="pb-mono">{client.issuer}</dd>
        <dt>Client id</dt>
        <dd className="pb-mono">{client.clientId}</dd>
        <dt>Comes</dt>
        <dd>{originWords(client.origin)}</dd>
        <dt>Kind</dt>
        <dd>{client.isConfidential ? 'confidential: with a secret or key' : 'public: no secret'}</dd>
        {client.redirectUri !== null && (
          <>
            <dt>Redirect URI</dt>
            <dd className="pb-mono">{client.redirectUri}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
