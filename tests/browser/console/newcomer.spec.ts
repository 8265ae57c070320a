import { expect, type Locator, type Page, test } from '@playwright/test'
import { createWorkbook } from '../../../server/core/workbook.ts'
import { signIn } from '../support.ts'

const mark = String(Date.now() % 1e6)
const school = `Larkfield Primary School ${mark}`

interface SheetFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A typical Excel sheet: title rows, then headings in the user’s own words, then rows. */
async function sheet(name: string, about: readonly string[], headings: readonly string[], rows: readonly string[][]): Promise<SheetFile> {
  const columns = headings.map((title) => ({ title, kind: 'text' as const }))
  const { contentType, body } = await createWorkbook(name, [{ name, about, columns, rows: rows.map((cells) => ({ cells })) }])
  return { name: `${name}.xlsx`, mimeType: contentType, buffer: body }
}

/** A report of an HR system: a person and a contract in each row, five cells invalid. */
const staff = () =>
  sheet(
    'Staff in post',
    [`${school}: staff in post`, 'Printed from the personnel system'],
    [
      'Employee ref',
      'Surname, forename',
      'NI No.',
      'Birth date',
      'Job role',
      'Category',
      'Pay group',
      'Start',
      'Salary point',
      'Annual FTE',
      'Pension scheme',
    ],
    [
      [`L${mark}1`, 'Okafor, Amira', '', '12/05/1980', 'Headteacher', 'Teacher', 'SLT', '01/09/2026', 'Leadership L18', '1', 'Yes'],
      [`L${mark}2`, 'Baker, Tom', '', '03/02/1988', 'Class teacher', 'Teacher', 'TCH', '31/02/2026', 'Main M3', '1', 'Yes'],
      [`L${mark}3`, 'Price, Aled', '', '07/01/1991', 'Class teacher', 'Teecher', 'TCH', '01/09/2026', 'Main M4', '1', 'Yes'],
      [`L${mark}4`, 'Sato', '', '19/11/1994', 'Class teacher', 'Teecher', 'TCH', '01/09/2026', 'Main M1', '0,5', 'Yes'],
      [`L${mark}1`, 'Quinn, Rosa', '', '23/06/1985', 'Class teacher', 'Teacher', 'TCH', '01/09/2026', 'Mian M6', '1', 'Yes'],
      ['Totals', '', '', '', '', '', '', '', '', '4.5', ''],
    ],
  )

/** Other income and expenditure with the years in columns, three cells invalid. */
const money = () =>
  sheet(
    'Budget build',
    [`${school}: other income and spending`],
    ['Nominal code', 'Details', '2026/27', '2027/28', '2028/29'],
    [
      ['1000', 'Grant of the authority', '420,000', '428,400', '436,968'],
      ['4240', 'Gas and electricity', '£24,000.00', '25200', '26460'],
      ['4300', 'Books and equipment', 'about 9000', '9270', '9548'],
      ['Enrgy', 'Solar panels: upkeep', '600', '618', '636'],
      ['OFF', 'Postage', '450', '450', '450'],
      ['Total', '', '', '', ''],
    ],
  )

/** Pupils by class year, two cells invalid. */
const pupils = () =>
  sheet(
    'Pupils on roll',
    [`${school}: pupils on roll, October census`],
    ['NC year', 'Number on roll'],
    [
      ['Reception', '28'],
      ['Year 1', '30'],
      ['Year 2', 'thirty'],
      ['Year three', '29'],
      ['Year 4', '27'],
      ['Year 5', '30'],
      ['Year 6', '26'],
      ['Total', '200'],
    ],
  )

/** Opens a screen through the search in the bar, which every page has. */
async function find(page: Page, screen: string): Promise<void> {
  await page.getByRole('button', { name: /^Search or jump to/ }).click()
  await page.getByRole('textbox', { name: 'Search or jump to' }).fill(screen)
  await expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`^${screen}`) })
      .first(),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible()
}

/** Opens the import with its button and chooses a file. */
async function give(page: Page, file: SheetFile): Promise<Locator> {
  await page.getByRole('button', { name: 'Import', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: /^Import/ })
  await expect(dialog.getByRole('button', { name: /^Drop an Excel or CSV file here/ })).toBeVisible()
  // The file picker is outside the page, so the file is passed to the input directly.
  await dialog.locator('input[type=file]').setInputFiles(file)
  return dialog
}

