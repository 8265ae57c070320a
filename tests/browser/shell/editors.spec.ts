import { expect, type Page, test } from '@playwright/test'
import { choose, signIn } from '../support.ts'

/** Holds back the replies of a call. @returns a function that releases them */
async function holdAnswers(page: Page, call: RegExp): Promise<() => void> {
  let answer = (): void => undefined
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route(call, async (route) => {
    const reply = await route.fetch()
    await held
    await route.fulfill({ response: reply })
  })
  return answer
}

test('two users edit one opening balance: no typing is lost, a conflict offers both values, and a save is undone', async ({
  browser,
  page,
}) => {
  await signIn(page, 'northgate@harbour.example', '/overview/opening-balances/add')
  const mark = `Reserve ${Date.now() % 1e6}`
  const [description, value] = [page.getByRole('textbox', { name: 'Description' }), page.getByRole('textbox', { name: 'Value' })]
  await expect(value).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(description).toBeFocused()
  await description.fill(mark)
  await value.fill('100')
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/opening-balances\/[0-9a-f]{24}(\?|$)/)
  await expect(page.getByRole('heading', { name: mark })).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await other.goto(page.url())
  await value.fill('250')
  await other.getByRole('textbox', { name: 'Description' }).fill(`${mark} of the trust`)
  await other.getByRole('textbox', { name: 'Value' }).fill('175')
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Updated Opening balance')).toBeVisible()
  await other.context().close()
  await expect(page.getByText('They changed: Description, Value.')).toBeVisible()
  await expect(value).toHaveValue('£250')
  await expect(page.getByText('You both changed Value, you to 250 and they to 175:')).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Which Value to keep' }).getByText('Theirs').click()
  await page.getByRole('button', { name: 'Keep my changes' }).click()
  await expect(description).toHaveValue(`${mark} of the trust`)
  await expect(value).toHaveValue('£175')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  await value.fill('300')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Opening balance')).toBeVisible()
  await description.fill(`${mark} once more`)
  await page.getByRole('button', { name: /^Undo/ }).last().click()
  await expect(value).toHaveValue('£175')
  // What was typed after the save stays.
  await expect(description).toHaveValue(`${mark} once more`)
})

for (const [path, call, saveOf] of [
  ['/console/coding/cost-centres', /costCentre\.create/, (mark: string) => [`A${mark}`, 'Art']],
  ['/overview/opening-balances', /openingBalances\.save/, (mark: string) => [`Reserve ${mark}`, '100']],
] as const)
  test(`what is typed while a new record of ${path} is being saved stays, key by key`, async ({ page }) => {
    await signIn(page, 'northgate@harbour.example', `${path}/add`)
    const answer = await holdAnswers(page, call)
    const [first, second] = saveOf(String(Date.now() % 1e6))
    const names = path.endsWith('cost-centres') ? ['Code', 'Description'] : ['Description', 'Value']
    await page.getByRole('textbox', { name: names[0], exact: true }).fill(first!)
    const field = page.getByRole('textbox', { name: names[1], exact: true })
    await field.fill(second!)
    await Promise.all([page.waitForRequest(call), page.keyboard.press('Control+s')])
    await page.keyboard.type('1')
    // Pressing Save during a save saves what was typed since.
    await page.keyboard.press('Control+s')
    answer()
    // Typing goes on while the reply arrives and the URL changes.
    for (const key of '2345') await page.keyboard.type(key, { delay: 30 })
    await expect(page).toHaveURL(/\/[0-9a-f]+(\?|$)/)
    await page.keyboard.type('6')
    await expect(field).toBeFocused()
    expect((await field.inputValue()).replace(/[£,]/g, '')).toBe(`${second}123456`)
    await expect(page.getByText(/^Updated /)).toBeVisible()
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Unsaved')).toHaveCount(0)
    await page.reload()
    await expect(field).toHaveValue(path.endsWith('cost-centres') ? `${second}123456` : '£100,123,456')
  })

