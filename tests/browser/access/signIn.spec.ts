import { expect, type Page, test } from '@playwright/test'
import { readAppCode } from '../../support/outside/authenticatorApp.ts'
import { addPerson, breaches, signIn } from '../support.ts'

const password = 'A long enough password'

/** Adds a new user as an administrator of the product and follows the password link. */
async function newPerson(page: Page, email: string): Promise<void> {
  await signIn(page, 'admin@bursar.example')
  await addPerson(page, { email, forename: 'Ada', surname: 'Door' })
  await openPerson(page, email)
  await page.getByRole('button', { name: 'Invite' }).click()
  const link = await page.getByRole('textbox', { name: 'One-time link' }).inputValue()
  await page.context().clearCookies()
  await page.goto(link)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Repeat the password').fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
}

async function openPerson(page: Page, email: string): Promise<void> {
  await page.goto('/administrator/users')
  await page
    .locator('#content')
    .getByPlaceholder(/^Search/)
    .fill(email)
  // The search re-renders the list: a row replaced during the click would not open, so wait for the final list.
  await expect(page.locator('tr[data-index]')).toHaveCount(1)
  await page.getByRole('gridcell', { name: email }).click()
  await expect(page.getByRole('heading', { name: 'Ada Door' })).toBeVisible()
}

/** Signs out by clearing the session, and opens the sign-in page. */
async function toSignIn(page: Page): Promise<void> {
  await page.context().clearCookies()
  // A page of the product that requires no sign-in.
  await page.goto('/icon.svg')
  await page.evaluate(() => window.sessionStorage.clear())
  await page.goto('/')
}

async function typePassword(page: Page, email: string): Promise<void> {
  await toSignIn(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a user sets up an authenticator app, signs in with its code, and with a recovery code once the phone is lost', {
  tag: '@journey',
}, async ({ page }) => {
  const email = `ada.${Date.now() % 1e7}@harbour.example`
  await newPerson(page, email)
  await typePassword(page, email)
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code for the app to scan' })).toBeVisible()
  await dialog.getByText('Cannot scan the QR code?').click()
  const key = (await dialog.locator('code').textContent())!
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This code is wrong')).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Code' }).fill(readAppCode(key, -1))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const [code] = await codes.getByRole('listitem').allTextContents()
  await codes.getByRole('button', { name: 'I have saved the codes' }).click()
  await expect(page.getByText('Unused recovery codes: 10.')).toBeVisible()

  await typePassword(page, email)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('This code is wrong')
  expect(await breaches(page)).toEqual([])
  await page.getByLabel('Code').fill(readAppCode(key, 1))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('banner')).toBeVisible()

  await typePassword(page, email)
  await page.getByLabel('Code').fill(code!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText('Unused recovery codes: 9.')).toBeVisible()
})

test('a user adds a passkey, signs in with it by the button and by the browser’s offer, renames and removes it', async ({ page }) => {
  const email = `joan.${Date.now() % 1e7}@harbour.example`
  await newPerson(page, email)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  /** Whether the virtual device confirms the user’s presence as soon as it is asked. */
  const touches = (enabled: boolean) => devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  await typePassword(page, email)
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(/^Chrome on /)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('Another password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The password is wrong.')).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await touches(true)
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await page.keyboard.press('Enter')
  const own = page.getByRole('listitem').filter({ hasText: 'Work laptop' })
  await expect(own).toContainText('not used yet')
  await touches(false)

  await toSignIn(page)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await touches(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('banner')).toBeVisible()

  await toSignIn(page)
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByRole('listitem').filter({ hasText: 'This browser' })).toContainText('with a passkey')
  await page.getByRole('button', { name: 'Rename Work laptop' }).click()
  await page.getByRole('dialog', { name: 'Rename passkey' }).getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('dialog', { name: 'Remove passkey' }).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Removed passkey')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toHaveCount(0)
})

test('a user sees their sign-ins, ends one in another browser, and signs out everywhere', async ({ page, browser }) => {
  const email = `grace.${Date.now() % 1e7}@harbour.example`
  await newPerson(page, email)
  await typePassword(page, email)
  await expect(page.getByRole('banner')).toBeVisible()
  const elsewhere = await (await browser.newContext()).newPage()
  await typePassword(elsewhere, email)
  await expect(elsewhere.getByRole('banner')).toBeVisible()
  await page.goto('/profile')
  const list = page.getByRole('listitem').filter({ hasText: 'Chrome on' })
  await expect(list).toHaveCount(2)
  await expect(list.filter({ hasText: 'This browser' })).toHaveCount(1)
  expect(await breaches(page)).toEqual([])
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await expect(list).toHaveCount(1)
  await elsewhere.goto('/profile')
  await expect(elsewhere.getByLabel('Password')).toBeVisible()
  await elsewhere.context().close()

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog', { name: 'Sign out everywhere' }).getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/loggedout$/)
  await page.goto('/')
  await expect(page.getByLabel('Password')).toBeVisible()
})

test('a visitor of the demo chooses one of its people, and somebody who forgot a password is told whom to ask', async ({ page }) => {
  await toSignIn(page)
  await page.getByRole('link', { name: 'Forgotten password' }).click()
  await expect(page.getByText('Ask the person who manages users')).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
  await expect(page.getByRole('heading', { name: 'Look around as one of the demo users' })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await page.getByRole('button', { name: 'Sam Turner' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner')).toContainText('Northgate')
})
