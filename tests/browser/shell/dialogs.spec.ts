import { expect, type Locator, type Page, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

const parts = { dialog: '[role=dialog]', list: '[role=listbox]', menu: '[role=menu]', calendar: '[data-dates-dropdown]' } as const

/** A dialog, menu or list that opens over a screen. */
interface Opening {
  what: string
  part: keyof typeof parts
  /** The element that opens it, which gets the focus back when it closes. */
  from: (page: Page) => Locator
  /** How to open it, if Enter is not enough or it must be filled first. */
  open?: (page: Page, from: Locator) => Promise<void>
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first()
const field = (name: string) => (page: Page) => page.getByRole('combobox', { name, exact: true })
const profile = button(/^Profile of/)

async function enter(_page: Page, from: Locator): Promise<void> {
  await expect(from).toBeEnabled()
  await from.press('Enter')
}

/** Opens the list of a field. */
async function unfold(page: Page, from: Locator): Promise<void> {
  await from.press('ArrowDown')
  await expect(page.getByRole('option', { disabled: false }).first()).toBeVisible()
}

async function searchInVain(page: Page, from: Locator): Promise<void> {
  await from.fill('no such code')
  await expect(page.getByText('Nothing matches.')).toBeVisible()
}

/** The filter opens with the list of its columns. */
const filter = (page: Page): Promise<void> => button('Filter')(page).press('Enter')

async function filterForm(page: Page): Promise<void> {
  await filter(page)
  await expect(page.getByRole('listbox', { name: 'Column' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox', { name: 'Column' })).toBeHidden()
}

async function search(page: Page, from: Locator): Promise<void> {
  await from.press('Control+k')
  await page.getByRole('textbox', { name: 'Search or jump to' }).fill('teach')
  await expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Teaching assistant/ })
      .first(),
  ).toBeVisible()
}

async function refusedImport(page: Page, from: Locator): Promise<void> {
  await enter(page, from)
  const dialog = page.getByRole('dialog')
  const buffer = Buffer.from('Code,Description\nQ1,\nQ2,\n')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'centres.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('button', { name: 'Import 2 rows' }).press('Enter')
  await expect(dialog.getByText('2 of 2 rows have problems. Nothing was imported.')).toBeVisible()
}

async function quickView(page: Page, from: Locator): Promise<void> {
  await from.fill('pupil prem')
  await page
    .getByRole('option', { name: /Pupil premium/ })
    .first()
    .click()
  await from.press('Alt+Enter')
}

/** Causes more notices than fit on the screen. */
async function manyNotices(page: Page, from: Locator): Promise<void> {
  await page.route('**/trpc/*.export?*', (route) => route.abort())
  for (let told = 1; told <= 8; told++) {
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
    await expect(from).toHaveAccessibleName(`Notifications, ${told} new`)
  }
  await from.press('Enter')
}

async function tickTwo(page: Page): Promise<void> {
  for (const at of [0, 1]) await page.getByRole('checkbox', { name: 'Select row' }).nth(at).check()
}

const narrow = (page: Page): Promise<void> => page.setViewportSize({ width: 390, height: 844 })

/** The screens of the journey, and what opens over each. */
const journey: { path: string; title: string | RegExp; before?: (page: Page) => Promise<void>; openings: Opening[] }[] = [
  {
    path: '/',
    title: /^Good /,
    openings: [
      { what: 'the profile menu', part: 'menu', from: profile },
      { what: 'the notices, without one', part: 'dialog', from: button('Notifications') },
      { what: 'the budgets to choose from', part: 'list', from: button(/^Budget: /) },
      { what: 'the search with what it found', part: 'dialog', from: profile, open: search },
      { what: 'the keys', part: 'dialog', from: profile, open: (_page, from) => from.press('Shift+?') },
    ],
  },
  {
    path: '/console/coding/cost-centres',
    title: 'Cost centres',
    before: tickTwo,
    openings: [
      { what: 'the form of a filter', part: 'dialog', from: button('Filter'), open: filterForm },
      { what: 'the views', part: 'dialog', from: button('Views') },
      { what: 'the kinds of files', part: 'menu', from: button('Export as') },
      { what: 'an import with what was refused', part: 'dialog', from: button('Import'), open: refusedImport },
      { what: 'the question before something is deleted', part: 'dialog', from: button('Delete') },
      { what: 'many notices', part: 'dialog', from: button(/^Notifications/), open: manyNotices },
    ],
  },
  {
    path: '/staffing/staff-contracts',
    title: 'Staff contracts',
    openings: [
      { what: 'many columns to show', part: 'menu', from: button('Columns') },
      { what: 'many columns to filter by', part: 'list', from: field('Column'), open: filter },
    ],
  },
  {
    path: '/console/coding/student-groups/add',
    title: 'Add student group',
    openings: [
      { what: 'the list of a picker', part: 'list', from: field('Budget code'), open: unfold },
      { what: 'a list in which nothing matches', part: 'list', from: field('Budget code'), open: searchInVain },
      { what: 'what a picker holds', part: 'dialog', from: field('Budget code'), open: quickView },
      { what: 'the question about what is not saved', part: 'dialog', from: (page) => page.getByRole('link', { name: 'Fund codes' }) },
    ],
  },
  {
    path: '/staffing/staff-contracts/add',
    title: 'Add staff contract',
    openings: [
      { what: 'the list of a picker of many', part: 'list', from: field('Payroll codes'), open: unfold },
      { what: 'a calendar', part: 'calendar', from: (page) => page.getByLabel('Start date'), open: (_page, from) => from.click() },
    ],
  },
  {
    path: '/console/budget-management',
    title: 'Budgets',
    before: tickTwo,
    openings: [
      { what: 'the question before a budget is locked', part: 'dialog', from: button('Lock') },
      { what: 'the copy of a budget', part: 'dialog', from: button('Duplicate') },
      { what: 'the rolling forward of a budget', part: 'dialog', from: button('Roll forward') },
      { what: 'what is changed of many budgets', part: 'dialog', from: button('Bulk edit') },
    ],
  },
  {
    path: '/reports?report=budgetAnalysis',
    title: 'Budget analysis',
    openings: [
      { what: 'the lines of a figure and what was said of it', part: 'dialog', from: button(/^Total income, 2026\/27: /) },
      { what: 'the comments on a report', part: 'dialog', from: button(/^Comments/) },
      { what: 'the layouts of a report', part: 'menu', from: button('Layouts') },
      { what: 'the files of a report', part: 'menu', from: button('Download') },
      { what: 'what a report is over', part: 'list', from: field('Budgets'), open: unfold },
    ],
  },
  {
    path: '/monitoring/budget-forecast?month=2026-10',
    title: 'Budgets versus forecast',
    openings: [
      { what: 'a history', part: 'dialog', from: button('History') },
      { what: 'the methods of a forecast', part: 'dialog', from: button('Forecast methods') },
      { what: 'the year of a code', part: 'dialog', from: (page) => page.getByRole('row', { name: /^4240 / }).getByRole('button') },
    ],
  },
  {
    path: '/non-staffing/ie-calculator/add',
    title: 'Add income and expenditure calculation',
    openings: [{ what: 'the kinds of rows', part: 'menu', from: button('Add row') }],
  },
  {
    path: '/',
    title: /^Good /,
    before: narrow,
    openings: [{ what: 'the navigation', part: 'dialog', from: button('Open navigation') }],
  },
]

/**
 * Returns the WCAG 2.2 AA breaches of what opens, in the light and the dark scheme, and whether Escape failed to close it or to return the
 * focus.
 */
async function faultsOf(page: Page, { part, from, open = enter }: Opening): Promise<string[]> {
  const opener = from(page)
  await open(page, opener)
  const opened = page.locator(parts[part]).filter({ visible: true })
  await expect(opened).not.toHaveCount(0)
  await expect(opened.locator('.mantine-Skeleton-root, .mantine-Loader-root')).toHaveCount(0)
  const found = await breaches(page, parts[part])
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const breach of await breaches(page, parts[part], 'colours')) found.push(`in the dark: ${breach}`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.keyboard.press('Escape')
  await expect(opened)
    .toHaveCount(0)
    .catch(() => found.push('Escape does not close it'))
  await expect(opener)
    .toBeFocused()
    .catch(() => found.push('the focus is not given back'))
  return found
}

test('dialogs, menus and option lists of every kind meet WCAG 2.2 AA in light and dark, close with Escape, and return the focus', async ({
  page,
}) => {
  test.setTimeout(patience * 120_000)
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  const found: string[] = []
  for (const { path, title, before, openings } of journey) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await before?.(page)
    for (const opening of openings)
      await test.step(opening.what, async () => {
        for (const fault of await faultsOf(page, opening)) found.push(`${opening.what}: ${fault}`)
      })
  }
  expect(found).toEqual([])
})

test('the filter form stays open while a location or a date is chosen in it with the pointer', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  const filterBy = async (column: string): Promise<void> => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('option', { name: column, exact: true }).click()
  }
  await visit(page, '/console/coding/cost-centres')
  await filterBy('Locations')
  await page.getByRole('combobox', { name: 'One of' }).click()
  await page.getByRole('option', { name: 'Riverside School' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByText('Locations: Riverside School')).toBeVisible()

  await visit(page, '/staffing/staff-contracts')
  await filterBy('Start date')
  const from = page.getByRole('textbox', { name: 'From', exact: true })
  await from.fill('1/9/2026')
  await page.getByRole('button', { name: '10 September 2026' }).click()
  await expect(from).toHaveValue('10 Sep, 2026')
  await page.getByRole('textbox', { name: 'To', exact: true }).click()
  const calendar = page.locator(parts.calendar)
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByText('Start date: 10 Sep, 2026 to any')).toBeVisible()
})