test('a late reply to a save takes nobody out of another form, and no other record is overwritten', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/cost-centres')
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  const jump = async (title: string, to: RegExp): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill(title)
    await page.keyboard.press('Enter')
    // With unsaved changes, the page asks first.
    if (!title.startsWith('cost')) await page.getByRole('button', { name: 'Discard Changes' }).click()
    await expect(page).toHaveURL(to)
  }
  const saveLate = async (): Promise<() => Promise<unknown>> => {
    await page.getByRole('button', { name: 'Add cost centre' }).click()
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(`L${Date.now() % 1e8}`)
    await description.fill('Late')
    const answer = await holdAnswers(page, /costCentre\.create/)
    await Promise.all([page.waitForRequest(/costCentre\.create/), page.keyboard.press('Control+s')])
    return () => Promise.all([page.waitForResponse(/costCentre\.create/), answer()])
  }
  await page.getByRole('gridcell').nth(1).click()
  await expect(description).not.toHaveValue('')
  const [url, before] = [page.url(), await description.inputValue()]
  await jump('cost centres', /console\/coding\/cost-centres(\?|$)/)
  const answer = await saveLate()
  // Two steps back, over the list to the record, before the new record has loaded.
  await page.evaluate(() => window.history.go(-2))
  await page.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(description).toHaveValue(before)
  await answer()
  await expect(page.getByText('Created new Cost centre')).toHaveCount(1)
  await expect(page).toHaveURL(url)
  await expect(description).toHaveValue(before)

  await page.unroute(/costCentre\.create/)
  await jump('cost centres', /console\/coding\/cost-centres(\?|$)/)
  const answerAgain = await saveLate()
  await jump('opening balances', /opening-balances(\?|$)/)
  await page.getByRole('button', { name: 'Add opening balance' }).click()
  await description.fill('Typed elsewhere')
  await answerAgain()
  await expect(page.getByText('Created new Cost centre').last()).toBeVisible()
  await expect(page).toHaveURL(/opening-balances\/add(\?|$)/)
  await expect(description).toHaveValue('Typed elsewhere')
})

test('unsaved typing stays when the record cannot be reloaded', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/cost-centres')
  await page.getByRole('gridcell').nth(1).click()
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  await expect(description).not.toHaveValue('')
  await description.fill('Typed and kept')
  await page.route(/costCentre\.get/, (route) => route.abort())
  let failed = 0
  page.on('requestfailed', (request) => {
    if (/costCentre\.get/.test(request.url())) failed++
  })
  // A record that is already loading is not loaded again.
  await expect
    .poll(async () => {
      await page.evaluate(() => {
        window.dispatchEvent(new Event('offline'))
        window.dispatchEvent(new Event('online'))
      })
      return failed
    })
    .toBeGreaterThan(0)
  // After the next frame the screen has been rendered.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect(description).toHaveValue('Typed and kept')
})

test('the save of a record is undone from its notice', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/cost-centres')
  await page.getByRole('gridcell').nth(1).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await expect(field).not.toHaveValue('')
  const before = await field.inputValue()
  await field.fill('Changed by mistake')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Cost centre')).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(field).toHaveValue(before)
})

test('a save whose reply was lost makes one record when Save is pressed again', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/cost-centres/add')
  const code = `C${Date.now() % 1e8}`
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Cut off')
  const answers: number[] = []
  await page.route('**/resources.costCentre.create?*', async (route) => {
    const answer = await route.fetch()
    answers.push(answer.status())
    if (answers.length === 1) return route.abort()
    return route.fulfill({ response: answer })
  })
  await page.keyboard.press('Control+s')
  await expect.poll(() => answers).toEqual([200])
  await expect(page.getByRole('button', { name: /^Save/ })).toBeEnabled()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Cost centre')).toBeVisible()
  expect(answers).toEqual([200, 200])
  await page.goto(`/console/coding/cost-centres?search=${code}`)
  await expect(page.getByRole('gridcell', { name: code, exact: true })).toHaveCount(1)
})

test('the label of a tick box is beside it', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts/add')
  const box = await page.getByRole('checkbox', { name: 'Apprentice' }).boundingBox()
  const word = await page.locator('#content').getByText('Apprentice', { exact: true }).boundingBox()
  expect(word!.x).toBeGreaterThanOrEqual(box!.x + box!.width)
  expect(Math.abs(word!.y + word!.height / 2 - (box!.y + box!.height / 2))).toBeLessThan(6)
})
