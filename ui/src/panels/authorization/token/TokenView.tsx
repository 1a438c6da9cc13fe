import { Button } from '@mantine/core';
import { IconAlertTriangle, IconClockX, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ClientItem, JwtItem, ServerId, TokenItem } from '../../../contract/generated';
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
import { Fact, Facts } from '../../../widgets/facts/Facts';
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
        <Fact name="Resource" className={isBound ? 'pb-mono' : classes.dim}>
          {isBound ? token.resource : 'not bound to one'}
        </Fact>
        <Fact name="Sent to">
          <span className="pb-mono">{token.issuedTo}</span>
          <span className={classes.note}>
            and to nothing else; the traffic log shows each request that carried it.
          </span>
        </Fact>
        <Fact name="Obtained">{formatDateTime(token.obtainedAtMs).slice(0, 19)}</Fact>
        <Fact name="Refresh token">
          {token.hasRefresh ? 'yes: it is renewed without you' : 'none: when it ends, you are asked again'}
        </Fact>
      </Facts>
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
          Forget…
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
      <Facts>
        <Fact name="Known to" mono>
          {client.issuer}
        </Fact>
        <Fact name="Client id" mono>
          {client.clientId}
        </Fact>
        <Fact name="Comes">{originWords(client.origin)}</Fact>
        <Fact name="Kind">
          {client.isConfidential ? 'confidential: with a secret or key' : 'public: no secret'}
        </Fact>
        {client.redirectUri !== null && (
          <Fact name="Redirect URI" mono>
            {client.redirectUri}
          </Fact>
        )}
      </Facts>
    </section>
  );
}
