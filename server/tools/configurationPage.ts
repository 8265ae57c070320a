import { entriesOf } from '../../domain/values/keysOf.ts'
import { type SettingGroup, settings } from '../core/settings.ts'

const introduction = `# Configuration

Every setting of Bursar, for people who run it. Settings are environment variables, and all of them are optional
unless a row says otherwise. An empty value counts as not set.

- \`npm start\` and the tools read the environment of the shell. They do not read a file.
- Docker Compose reads the settings marked _compose_ from the file \`.env\` beside \`docker-compose.yml\`: copy
  \`.env.example\`. It takes secrets from files, and sets the address of its own database and Redis itself.
- A program that finds an invalid or missing setting names it in one sentence and does not start.

**Secrets in files.** Where the column _File_ says yes, the value may be in a file instead, as Docker and Kubernetes
provide it: \`DATA_KEY_FILE=/run/secrets/data_key\` in place of \`DATA_KEY\`. Setting both is an error.

\`npm run docs\` writes this page from \`server/core/settings.ts\`. Do not edit it by hand.
`

interface Chapter {
  title: string
  about: string
}

const chapters: Record<SettingGroup, Chapter> = {
  general: {
    title: 'General',
    about: 'See [Installation](install.md).',
  },
  keys: {
    title: 'Keys',
    about: 'How to keep and change them: [Changing secrets](secrets.md).',
  },
  database: {
    title: 'Database',
    about: 'For a PostgreSQL of your own see [Installation](install.md#your-own-postgresql); for a replica, [Growing](growing.md).',
  },
  redis: {
    title: 'Redis',
    about: 'Optional: without it, PostgreSQL holds the queues. See [Growing](growing.md).',
  },
  signIn: {
    title: 'Sign-in provider',
    about: 'See [Sign-in providers](sign-in-providers.md).',
  },
  mail: {
    title: 'Mail',
    about: 'Without mail, Bursar shows a one-time link to the person who asked for it, to pass on.',
  },
  otherSystems: {
    title: 'Other systems',
    about: 'By default, connections and webhooks reach public HTTPS addresses only. See [Connections](../integrators/connections.md).',
  },
  watching: {
    title: 'Watching',
    about: 'See [Watching](watching.md).',
  },
  backup: {
    title: 'Backups',
    about: 'See [Backup and restore](backup-and-restore.md).',
  },
  compose: {
    title: 'Docker Compose',
    about: 'Only Docker Compose reads these. See [Installation](install.md#docker-compose).',
  },
}

/** The text of docs/operators/configuration.md. */
export function renderConfigurationPage(): string {
  return [introduction, ...entriesOf(chapters).map(([group, chapter]) => chapterText(group, chapter))].join('\n')
}

function chapterText(group: SettingGroup, { title, about }: Chapter): string {
  const rows = entriesOf(settings).flatMap(([name, setting]) => {
    if (setting.group !== group) return []
    const file = 'secret' in setting ? 'yes' : ''
    return [[`\`${name}\``, setting.does, setting.unset, setting.readBy.join(', '), file]]
  })
  return `## ${title}\n\n${about}\n\n${formatMarkdownTable(['Setting', 'What it does', 'If not set', 'Read by', 'File'], rows)}`
}

/** A Markdown table with aligned columns, as Biome formats it. */
function formatMarkdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(...[head, ...rows.map((row) => row[column] ?? '')].map((cell) => cell.length)))
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return [heads, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('')
}
