import { expect, type Route, test } from '@playwright/test'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

test('a comment on an entry mentions a colleague, who finds it on the home page and reads it beside the entry', {
  tag: '@journey',
}, async ({ page, browser }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/non-staffing/budget-entries')
  await page.getByRole('button', { name: 'Open Gas' }).click()
  const thread = page.getByRole('region', { name: 'Comments', exact: true })
  await thread.getByLabel('Comment').pressSequentially('Is the tariff in, @sam')
  await page.getByRole('option', { name: 'Sam Turner' }).click()
  await thread.getByRole('button', { name: 'Add comment' }).click()
  await expect(thread.getByRole('listitem').filter({ hasText: 'Is the tariff in, @Sam Turner' }).first()).toBeVisible()
  expect(await breaches(page, 'main')).toEqual([])

  const other = await browser.newPage()
  const connected = other.waitForEvent('websocket', { timeout: patience * 30_000 }).then((socket) => socket.waitForEvent('framereceived'))
  await signIn(other, 'northgate@harbour.example')
  const unread = other.getByRole('region', { name: 'Unread comments' })
  await expect(unread).toContainText('Ruth Mensah mentioned you on Gas')
  // The next comment reaches the home page only through the live connection.
  await connected
  // A list of unread comments requested before the comment was read, but answered afterwards, is out of date and must not be shown.
  const asked = other.waitForRequest(/\/trpc\/[^?]*home\.comments/)
  const read = other.waitForResponse(/\/trpc\/[^?]*approval\.seeComments/)
  const holding = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    await read
    await route.fulfill({ response })
  }
  await other.route(/\/trpc\/[^?]*home\.comments/, holding, { times: 1 })
  await thread.getByLabel('Comment').fill('And the standing charge?')
  await thread.getByRole('button', { name: 'Add comment' }).click()
  await asked
  await unread.getByRole('link', { name: 'Gas' }).first().click()
  await expect(
    other
      .getByRole('region', { name: 'Comments', exact: true })
      .getByRole('listitem')
      .filter({ hasText: 'Is the tariff in, @Sam Turner' })
      .first(),
  ).toBeVisible()
  await other.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Home' }).click()
  await expect(other.getByRole('region', { name: 'To do' })).toBeVisible()
  await expect(unread.getByText('mentioned you on Gas')).toHaveCount(0)
  await other.close()
})

test('a comment is shown before the server replies; if the server refuses it, it returns to its field, and other changes are undone', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/non-staffing/budget-entries')
  await page.getByRole('button', { name: 'Open Gas' }).click()
  const thread = page.getByRole('region', { name: 'Comments', exact: true })
  const field = thread.getByLabel('Comment')
  // While a thread loads, a new comment would appear only once it has loaded. So wait until it has.
  await expect(field).toBeVisible()
  await expect(thread.locator('.mantine-Skeleton-root')).toHaveCount(0)
  const words = `Held back ${Date.now() % 1e6}`
  const said = thread.getByRole('listitem').filter({ hasText: words })
  let release = (): void => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  // The request is replaced by one with a comment that is too long, so that the server itself refuses it.
  await page.route(
    /approval\.addComment/,
    async (route) => {
      await held
      await route.continue({ postData: assertDefined(route.request().postData()).replace(words, 'x'.repeat(2100)) })
    },
    { times: 1 },
  )
  await field.fill(words)
  await thread.getByRole('button', { name: 'Add comment' }).press('Enter')
  await expect(said).toBeVisible()
  await expect(field).toHaveValue('')
  await field.fill('And typed meanwhile')
  release()
  await expect(said).toHaveCount(0)
  await expect(field).toHaveValue(`${words}\nAnd typed meanwhile`)
  await expect(page.getByText('at most 2000 characters').first()).toBeVisible()

  // Sent again unchanged, the comment is saved. Resolving it shows at once, although the reply is delayed.
  await field.fill(words)
  await thread.getByRole('button', { name: 'Add comment' }).press('Enter')
  await expect(said.getByRole('button', { name: 'Resolve' })).toBeVisible()
  await page.route(/approval\.changeComment/, (route) => route.abort(), { times: 1 })
  await said.getByRole('button', { name: 'Resolve' }).press('Enter')
  await expect(page.getByText('The server cannot be reached.').first()).toBeVisible()
  await expect(said.getByText(/^Resolved by/)).toHaveCount(0)
  await said.getByRole('button', { name: 'Resolve' }).press('Enter')
  await expect(said.getByText(/^Resolved by Ruth Mensah/)).toBeVisible()
})

