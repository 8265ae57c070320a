import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'server', 'worker'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts'))

/**
 * The modules that open work across all organisations. Every other transaction is limited to one organisation by row-level security, so
 * none of its statements can join rows of two. This keeps it possible to split the organisations over several databases.
 */
const overAll: Record<string, string> = {
  '^server/(auth|launch|tools|demo|audit|backup)/': 'sign-in comes before an organisation is known; tools are run by who owns the database',
  '^server/core/(database/(database|userNames)|calls/procedures|stream/anchors|watch/metrics)\\.ts$':
    'the gate of calls on no organisation, anchors and figures of all, and the names of users, who stand outside of organisations',
  '^server/resources/(procedures|import/progress)\\.ts$': 'national records',
  '^server/features/(apiClients|users|startup)/|^server/shared/users/':
    'users, their groups and API clients stand outside of organisations',
  '^server/features/(home/router|images/commands|messages/router|monitoring/monthEnd/router|reports/comments/queries|versions/approval/(router|notices/commands))\\.ts$':
    'pictures of national records, broken logs for administrators, reminders to users, who may be mentioned',
  '^server/features/integrations/(trying|connections/running|webhooks/sending)/commands\\.ts$': 'workers claim what is due, row by row',
  '^worker/(runWorker|recalculate|fill|explain|files)\\.ts$': 'workers look what is left to be done, and do it within its organisation',
}

it('only the listed modules open work over all organisations, each for a stated reason', () => {
  const opening = files.filter((file) => /\basPlatform\b/.test(readFileSync(join(root, file), 'utf8')))
  const wrong = opening.filter((file) => !Object.keys(overAll).some((pattern) => new RegExp(pattern).test(file)))
  expect(wrong.map((file) => `${file}: use inOrganisation, or say here why it must see all organisations`)).toEqual([])
  const unused = Object.keys(overAll).filter((pattern) => !opening.some((file) => new RegExp(pattern).test(file)))
  expect(unused).toEqual([])
})
