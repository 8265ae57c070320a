import { expect, type Page, test } from '@playwright/test'
import { createWorkbook } from '../../../server/core/workbook.ts'
import { breaches, signIn } from '../support.ts'

const mark = String(Date.now() % 1e6)
const trust = `Oakfield Trust ${mark}`

/** Chooses a file in the import. */
async function give(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByRole('button', { name: 'Import a file' }).click()
  const dialog = page.getByRole('dialog', { name: /^Import/ })
  await dialog.locator('input[type=file]').setInputFiles(file)
  return dialog
}

/** An Excel file with title rows and headings of its own. */
async function excel(name: string, headings: readonly string[], rows: readonly string[][]) {
  const columns = headings.map((title) => ({ title, kind: 'text' as const }))
  const { contentType, body } = await createWorkbook(name, [{ name, about: [name], columns, rows: rows.map((cells) => ({ cells })) }])
  return { name: `${name}.xlsx`, mimeType: contentType, buffer: body }
}

/** A CSV file as Excel saves it: a byte order mark, quotes around values with a comma, Windows line endings. */
function csv(name: string, headings: readonly string[], rows: readonly string[][]) {
  const lines = [headings, ...rows].map((cells) => cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(','))
  return { name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`) }
}

/** Hides the demo’s organisations from the list, so that an administrator sees an installation with only what this journey makes. */
async function withoutOthers(page: Page): Promise<void> {
  await page.route(/\/trpc\/[^?]*resources\.organisation\.list/, async (route) => {
    const names = new URL(route.request().url()).pathname.split('/').at(-1)!.split(',')
    const answered = await route.fetch()
    const replies = await answered.json()
    for (const [place, name] of names.entries())
      if (name === 'resources.organisation.list') {
        const { json } = replies[place].result.data
        json.rows = json.rows.filter((row: { name: string }) => row.name === trust)
      }
    await route.fulfill({ response: answered, json: replies })
  })
}

test('an organisation is set up from a workbook, a CSV file with other headings and mistakes, and typing', {
  tag: '@journey',
}, async ({ page }) => {
  test.slow()
  await withoutOthers(page)
  await signIn(page, 'admin@bursar.example')

  await test.step('the home page, which lists nothing else to do', async () => {
    await expect(page.getByText('There is no organisation yet.')).toBeVisible()
    await page.getByRole('link', { name: 'Set up your organisation' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Set up' })).toBeVisible()
  })

  await test.step('the organisation', async () => {
    const name = page.getByLabel(/^Name/)
    await page.getByRole('button', { name: 'Save and continue' }).click()
    await expect(page.getByText('Name is required.')).toBeVisible()
    await name.fill(trust)
    await page.getByRole('button', { name: 'Save and continue' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Set up ${trust}` })).toBeVisible()
  })

  await test.step('the home page, which shows that the organisation exists', async () => {
    await page.goto('/')
    await expect(page.getByText('This organisation has no locations yet.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Set up your organisation' })).toBeHidden()
    await page.getByRole('link', { name: 'Set up its locations' }).click()
  })

  await test.step('its locations', async () => {
    const dialog = await give(
      page,
      await excel(
        'Schools of the trust',
        ['Academy', 'LA', 'DfES no'],
        [
          ['Oakfield Primary', 'Camden', `1${mark}`],
          ['Elm Academy', 'Camdem', `2${mark}`],
          ['', 'Camden', `3${mark}`],
        ],
      ),
    )
    await expect(dialog.getByText('3 rows, 3 of 3 columns used.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
    await dialog.getByRole('button', { name: 'Use “Camden”' }).click()
    await dialog.getByLabel('Name of row 5').fill('Ash School')
    await dialog.getByRole('button', { name: 'Import again' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('region', { name: '3 locations' })).toContainText('Ash School')
    const rows = page.getByRole('region', { name: 'Add locations' })
    await rows.getByRole('textbox', { name: 'Name of row 1' }).fill('Central team')
    await rows.getByRole('combobox', { name: 'Local authority of row 1' }).fill('Nowhere')
    await rows.getByRole('button', { name: 'Add 1 location' }).click()
    await expect(rows.getByText('Local authority was not found.')).toBeVisible()
    await rows.getByRole('combobox', { name: 'Local authority of row 1' }).fill('Camden')
    await rows.getByRole('combobox', { name: 'Central of row 1' }).fill('Yes')
    await rows.getByRole('button', { name: 'Add 1 location' }).click()
    await expect(page.getByRole('region', { name: '4 locations' })).toBeVisible()
    expect(await breaches(page)).toEqual([])
    await page.getByRole('button', { name: 'Next', exact: true }).click()
  })

  await test.step('its employees', async () => {
    const address = (name: string) => `${name}@oak${mark}.example`
    const dialog = await give(
      page,
      csv(
        'Who shall have access',
        ['Full name', 'E-mail address', 'Role', 'School'],
        [
          ['Okafor, Amira', address('amira'), 'Trust finance', ''],
          ['Baker, Tom', 'tom at oak', 'School business manager', 'Oakfield Primary'],
          ['Price, Aled', address('aled'), 'Governer', 'Elm Academy'],
        ],
      ),
    )
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
    await expect(dialog.getByRole('alert')).toContainText('2 of 3 rows have problems. Nothing was imported.')
    await dialog.getByLabel('Email of row 3').fill(address('tom'))
    await dialog.getByRole('button', { name: 'Use “Governor”' }).click()
    await dialog.getByRole('button', { name: 'Import again' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('region', { name: '3 users' })).toContainText('Tom Baker')
    await page.getByRole('button', { name: 'Invite 3 people' }).click()
    await expect(page.getByLabel(/^One-time link for/)).toHaveCount(3)
    expect(await breaches(page)).toEqual([])
    await page.getByRole('button', { name: 'Next', exact: true }).click()
  })

  await test.step('the next steps', async () => {
    await expect(page.getByText(`${trust} is set up`)).toBeVisible()
    await expect(page.getByRole('region', { name: 'First steps' })).toContainText('2 of 13 done')
    // The steps done are derived from the data, so a user who comes back sees them ticked.
    await page.reload()
    await expect(page.getByText(`${trust} is set up`)).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'First steps' })).toContainText('2 of 13 done')
    await expect(page.getByRole('link', { name: /^Set up (your organisation|its locations)$/ })).toHaveCount(0)
  })

  await test.step('a start kit, whose lists are shown before it is added', async () => {
    await page.getByRole('link', { name: 'Use a start kit' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Start kit' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Academy trust' })).toBeChecked()
    await expect(page.getByRole('radio', { name: 'Maintained primary' })).toBeDisabled()
    await expect(page.getByRole('table', { name: 'Budget codes' }).getByRole('row', { name: /General annual grant/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Payroll codes' })).not.toContainText('Passenger escorts')
    await page.getByText('Special school').click()
    await expect(page.getByRole('table', { name: 'Payroll codes' })).toContainText('Passenger escorts')
    expect(await breaches(page)).toEqual([])
    await page.getByLabel('LGPS employer rate (%)').fill('21.5')
    await page.getByRole('button', { name: 'Add start kit' }).click()
    await expect(page.getByText('Enter the date from which the rate applies.')).toBeVisible()
    await page.getByLabel('From', { exact: true }).fill('01/04/2026')
    await page.getByRole('button', { name: 'Add start kit' }).click()
    const added = page.getByRole('region', { name: 'What was added' })
    await expect(added).toContainText('The start kit was added')
    await expect(added.getByRole('row', { name: /^Employer pension rates 6 None/ })).toBeVisible()
    expect(await breaches(page)).toEqual([])
    await page.getByRole('link', { name: 'Continue with the first steps' }).click()
    await expect(page.getByRole('region', { name: 'First steps' })).toContainText('6 of 13 done')
    await expect(page.getByRole('link', { name: 'Use a start kit' })).toBeHidden()
    await page.goto('/console/coding/budget-codes')
    await expect(page.getByRole('row', { name: /510100/ })).toContainText('General annual grant')
  })

  await test.step('another organisation', async () => {
    await page.unrouteAll()
    await page.goto('/administrator/set-up')
    await page
      .getByRole('button', { name: /Organisation$/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Set up another organisation' }).click()
    await expect(page.getByLabel(/^Name/)).toHaveValue('')
  })
})
