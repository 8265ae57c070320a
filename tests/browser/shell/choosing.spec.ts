import { expect, type Locator, type Page, test } from '@playwright/test'
import { choose, signIn, visit } from '../support.ts'

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')

/** The enabled combo boxes on the page. */
const boxesOf = (page: Page): Locator => page.getByRole('main').locator('input[role="combobox"]:not([disabled]):not([readonly])')

/** The options of the open list, without the line that says there are none. */
const optionsOf = (page: Page): Locator => page.locator('[role="option"]:not([aria-disabled="true"])').filter({ visible: true })

/** The name of an option: its first line, without the salary beside it. */
const nameOf = (text: string): string => text.split('\n')[0]!.split(' £')[0]!.trim()

/**
 * Types an option that is not yet chosen into a box and leaves it with a key. The box must show that option once its
 * list has closed. @returns false if the box has nothing else to choose
 */
async function typesAndTakes(page: Page, box: Locator, key: 'Enter' | 'Tab'): Promise<boolean> {
  const before = await box.inputValue()
  await box.click()
  await expect(page.locator('[role="option"]').filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByText('Searching', { exact: true })).toHaveCount(0)
  const names = (await optionsOf(page).allInnerTexts()).map(nameOf)
  // Leaving the box without typing keeps what was chosen.
  await page.keyboard.press('Tab')
  await expect(box).toHaveValue(before)
  const wanted = names.find((name, at) => at > 0 && name !== before) ?? names.find((name) => name !== before)
  if (!wanted) return false
  await box.focus()
  await page.keyboard.type(wanted)
  await page.keyboard.press(key)
  const pill = page.getByRole('main').locator('.mantine-Pill-label').filter({ hasText: wanted })
  await expect(async () => {
    const shown = await box.inputValue()
    expect(
      new RegExp(`^${escapePattern(wanted)}`).test(shown) || (await pill.count()) > 0,
      `${wanted} was typed, and ${shown} is shown`,
    ).toBe(true)
    expect(await optionsOf(page).count()).toBe(0)
  }).toPass()
  // Reopened, the list shows all options and not only the matches. It may close once more if the search reply arrives late.
  await expect(async () => {
    await box.click()
    await expect(optionsOf(page)).toHaveCount(names.length, { timeout: 2000 })
  }).toPass()
  await page.keyboard.press('Tab')
  return true
}

const pages = [
  '/staffing/staff-contracts/add',
  '/staffing/quick-calculator/add',
  '/non-staffing/budget-entries/add',
  '/non-staffing/ie-calculator/add',
  '/console/general/clusters/add',
  '/console/coding/budget-codes/add',
  '/console/coding/payroll-codes/add',
  '/console/coding/financial-reporting-codes/add',
  '/console/coding/student-groups/add',
  '/console/staffing/service-terms/add',
  '/console/staffing/contract-types/add',
  '/console/staffing/extended-leave-rules/add',
  '/console/staffing/allowances/add',
]

for (const path of pages)
  test(`every combo box of ${path} accepts typing with Tab and with Enter, and keeps its choice without typing`, async ({ page }) => {
    test.setTimeout(180_000)
    await signIn(page, 'finance@harbour.example')
    await choose(page, 'Location', 'Northgate Primary School')
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(boxesOf(page).first()).toBeVisible()
    let taken = 0
    for (let at = 0; at < (await boxesOf(page).count()); at++)
      if (await typesAndTakes(page, boxesOf(page).nth(at), at % 2 ? 'Enter' : 'Tab')) taken++
    expect(taken).toBeGreaterThan(0)
  })

test('a combo box saves what it shows: a scale point typed and left with Tab, or saved without leaving the box, is there after a reload', async ({
  page,
}) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  await page.getByRole('grid', { name: 'Staff contracts' }).getByRole('row').nth(1).getByRole('gridcell').first().focus()
  await page.keyboard.press('Enter')
  const point = page.getByRole('combobox', { name: 'Scale point, row 1' })
  await expect(point).toHaveValue(/./)
  const before = await point.inputValue()
  await point.click()
  const names = (await optionsOf(page).allInnerTexts()).map(nameOf).filter((name) => name !== before)
  await page.keyboard.press('Tab')
  for (const [wanted, key] of [
    [names[0]!, 'Tab'],
    [names[1]!, null],
    [before, 'Enter'],
  ] as const) {
    await point.focus()
    await page.keyboard.type(wanted)
    if (key) await page.keyboard.press(key)
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Updated Staff contract').first()).toBeVisible()
    await expect(point).toHaveValue(wanted)
    await page.reload()
    await expect(point).toHaveValue(wanted)
  }
})
