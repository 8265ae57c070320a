import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { root } from '../../../server/core/root.ts'
import { bundlePrograms } from '../../../server/launch/bundle.ts'
import { findLockHolder } from '../../../server/launch/lock.ts'
import { findFreePort } from '../../../server/launch/postgres.ts'
import { toServerUrl } from '../../../server/launch/roles.ts'
import { findSecret } from '../../../server/launch/secrets.ts'
import { startOutsideIssuer, type TestIssuer } from '../../support/outside/outsideIssuer.ts'
import { product } from '../products.ts'
import { addPerson, breaches, choose, signIn } from '../support.ts'

test.describe.configure({ mode: 'serial' })

/** The origin of a second server, with its own sign-in settings, on the database of this worker’s copy. */
let origin: string
let issuer: TestIssuer
let server: ChildProcess

test.beforeAll(async () => {
  const port = await findFreePort()
  origin = `http://localhost:${port}`
  issuer = await startOutsideIssuer(`${origin}/sign-in/callback`, { endsSessions: true, loggedOut: `${origin}/loggedout` })
  const data = resolve(root, product.data)
  const databaseUrl = toServerUrl(
    assertDefined(assertDefined(findLockHolder(data)).databaseUrl),
    assertDefined(findSecret(data, 'databaseServer')),
  )
  server = fork(join(await bundlePrograms(root), 'server.mjs'), {
    cwd: root,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_KEY: assertDefined(findSecret(data, 'dataKey')),
      LOG_LEVEL: 'error',
      DEMO: '1',
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
      OIDC_NAME: 'Microsoft',
    },
  })
  await once(server, 'message')
})

test.afterAll(async () => {
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  await gone
  issuer.close()
})

const unique = Date.now() % 1e7
const group = `inspectors-${unique}`
const email = `ines.${unique}@harbour.example`

test('an administrator adds a group rule, sees who added it, removes it and adds it again', async ({ page }) => {
  await signIn(page, 'admin@bursar.example', '/administrator/sign-in-rules')
  await choose(page, 'Organisation', 'Harbour Learning Trust')
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  const row = rules.getByRole('row', { name: group })
  const history = page.getByRole('region', { name: 'History' })
  const add = async (): Promise<void> => {
    await page.getByRole('textbox', { name: 'Value of the claim' }).fill(group)
    await page.getByRole('combobox', { name: 'User group' }).click()
    await page.getByRole('option', { name: 'Auditor' }).click()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await expect(row).toContainText('Auditor')
    await expect(page.getByRole('button', { name: 'Add rule' })).toBeFocused()
  }
  const says = (what: string) =>
    history.getByRole('listitem').filter({ hasText: `${what} the rule that puts everyone with “${group}” in Auditor` })

  await add()
  await expect(says('added')).toHaveCount(1)
  expect(await breaches(page)).toEqual([])
  await page.getByRole('alert').filter({ hasText: 'Added rule' }).getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveCount(0)
  await expect(says('removed')).toHaveCount(1)

  await add()
  await row.getByRole('button', { name: /^Remove the rule/ }).click()
  await expect(row).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(row).toBeVisible()
  await says('restored').getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveCount(0)
  await add()

  await addPerson(page, { email, forename: 'Ines', surname: 'Spector' })
})

test('a user signs in through an outside issuer with the rights of their group there; an unknown user is told so and uses another account', async ({
  page,
}) => {
  issuer.chooseAccount({ sub: `stranger-${unique}`, email: `stranger.${unique}@elsewhere.example`, email_verified: true })
  await page.goto(origin)
  await expect(page.getByRole('alert')).toContainText(`No user here has the address stranger.${unique}@elsewhere.example.`)
  expect(await breaches(page)).toEqual([])

  issuer.chooseAccount({ sub: `ines-${unique}`, email, email_verified: true, groups: [group] })
  await page.getByRole('link', { name: 'Sign in with Microsoft' }).click()
  await expect(page.getByRole('heading', { name: /Ines/ })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Harbour Learning Trust')
  await page.goto(`${origin}/profile`)
  await expect(page.getByText('User groups Auditor')).toBeVisible()

  await page.getByRole('button', { name: /Ines Spector/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(page).toHaveURL(`${origin}/loggedout`)
  await expect(page.getByText('You are signed out of Bursar.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with Microsoft' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
})
