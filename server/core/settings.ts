/**
 * Programs that read a setting. `tools` are those of server/tools, including `migrate`. `compose` means that docker-compose.yml takes it
 * from `.env`. Node.js and OpenTelemetry read the environment themselves.
 */
type SettingReader = 'server' | 'worker' | 'npm start' | 'tools' | 'compose' | 'Node.js' | 'OpenTelemetry'

export type SettingGroup =
  | 'general'
  | 'keys'
  | 'database'
  | 'redis'
  | 'signIn'
  | 'mail'
  | 'otherSystems'
  | 'watching'
  | 'backup'
  | 'compose'

interface Setting {
  group: SettingGroup
  /** What applies if the setting is empty or missing, in words. */
  unset: string
  /** One sentence for the operator. */
  does: string
  /** Which programs use it. Every server and worker checks all settings when it starts. */
  readBy: readonly SettingReader[]
  /** A secret may be read from a file instead, named by NAME_FILE. */
  secret?: true
}

/** Every environment variable that an operator may set. `npm run docs` writes docs/operators/configuration.md from this table. */
export const settings = {
  PORT: { group: 'general', unset: '3000', does: 'Port on which the server listens.', readBy: ['server', 'npm start'] },
  PUBLIC_URL: {
    group: 'general',
    unset: '`http://localhost:PORT`; with Compose, from `HOST_NAME`',
    does: 'Address at which people reach Bursar. Tokens, redirects and passkeys are bound to it.',
    readBy: ['server', 'worker', 'npm start', 'tools', 'compose'],
  },
  DATA_DIR: {
    group: 'general',
    unset: '`.data` for `npm start` and tools',
    does: 'Folder of the embedded PostgreSQL, its passwords (`secrets.json`) and the signed anchors.',
    readBy: ['worker', 'npm start', 'tools'],
  },
  DEMO: {
    group: 'general',
    unset: '1 with `npm start`, otherwise 0',
    does: '1 loads the demo trusts, 0 does not. `fresh` (`npm start` only) omits their year of work.',
    readBy: ['server', 'worker', 'npm start', 'tools', 'compose'],
  },
  WORKERS: {
    group: 'general',
    unset: '2, or 1 on a single processor',
    does: 'Number of workers that `npm start` runs, 1 to 16.',
    readBy: ['npm start'],
  },
  TRUST_PROXY: {
    group: 'general',
    unset: '0; 1 with Compose',
    does: 'Number of proxies in front that add to `X-Forwarded-For`, 0 to 9. Rate limits depend on it.',
    readBy: ['server', 'compose'],
  },
  LOG_LEVEL: {
    group: 'general',
    unset: '`warn` with `npm start`, otherwise `info`',
    does: 'Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug` or `trace`.',
    readBy: ['server', 'worker', 'npm start', 'tools', 'compose'],
  },
  NODE_ENV: {
    group: 'general',
    unset: '`production` in the image',
    does: '`production` refuses to start while the demo’s published passwords still work and `DEMO` is not 1.',
    readBy: ['server', 'worker', 'npm start', 'tools'],
  },
  COMMIT: {
    group: 'general',
    unset: 'that of the release',
    does: 'Commit that `GET /api/Version` reports. Set it in an image that you build yourself.',
    readBy: ['server'],
  },
  DATA_KEY: {
    group: 'keys',
    unset: 'made by `npm start` in `secrets.json`',
    does: 'Seals the keys in the database, 32 characters or more. During a change: two lines, new key first.',
    readBy: ['server', 'worker', 'npm start', 'tools'],
    secret: true,
  },
  NEW_DATA_KEY: {
    group: 'keys',
    unset: 'none',
    does: 'New key with which `npm run admin -- change-key` replaces `DATA_KEY` while Bursar is stopped.',
    readBy: ['tools'],
    secret: true,
  },
  DATABASE_URL: {
    group: 'database',
    unset: 'the embedded PostgreSQL',
    does: 'Address of PostgreSQL: as its owner for `npm start` and tools, otherwise as `bursar_app`.',
    readBy: ['server', 'worker', 'npm start', 'tools'],
    secret: true,
  },
  DATABASE_PASSWORD: {
    group: 'database',
    unset: 'the one in `DATABASE_URL`',
    does: 'Password for `DATABASE_URL`, not URL-encoded. A file is read again for each new connection.',
    readBy: ['server', 'worker', 'npm start', 'tools'],
    secret: true,
  },
  DATABASE_APP_PASSWORD: {
    group: 'database',
    unset: 'made by `npm start` in `secrets.json`',
    does: 'Password to give the role `bursar_app`. Migrations and restores need it.',
    readBy: ['server', 'worker', 'npm start', 'tools'],
    secret: true,
  },
  DATABASE_DIRECT_URL: {
    group: 'database',
    unset: '`DATABASE_URL` is PostgreSQL itself',
    does: 'Address of PostgreSQL, as `bursar_app`, if `DATABASE_URL` is a pooler in transaction mode.',
    readBy: ['server', 'worker'],
    secret: true,
  },
  DATABASE_READ_URL: {
    group: 'database',
    unset: 'none',
    does: 'Address of a streaming replica, as `bursar_app`. Bursar reads reports from it.',
    readBy: ['server', 'worker', 'tools', 'compose'],
    secret: true,
  },
  POSTGRES_PASSWORD: {
    group: 'database',
    unset: 'none',
    does: 'Not used to connect. Bursar refuses to start if it is a password published in an example.',
    readBy: ['server', 'worker', 'npm start', 'tools'],
    secret: true,
  },
  NODE_EXTRA_CA_CERTS: {
    group: 'database',
    unset: 'public authorities only',
    does: 'PEM file of your own certificate authority, if it signed the certificate of PostgreSQL or Redis.',
    readBy: ['Node.js'],
  },
  REDIS_URL: {
    group: 'redis',
    unset: 'queues on PostgreSQL',
    does: 'Redis for queues, live messages and rate limits, as `redis://host:6379`, or `rediss://` with TLS.',
    readBy: ['server', 'worker'],
    secret: true,
  },
  REDIS_PASSWORD: {
    group: 'redis',
    unset: 'the one in `REDIS_URL`',
    does: 'Password for `REDIS_URL`, not URL-encoded. A file is read again for each new connection.',
    readBy: ['server', 'worker'],
    secret: true,
  },
  REDIS_SENTINELS: {
    group: 'redis',
    unset: 'a single Redis',
    does: 'Sentinels, as `host:26379,host:26379`. `REDIS_URL` then names the master: `redis://mymaster`.',
    readBy: ['server', 'worker', 'tools'],
  },
  REDIS_SENTINEL_PASSWORD: {
    group: 'redis',
    unset: 'none',
    does: 'Password of the sentinels, if they ask for one.',
    readBy: ['server', 'worker', 'tools'],
    secret: true,
  },
  QUEUE_PREFIX: {
    group: 'redis',
    unset: '`bursar`',
    does: 'Prefix of keys. Installations that share one Redis each need their own.',
    readBy: ['server', 'worker', 'compose'],
  },
  OIDC_ISSUER: {
    group: 'signIn',
    unset: 'passwords in Bursar',
    does: 'Address of the OpenID Connect issuer where people sign in.',
    readBy: ['server', 'tools', 'compose'],
  },
  OIDC_CLIENT_ID: {
    group: 'signIn',
    unset: 'none',
    does: 'Client ID that the issuer gave Bursar. Required with `OIDC_ISSUER`.',
    readBy: ['server', 'tools', 'compose'],
  },
  OIDC_CLIENT_SECRET: {
    group: 'signIn',
    unset: 'none: a public client with PKCE',
    does: 'Client secret that the issuer gave Bursar.',
    readBy: ['server', 'tools', 'compose'],
    secret: true,
  },
  OIDC_NAME: {
    group: 'signIn',
    unset: 'host of the issuer',
    does: 'Name of the issuer on the sign-in page, as in “Sign in with Microsoft”.',
    readBy: ['server', 'tools', 'compose'],
  },
  OIDC_TRUST_EMAIL: {
    group: 'signIn',
    unset: '0',
    does: '1 accepts email addresses without `email_verified`. Only for an issuer that you run.',
    readBy: ['server', 'tools', 'compose'],
  },
  OIDC_SECOND_STEP: {
    group: 'signIn',
    unset: '`here`',
    does: '`issuer` if the issuer always asks for two-step verification; Bursar then does not ask again.',
    readBy: ['server', 'tools', 'compose'],
  },
  OIDC_GROUPS: {
    group: 'signIn',
    unset: 'none',
    does: 'JSON list of rules that map groups of the issuer to user groups.',
    readBy: ['server', 'tools', 'compose'],
  },
  OIDC_GROUPS_CLAIM: {
    group: 'signIn',
    unset: '`groups`',
    does: 'Claim of the ID token that holds the groups.',
    readBy: ['server', 'tools', 'compose'],
  },
  SMTP_URL: {
    group: 'mail',
    unset: 'links are shown, not emailed',
    does: 'Mail server for invitations, password resets and notices, as `smtps://user:password@host`.',
    readBy: ['server', 'worker', 'tools', 'compose'],
    secret: true,
  },
  MAIL_FROM: {
    group: 'mail',
    unset: 'none',
    does: 'Sender’s address of all emails. Required with `SMTP_URL`.',
    readBy: ['server', 'worker', 'tools', 'compose'],
  },
  ANCHOR_MAIL: {
    group: 'mail',
    unset: 'none',
    does: 'Email address that gets the daily anchors of the logs. Needs `SMTP_URL` and `DATA_DIR`.',
    readBy: ['worker', 'tools', 'compose'],
  },
  OUTBOUND_NETWORKS: {
    group: 'otherSystems',
    unset: 'none',
    does: 'Private networks that connections of every organisation may reach, such as 10.20.0.0/16.',
    readBy: ['server', 'worker', 'compose'],
  },
  EXCHANGE_DIR: {
    group: 'otherSystems',
    unset: 'none: files go over SFTP only',
    does: 'Folder for exchanging files. Each organisation has a subfolder, named by its id.',
    readBy: ['server', 'worker'],
  },
  WORKER_PORT: {
    group: 'watching',
    unset: 'none',
    does: 'Port on which a worker answers `/healthz` and `/readyz` to its own machine.',
    readBy: ['worker', 'npm start'],
  },
  METRICS_PORT: {
    group: 'watching',
    unset: 'none',
    does: 'Port on which each process answers Prometheus at `/metrics`.',
    readBy: ['server', 'worker', 'npm start', 'compose'],
  },
  METRICS_TOKEN: {
    group: 'watching',
    unset: 'this machine only',
    does: 'Bearer token that Prometheus sends, 24 characters or more.',
    readBy: ['server', 'worker'],
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'watching',
    unset: 'no tracing',
    does: 'Collector that receives traces, as `http://collector:4318`.',
    readBy: ['server', 'worker', 'compose', 'OpenTelemetry'],
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    group: 'watching',
    unset: 'none',
    does: 'Headers sent to the collector, such as a token.',
    readBy: ['compose', 'OpenTelemetry'],
  },
  OTEL_SERVICE_NAME: {
    group: 'watching',
    unset: '`bursar-server`, `bursar-worker`',
    does: 'Name of the process in traces.',
    readBy: ['server', 'worker'],
  },
  BACKUP_PASSPHRASE: {
    group: 'backup',
    unset: 'none',
    does: 'Passphrase that seals a backup and opens it again, 12 characters or more.',
    readBy: ['tools'],
    secret: true,
  },
  BACKUP_RECIPIENT: {
    group: 'backup',
    unset: 'none',
    does: 'Public key (`age1…`) for which a backup is sealed. `BACKUP_PASSPHRASE` takes precedence.',
    readBy: ['tools'],
  },
  BACKUP_IDENTITY: {
    group: 'backup',
    unset: 'none',
    does: 'Secret key (`AGE-SECRET-KEY-…`) that opens a backup sealed for `BACKUP_RECIPIENT`.',
    readBy: ['tools'],
    secret: true,
  },
  BACKUP_DIR: {
    group: 'backup',
    unset: 'no scheduled backups',
    does: 'Folder of scheduled backups. With it, `npm start` makes one each night.',
    readBy: ['npm start', 'tools'],
  },
  BACKUP_TIME: {
    group: 'backup',
    unset: '02:00',
    does: 'Time of day at which a scheduled backup is made, in London.',
    readBy: ['npm start', 'tools', 'compose'],
  },
  BACKUP_DAYS: {
    group: 'backup',
    unset: '14',
    does: 'Days for which every scheduled backup is kept, 1 to 3650.',
    readBy: ['npm start', 'tools', 'compose'],
  },
  BACKUP_WEEKS: {
    group: 'backup',
    unset: '8',
    does: 'Weeks after that for which one backup a week is kept, 0 to 520.',
    readBy: ['npm start', 'tools', 'compose'],
  },
  RELEASE_KEY: {
    group: 'keys',
    unset: 'releases are not signed',
    does: 'Private key in PEM with which `npm run release` signs a release.',
    readBy: ['tools'],
    secret: true,
  },
  HOST_NAME: {
    group: 'compose',
    unset: 'this machine only, plain HTTP',
    does: 'Host name of the deployment. The proxy fetches and renews its certificate.',
    readBy: ['compose'],
  },
  HTTP_PORT: { group: 'compose', unset: '80', does: 'Port of the machine on which the proxy accepts HTTP.', readBy: ['compose'] },
  HTTPS_PORT: { group: 'compose', unset: '443', does: 'Port of the machine on which the proxy accepts HTTPS.', readBy: ['compose'] },
  OUTER_PROXIES: {
    group: 'compose',
    unset: 'none',
    does: 'Networks of proxies in front of Caddy whose `X-Forwarded-For` is trusted.',
    readBy: ['compose'],
  },
  MEMORY_LIMIT: {
    group: 'compose',
    unset: '`4g`',
    does: 'Maximum memory of each server, worker and tool.',
    readBy: ['compose'],
  },
  SECRETS_FOLDER: {
    group: 'compose',
    unset: '`secrets`, beside `docker-compose.yml`',
    does: 'Folder that holds the secret files.',
    readBy: ['compose'],
  },
  EXCHANGE_FOLDER: {
    group: 'compose',
    unset: 'none',
    does: 'Folder of the machine that workers see as `EXCHANGE_DIR`.',
    readBy: ['compose'],
  },
  BACKUP_FOLDER: {
    group: 'compose',
    unset: 'none',
    does: 'Folder of scheduled backups. Required with `server/launch/backups.yml`.',
    readBy: ['compose'],
  },
  ARCHIVE_FOLDER: {
    group: 'compose',
    unset: 'none',
    does: 'Folder of the point-in-time archive. Required with `server/launch/pointInTime.yml`.',
    readBy: ['compose'],
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type SecretSetting = { [Name in SettingName]: (typeof settings)[Name] extends { secret: true } ? Name : never }[SettingName]

/** Set by npm start for its child processes and by tests, not by an operator. */
type InternalName = 'BURSAR_PROCESS' | 'CHECK_REPLIES'

/** The environment of a process, as far as we read it. Undeclared names do not compile. */
export type Env = Partial<Record<SettingName | `${SecretSetting}_FILE` | InternalName, string>>

const environment: Record<string, string | undefined> = process.env

/** The environment of this process. Nothing else reads `process.env`. */
export const env: Env = environment