test('a comment on a figure of a report is added by keyboard, marks the figure, and a link leads to it', async ({ page, browser }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/reports?report=budgetAnalysis')
  const grant = `Is the grant in ${Date.now() % 1e6}`
  const total = page.getByRole('button', { name: /^Total income, 2026\/27: / })
  await total.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Total income, 2026/27' })
  await dialog.getByRole('textbox', { name: 'Comment' }).pressSequentially(`${grant}, @sam`)
  await dialog.page().getByRole('option', { name: 'Sam Turner' }).click()
  await dialog.getByRole('button', { name: 'Add comment' }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: `${grant}, @Sam Turner` })).toBeVisible()
  expect(await breaches(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(total).toBeFocused()
  await expect(total).toHaveAccessibleName(/, \d+ comments?$/)

  const other = await browser.newPage()
  await signIn(other, 'northgate@harbour.example')
  const unread = other.getByRole('region', { name: 'Unread comments' })
  await unread
    .getByRole('link', { name: /^Budget analysis: Total income, 2026\/27/ })
    .first()
    .click()
  const opened = other.getByRole('dialog', { name: 'Total income, 2026/27' })
  const told = opened.getByRole('listitem').filter({ hasText: grant })
  await told.getByRole('button', { name: 'Resolve' }).click()
  await expect(told.getByText(/^Resolved by Sam Turner/)).toBeVisible()
  await other.keyboard.press('Escape')
  await expect(other.getByRole('button', { name: /^Total income, 2026\/27: / })).toBeFocused()
  await other.getByRole('button', { name: /^Comments \(\d+\)$/ }).click()
  await expect(
    other.getByRole('dialog', { name: 'Comments on this report' }).getByRole('listitem').filter({ hasText: grant }),
  ).toBeVisible()
  await other.close()
})

test('a comment on a budget code is added by keyboard on the summary, marks its row, and is linked from the list of all comments', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/overview/summary')
  await page.getByRole('button', { name: 'Open all' }).click()
  const row = page.getByRole('button', { name: '1100 Catering income', exact: true })
  await row.focus()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Comments on 1100 Catering income' })
  const words = `Are the meals dearer ${Date.now() % 1e6}`
  await dialog.getByRole('combobox', { name: 'Year' }).click()
  await page.getByRole('option', { name: '2027/28' }).click()
  const field = dialog.getByRole('textbox', { name: 'Comment' })
  await field.fill(words)
  // A typed comment is not discarded without a question.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Review Changes' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(field).toHaveValue(words)
  await dialog.getByRole('button', { name: 'Add comment' }).press('Enter')
  const said = dialog.getByRole('listitem').filter({ hasText: words })
  await expect(said).toContainText('on 2027/28')
  await expect(said.getByRole('button', { name: 'Resolve' })).toBeVisible()
  expect(await breaches(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  const mark = page.getByRole('button', { name: /^\d+ comments? on 1100 Catering income$/ })
  await expect(mark).toBeVisible()
  // The arrow keys lead through the breakdown of the code to its comments and back.
  await page.keyboard.press('ArrowRight')
  const comments = page.getByRole('button', { name: 'Comments', exact: true })
  await expect(comments).toBeVisible()
  for (let step = 0; step < 6 && !(await comments.evaluate((one) => one === document.activeElement)); step++)
    await page.keyboard.press('ArrowDown')
  await expect(comments).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(comments).not.toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Tab')
  await expect(comments).not.toBeFocused()
  // Discarding a comment returns the focus to the row.
  await row.focus()
  await page.keyboard.press('c')
  await field.fill('Not to be said')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard Changes' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(row).toBeFocused()
  expect(await breaches(page, 'main')).toEqual([])

  await visit(page, '/overview/approval')
  const listed = page.getByRole('region', { name: 'Comments', exact: true }).getByRole('listitem').filter({ hasText: words })
  await listed.getByRole('link', { name: '1100 Catering income' }).click()
  await expect(said).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/overview\/summary(\?|$)/)
})