test('a user who knows only spreadsheets makes the budget of a new school from three of them, invalid cells and all', {
  tag: '@journey',
}, async ({ page }) => {
  test.slow()
  let staffing = ''
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  // A refusal (400) is shown on the page; the browser logs it too, which is no failure.
  page.on('console', (message) => message.type() === 'error' && !/status of 400/.test(message.text()) && wrong.push(message.text()))

  await test.step('the school', async () => {
    await signIn(page, 'admin@bursar.example')
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Organisation/ })
      .click()
    await page.getByRole('option', { name: 'Harbour Learning Trust' }).click()
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Administrator' }).click()
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Locations' }).click()
    await page.getByRole('button', { name: /^Add location/ }).click()
    await page.getByLabel(/^Name/).fill(school)
    await expect(page.getByLabel(/^Organisation \*/)).toHaveValue('Harbour Learning Trust')
    await page.getByRole('combobox', { name: 'Local authority' }).click()
    await page.getByRole('option', { name: 'Camden' }).click()
    await page.getByLabel('Contract expiry date').fill('31/08/2031')
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText('Created new Location')).toBeVisible()
  })

  await test.step('an empty budget, which then opens', async () => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Location/ })
      .click()
    await page.getByRole('option', { name: school }).click()
    await find(page, 'Budgets')
    await page.getByRole('button', { name: /^Add budget/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Add budget' })).toBeVisible()
    const next = page.getByRole('button', { name: 'Next Ctrl Enter' })
    await next.click()
    await expect(page.getByLabel('First year')).toBeVisible()
    for (const _step of ['Tables', 'Assumptions', 'Review']) await next.click()
    await page.getByRole('button', { name: /^Create 1 budget/ }).click()
    await expect(page.getByRole('heading', { name: 'This budget is empty' })).toBeVisible()
    await page.getByRole('link', { name: 'Staff contracts' }).last().click()
  })

  await test.step('staff', async () => {
    await expect(page.getByRole('heading', { name: 'No staff contracts yet' })).toBeVisible()
    const dialog = await give(page, await staff())
    await expect(dialog.getByText('5 rows, 12 of 12 columns used. Row 9 is a total and is left out.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Import 5 rows' }).click()
    await expect(dialog.getByRole('alert')).toContainText('4 of 5 rows have problems. Nothing was imported.')
    await dialog.getByLabel('Start date of row 5').fill('01/02/2026')
    await dialog.getByRole('button', { name: 'Use “Teacher” in 2 rows' }).click()
    await dialog.getByLabel('FTE of row 7').fill('0.5')
    await dialog.getByLabel('Forename of row 7').fill('Kenji')
    await expect(dialog.getByText('Employee number is already used for someone else in row 4.')).toBeVisible()
    await dialog.getByLabel('Employee number of row 8').fill(`L${mark}5`)
    await dialog.getByRole('button', { name: 'Use “Main M6”' }).click()
    await dialog.getByRole('button', { name: 'Import again' }).click()
    await expect(dialog.getByText('5 rows imported: 5 new, 0 changed, 0 unchanged. 5 people added to Staff.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const cost = page.getByRole('link', { name: /^£[1-9]/ }).first()
    await expect(cost).toBeVisible()
    staffing = Math.round(Number((await cost.textContent())?.replace(/[£,]/g, ''))).toLocaleString('en-GB')
    // Plausible for five teachers, one of them a headteacher, with national insurance and pension.
    expect(Number(staffing.replaceAll(',', ''))).toBeGreaterThan(250_000)
  })

  await test.step('pupils', async () => {
    await find(page, 'Pupil numbers')
    const dialog = await give(page, await pupils())
    await expect(dialog.getByText('7 rows, 2 of 2 columns used. Row 10 is a total and is left out.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Import 7 rows' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await dialog.getByLabel('Pupils of row 5').fill('30')
    await dialog.getByLabel('Year group of row 6').fill('Year 3')
    await dialog.getByRole('button', { name: 'Import again' }).click()
    await expect(dialog.getByRole('status')).toContainText('Imported 7 counts into 1 budget.')
    await dialog.getByRole('button', { name: 'Done' }).click()
  })

  await test.step('income and expenditure', async () => {
    await find(page, 'Budget entries')
    const dialog = await give(page, await money())
    await expect(dialog.getByText('5 rows, 5 of 5 columns used. Row 8 is a total and is left out.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Import 5 rows' }).click()
    await expect(dialog.getByRole('alert')).toContainText('3 of 5 rows have problems. Nothing was imported.')
    await dialog.getByLabel('Amount 2026/27 of row 5').fill('9000')
    await dialog.getByRole('button', { name: 'Use “4240”' }).click()
    await dialog.getByLabel('Budget code of row 7').fill('4330')
    await dialog.getByRole('button', { name: 'Import again' }).click()
    await expect(dialog.getByText('5 rows imported: 5 new, 0 changed, 0 unchanged.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
  })

  await test.step('the summary', async () => {
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Overview' }).click()
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
    // The totals of the file: 420,000 of income; 24,000, 9,000, 600 and 450 of expenditure.
    await expect(row('Income')).toContainText('420,000')
    // A trust sees the academies’ chart of accounts first; this school uses the codes of maintained schools.
    await page.getByText('CFR', { exact: true }).click()
    await expect(row('E16 Energy')).toContainText('24,600')
    await expect(row('E19 Learning resources')).toContainText('9,000')
    await expect(row('E22 Administrative supplies')).toContainText('450')
    await expect(row('E01 Teaching staff')).toContainText(staffing)
    await expect(row('Pupils on roll')).toContainText('200')
    const inYear = 420_000 - 34_050 - Number(staffing.replaceAll(',', ''))
    await expect(row('In-year balance')).toContainText(inYear.toLocaleString('en-GB'))
  })
  expect(wrong).toEqual([])
})
