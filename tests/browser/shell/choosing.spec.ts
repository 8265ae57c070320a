import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { choose, signIn, visit } from '../support.ts'

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')

/** The enabled combo boxes of the open dialog, or else of the page. */
const boxesOf = (page: Page): Locator =>
  page
    .locator(':is([role="dialog"], body:not(:has([role="dialog"])) main) input[role="combobox"]:not([disabled], [readonly])')
    .filter({ visible: true })

const nameBox = (box: HTMLElement | SVGElement): string =>
  (box.getAttribute('aria-label') ?? (box as HTMLInputElement).labels?.[0]?.textContent ?? '').replace(/\s*\*$/, '').trim()

/** What each box shows: the text of its choice, or of its chips. */
const readBoxes = (page: Page): Promise<string[]> =>
  boxesOf(page).evaluateAll((boxes) =>
    boxes.map((box) => {
      const chips = [...(box.parentElement?.querySelectorAll('.mantine-Pill-label') ?? [])].map((chip) => chip.textContent)
      return [(box as HTMLInputElement).value, ...chips].join(' ').trim()
    }),
  )

/** The options of the open list, without the line that says there are none. */
const optionsOf = (page: Page): Locator => page.locator('[role="option"]:not([aria-disabled="true"])').filter({ visible: true })

/** The name of an option: its first line, without the salary beside it. */
const nameOf = (text: string): string => text.split('\n')[0]!.split(' £')[0]!.trim()

/**
 * Types an option that is not yet chosen into a box and leaves it with a key. The box must show that option once its
 * list has closed. @returns false if the box has nothing else to choose
 */
async function typesAndTakes(page: Page, box: Locator, key: 'Enter' | 'Tab'): Promise<boolean> {
  const open = async (): Promise<void> => {
    // The list that was open before may still be closing.
    await expect(page.locator('[role="option"]').filter({ visible: true })).toHaveCount(0)
    await box.click()
    await expect(page.locator('[role="option"]').filter({ visible: true }).first()).toBeVisible()
    await expect(page.getByText('Searching', { exact: true })).toHaveCount(0)
  }
  // A box shows its choice only once it has loaded what it offers.
  await open()
  await page.keyboard.press('Escape')
  await expect(box).toHaveAttribute('aria-expanded', 'false')
  const before = await box.inputValue()
  await open()
  const names = (await optionsOf(page).allInnerTexts()).map(nameOf)
  const free = (await optionsOf(page).and(page.locator('[aria-selected="false"]')).allInnerTexts()).map(nameOf)
  // Leaving the box without typing keeps what was chosen.
  await page.keyboard.press('Tab')
  await expect(box).toHaveValue(before)
  const wanted = free.find((name) => name !== before && name !== names[0]) ?? free.find((name) => name !== before)
  if (!wanted) return false
  await box.focus()
  await page.keyboard.type(wanted)
  await page.keyboard.press(key)
  // A box for several values stays open for the next one.
  if (key === 'Enter') await page.keyboard.press('Tab')
  const pill = page.locator('.mantine-Pill-label').filter({ hasText: wanted })
  await expect(async () => {
    const shown = await box.inputValue()
    expect(
      new RegExp(`^${escapePattern(wanted)}`).test(shown) || (await pill.count()) > 0,
      `${wanted} was typed, and ${shown} is shown`,
    ).toBe(true)
    expect(await optionsOf(page).count()).toBe(0)
  }).toPass({ timeout: patience * 15_000 })
  // Reopened, the list shows all options and not only the matches. It may close once more if the search reply arrives late.
  await expect(async () => {
    await box.click()
    await expect(optionsOf(page)).toHaveCount(names.length, { timeout: 2000 })
  }).toPass({ timeout: patience * 15_000 })
  await page.keyboard.press('Tab')
  return true
}

/** A screen whose combo boxes are tried one by one. */
interface Tried {
  path: string
  /** Opens the part of the screen that has the boxes. */
  open?: (page: Page) => Promise<unknown>
  /** The names of boxes that must be among those tried, by the file that has them. */
  boxes: Readonly<Record<string, readonly string[]>>
  /** Boxes that change what else is on the screen. */
  skip?: readonly string[]
  /** The address keeps what was chosen, so it is there after a reload. */
  isInAddress?: boolean
}

const press =
  (...names: string[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
  }

const screens: readonly Tried[] = [
  {
    path: '/staffing/staff-contracts/add',
    boxes: {
      'staffing/contract/ContractFields.tsx': ['Contract type', 'Pay scale type', 'Payroll codes'],
      'staffing/contract/EmployeePicker.tsx': ['Employee'],
      'staffing/contract/PointSelect.tsx': ['Scale point, row 1'],
      'staffing/contract/SalaryRows.tsx': ['Allowances, row 1'],
      'staffing/contract/ContractCoding.tsx': ['Analysis tags'],
    },
  },
  {
    path: '/staffing/quick-calculator/add',
    boxes: { 'staffing/quick/QuickFields.tsx': ['Type', 'Contract type', 'Scale point', 'Allowances'] },
  },
  {
    path: '/non-staffing/budget-entries/add',
    boxes: {
      'nonStaffing/entries/EntryFields.tsx': ['Budget code', 'Cost centre', 'Analysis tags'],
      'nonStaffing/entries/EntryAmounts.tsx': ['First year', 'Profile'],
    },
  },
  { path: '/non-staffing/ie-calculator/add', boxes: { 'nonStaffing/calculator/CalculationPage.tsx': ['Budget code', 'Cost centre'] } },
  { path: '/overview/opening-balances/add', boxes: { 'overview/OpeningBalancePage.tsx': ['Type'] } },
  { path: '/overview/summary', boxes: { 'overview/BudgetTree.tsx': ['Columns'] } },
  {
    path: '/reports?report=budgetAnalysis&of=all',
    open: async (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^Filter/ })
        .click(),
    isInAddress: true,
    skip: ['Budgets'],
    boxes: {
      'reports/ReportScopeTools.tsx': ['Locations', 'Years', 'Group by', 'Cost centres', 'Fund codes', 'Analysis tags', 'Budget codes'],
    },
  },
  { path: '/reports?report=budgetAnalysis', isInAddress: true, boxes: { 'reports/ReportScopeTools.tsx': ['Budgets'] } },
  {
    path: '/console/reports?report=budgetComparison',
    isInAddress: true,
    boxes: { 'reports/ReportScopeTools.tsx': ['Budgets to compare'] },
  },
  { path: '/console/at-a-glance?each=0', isInAddress: true, boxes: { 'reports/GlancePage.tsx': ['Year'] } },
  {
    path: '/console/monitoring/cash',
    isInAddress: true,
    boxes: { 'monitoring/CashPage.tsx': ['Locations'], 'budget/MonthSelect.tsx': ['As at'] },
  },
  { path: '/console/monitoring/track-record', isInAddress: true, boxes: { 'monitoring/TrackRecordPage.tsx': ['Locations'] } },
  {
    path: '/console/monitoring/budget-forecast',
    isInAddress: true,
    boxes: { 'monitoring/MonitoringPage.tsx': ['Group by', 'Locations', 'Columns'] },
  },
  {
    path: '/overview/scenarios',
    open: press('Add scenario'),
    skip: ['First change'],
    boxes: { 'budget/AwardChoice.tsx': ['Award', 'Contract types'] },
  },
  { path: '/overview/compare', boxes: { 'versions/sides.tsx': [] } },
  { path: '/overview/bridge', boxes: { 'versions/BridgePage.tsx': [] } },
  { path: '/overview/approval', boxes: { 'versions/ApprovalComments.tsx': ['About', 'Year'] } },
  { path: '/settings', boxes: { 'home/Account.tsx': ['Rows per page in lists'] } },
  {
    path: '/console/admin-tables/teacher-pay-scales',
    boxes: { 'resources/inputs/NationalTablePicker.tsx': ['Table'], 'resources/list/Pager.tsx': ['Rows per page'] },
  },
  { path: '/console/general/bin', boxes: { 'console/BinPage.tsx': ['Type'] } },
  { path: '/console/integrations/add', boxes: { 'integrations/CredentialPage.tsx': ['Type'] } },
  {
    path: '/console/integrations/files',
    boxes: {
      'integrations/files/FilesPage.tsx': ['File'],
      'integrations/files/FileChoice.tsx': ['Layout', 'Locations', 'Year', 'From', 'To'],
    },
  },
  {
    path: '/console/integrations/files/layouts/add',
    boxes: { 'integrations/files/LayoutPage.tsx': ['Content of column 1', 'Rows', 'Dates'] },
  },
  { path: '/console/budget-management/groups/add', boxes: { 'budgets/GroupsPage.tsx': ['Budgets'] } },
  { path: '/console/general/api-clients/add', boxes: { 'apiClients/ApiClientPage.tsx': ['User groups', 'Locations'] } },
  { path: '/console/general/clusters/add', boxes: { 'resources/inputs/RecordPicker.tsx': ['Locations'] } },
  { path: '/console/coding/budget-codes/add', boxes: { 'resources/inputs/FieldInput.tsx': ['Type'] } },
  { path: '/console/coding/payroll-codes/add', boxes: {} },
  { path: '/console/coding/financial-reporting-codes/add', boxes: {} },
  { path: '/console/coding/student-groups/add', boxes: {} },
  { path: '/console/staffing/service-terms/add', boxes: {} },
  { path: '/console/staffing/contract-types/add', boxes: {} },
  { path: '/console/staffing/extended-leave-rules/add', boxes: {} },
  { path: '/console/staffing/allowances/add', boxes: {} },
]

for (const { path, open, boxes, skip, isInAddress } of screens)
  test(`every combo box of ${path} accepts typing with Tab and with Enter, and keeps its choice without typing`, async ({ page }) => {
    test.setTimeout(patience * 180_000)
    await signIn(page, 'finance@harbour.example')
    await choose(page, 'Location', 'Northgate Primary School')
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await open?.(page)
    await expect(boxesOf(page).first()).toBeVisible()
    const tried: string[] = []
    let taken = 0
    for (let at = 0; at < (await boxesOf(page).count()); at++) {
      const name = await boxesOf(page).nth(at).evaluate(nameBox)
      if (skip?.includes(name)) continue
      tried.push(name)
      if (await typesAndTakes(page, boxesOf(page).nth(at), at % 2 ? 'Enter' : 'Tab')) taken++
    }
    expect(taken).toBeGreaterThan(0)
    expect(tried).toEqual(expect.arrayContaining(Object.values(boxes).flat()))
    if (!isInAddress) return
    // The name of a chosen record may still be loading.
    let shown: string[] = []
    await expect.poll(async () => (shown = await readBoxes(page))).not.toContain('…')
    await page.reload()
    await open?.(page)
    await expect.poll(() => readBoxes(page)).toEqual(shown)
  })

/** The boxes to choose from in the code: each file that has some, and each that the file names. */
function listBoxesInCode(): string[] {
  const box = '<(?:Choice|MultiChoice|SuggestionField|RecordPicker|MultiRecordPicker)\\b'
  return readdirSync('client', { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    if (!file.endsWith('.tsx') || /^(ui|dist)\//.test(file)) return []
    const text = readFileSync(`client/${file}`, 'utf8')
    const named = [...text.matchAll(new RegExp(`${box}[^<]*?\\b(?:aria-)?label="([^"]+)"`, 'g'))].map(([, name]) => `${file}: ${name}`)
    return new RegExp(box).test(text) ? [file, ...new Set(named)] : []
  })
}

/** Boxes that are not tried here, each with the journey that chooses in it, or the reason. */
const notTriedHere: Readonly<Record<string, string>> = {
  'budget/history/LogsDrawer.tsx': 'needs a change to look up',
  'budget/history/LogsDrawer.tsx: Location': 'needs a change to look up',
  'budgets/BudgetFields.tsx': 'a later step of adding a budget',
  'budgets/CopyBudgetsDialog.tsx': 'copies budgets',
  'budgets/CopyBudgetsDialog.tsx: Version type': 'copies budgets',
  'budgets/ElementRows.tsx': 'a later step of adding a budget',
  'budgets/EmploymentAllowanceFields.tsx': 'employmentAllowance.spec.ts',
  'budgets/EmploymentAllowanceFields.tsx: Budget code for the allowance': 'employmentAllowance.spec.ts',
  'budgets/EmploymentAllowanceFields.tsx: Cost centre for the allowance': 'employmentAllowance.spec.ts',
  'budgets/LocationStep.tsx': 'adds locations and stays empty',
  'budgets/LocationStep.tsx: Add the locations of a cluster': 'adds locations and stays empty',
  'home/setUp/NewRecordsTable.tsx': 'setUp.spec.ts',
  'incomeAndExpenditure/DatedTables.tsx': 'needs two dated tables',
  'integrations/connections/ColumnMapping.tsx': 'connections.spec.ts',
  'integrations/connections/ColumnMapping.tsx: Field names': 'connections.spec.ts',
  'integrations/connections/ColumnMapping.tsx: Path to the records': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: What it does': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: Runs': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: Credential': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: Format': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: Minutes past': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: On': 'connections.spec.ts',
  'integrations/connections/ConnectionPage.tsx: On day': 'connections.spec.ts',
  'integrations/webhooks/Deliveries.tsx': 'needs a webhook',
  'integrations/webhooks/Deliveries.tsx: Which messages': 'needs a webhook',
  'monitoring/CashPage.tsx: Code': 'changes the forecast at once',
  'monitoring/ClearImportsDialog.tsx': 'monthEnd.spec.ts',
  'monitoring/ClearImportsDialog.tsx: Locations': 'monthEnd.spec.ts',
  'monitoring/MonitoringPage.tsx: Open months from': 'needs two budgets of a year',
  'monitoring/forecast/ForecastMethodsDialog.tsx': 'monitoring.spec.ts',
  'monitoring/forecast/ForecastMethodsDialog.tsx: Forecast open months': 'monitoring.spec.ts',
  'monitoring/forecast/ForecastMonths.tsx': 'monitoring.spec.ts',
  'monitoring/forecast/ForecastMonths.tsx: Open months are forecast': 'monitoring.spec.ts',
  'monitoring/ledgers/CheckLedgerFile.tsx': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/CheckLedgerFile.tsx: Amounts are': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/CheckLedgerFile.tsx: Income is': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/CheckLedgerFile.tsx: Ledger': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/CheckLedgerFile.tsx: Month': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/LedgersPage.tsx': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/LedgersPage.tsx: Amounts are': 'ledgerFiles.spec.ts',
  'monitoring/ledgers/LedgersPage.tsx: Income is': 'ledgerFiles.spec.ts',
  'nonStaffing/entries/BulkEditEntries.tsx': 'changes entries together',
  'nonStaffing/entries/BulkEditEntries.tsx: Analysis tags': 'changes entries together',
  'nonStaffing/entries/BulkEditEntries.tsx: Budget code': 'changes entries together',
  'nonStaffing/entries/BulkEditEntries.tsx: Cost centre': 'changes entries together',
  'nonStaffing/entries/BulkEditEntries.tsx: Profile': 'changes entries together',
  'nonStaffing/entries/PastePreview.tsx': 'needs a pasted block',
  'nonStaffing/funding/FundingRows.tsx': 'nonStaffing.spec.ts',
  'nonStaffing/funding/PredictionPage.tsx': 'nonStaffing.spec.ts',
  'nonStaffing/funding/PredictionPage.tsx: Income code': 'nonStaffing.spec.ts',
  'nonStaffing/funding/PredictionPage.tsx: Version of the rates': 'nonStaffing.spec.ts',
  'nonStaffing/funding/PredictionsPage.tsx': 'nonStaffing.spec.ts',
  'nonStaffing/funding/PredictionsPage.tsx: Income code for the result': 'nonStaffing.spec.ts',
  'nonStaffing/funding/PredictionsPage.tsx: Version of the rates': 'nonStaffing.spec.ts',
  'overview/CodeComments.tsx': 'comments.spec.ts',
  'overview/CodeComments.tsx: Year': 'comments.spec.ts',
  'packs/PackPage.tsx': 'packs.spec.ts',
  'packs/PackPage.tsx: Add a chapter': 'packs.spec.ts',
  'packs/PackPage.tsx: Insert a figure': 'packs.spec.ts',
  'packs/PacksPage.tsx': 'packs.spec.ts',
  'packs/PacksPage.tsx: For': 'packs.spec.ts',
  'packs/PacksPage.tsx: Month': 'packs.spec.ts',
  'payroll/PayrollPage.tsx': 'payroll.spec.ts',
  'payroll/WhatIfDialog.tsx': 'changes a what-if',
  'payroll/WhatIfDialog.tsx: Support staff on': 'changes a what-if',
  'payroll/WhatIfDialog.tsx: Teachers on': 'changes a what-if',
  'payroll/provider/CheckPayrollFile.tsx': 'payroll.spec.ts',
  'payroll/provider/CheckPayrollFile.tsx: Payroll provider': 'payroll.spec.ts',
  'reports/ReportScopeTools.tsx: Year': 'reports.spec.ts',
  'resources/import/ColumnsStep.tsx': 'the fields of an import, below',
  'resources/import/CorrectionTable.tsx': 'the fields of an import, below',
  'resources/import/FillEmptyCells.tsx': 'the fields of an import, below',
  'resources/import/FileColumns.tsx': 'console.spec.ts',
  'resources/import/MappingTable.tsx': 'ledgerFiles.spec.ts',
  'resources/import/MaximumPoints.tsx': 'sheets.spec.ts',
  'resources/inputs/FundShares.tsx': 'needs a second fund',
  'resources/inputs/IconSelect.tsx': 'needs an administrator',
  'resources/list/Filters.tsx': 'dialogs.spec.ts',
  'resources/list/Filters.tsx: Column': 'dialogs.spec.ts',
  'resources/list/Filters.tsx: Condition': 'dialogs.spec.ts',
  'resources/list/Filters.tsx: One of': 'dialogs.spec.ts',
  'resources/list/Filters.tsx: Value': 'dialogs.spec.ts',
  'resources/record/UsesTab.tsx': 'console.spec.ts',
  'resources/record/UsesTab.tsx: Replace with': 'console.spec.ts',
  'resources/sheets/LearnedMappingsPage.tsx': 'ledgerFiles.spec.ts',
  'resources/sheets/SheetSelect.tsx': 'needs a file with two sheets',
  'resources/sheets/SheetSelect.tsx: Sheet': 'needs a file with two sheets',
  'scenarios/ScenarioChangeDialog.tsx': 'the kind of change decides which other boxes there are; scenarios.spec.ts',
  'scenarios/ScenarioChangeDialog.tsx: Budget code': 'scenarios.spec.ts',
  'uncertainty/DriverDialog.tsx': 'howSure.spec.ts',
  'uncertainty/DriverDialog.tsx: Budget codes': 'howSure.spec.ts',
  'uncertainty/DriverDialog.tsx: Contract types': 'howSure.spec.ts',
  'uncertainty/DriverDialog.tsx: What is uncertain': 'howSure.spec.ts',
  'uncertainty/DriverDialog.tsx: Year group': 'howSure.spec.ts',
  'uncertainty/PairRows.tsx': 'howSure.spec.ts',
  'users/AccessSection.tsx': 'console.spec.ts',
  'users/AccessSection.tsx: Locations': 'console.spec.ts',
  'users/AccessSection.tsx: Organisation to add': 'console.spec.ts',
  'users/AccessSection.tsx: User groups': 'console.spec.ts',
  'users/GroupRulesPage.tsx': 'outsideIssuer.spec.ts',
  'users/GroupRulesPage.tsx: User group': 'outsideIssuer.spec.ts',
}

test('every box to choose from in the code is tried here, or is listed with the reason', () => {
  const tried = new Set(
    screens.flatMap(({ boxes }) => Object.entries(boxes).flatMap(([file, names]) => [file, ...names.map((name) => `${file}: ${name}`)])),
  )
  expect(
    listBoxesInCode()
      .filter((box) => !tried.has(box))
      .sort(),
  ).toEqual(Object.keys(notTriedHere).sort())
})

test('the fields of an import that suggest values take the first match with Tab and with Enter, and keep their text with Escape: one for all rows, for empty cells and for wrong ones', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/coding/budget-codes')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const field = (name: string): Locator => dialog.getByRole('combobox', { name, exact: true })
  const chooseFile = (...lines: string[]): Promise<void> =>
    dialog.locator('input[type="file"]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  const triesKeys = async (box: Locator): Promise<void> => {
    for (const [typed, key, shown] of [
      ['exp', 'Tab', 'Expenditure'],
      ['inc', 'Enter', 'Income'],
      ['exp', 'Escape', 'Income'],
    ] as const) {
      await box.focus()
      await page.keyboard.type(typed)
      await expect(optionsOf(page)).toHaveText([/^Expenditure|^Income/])
      await page.keyboard.press(key)
      await expect(box).toHaveValue(shown)
      await expect(optionsOf(page)).toHaveCount(0)
      await box.blur()
    }
    await box.focus()
    await page.keyboard.press('Tab')
    await expect(box).toHaveValue('Income')
  }
  const mark = `Q${Date.now() % 1e6}`
  await chooseFile('Code,Description', `${mark}1,One`, `${mark}2,Two`)
  await expect(dialog.getByText('Missing: Type.')).toBeVisible()
  await triesKeys(field('Type'))
  await expect(dialog.getByText('Missing: Type.')).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Choose another file' }).click()
  await page.getByRole('button', { name: 'Discard Changes' }).click()
  await chooseFile('Code,Type,Description', `${mark}1,,One`, `${mark}2,,Two`, `${mark}3,Wages,Three`, `${mark}4,Wages,Four`)
  await dialog.getByRole('button', { name: 'Import 4 rows' }).click()
  await triesKeys(field('Type: missing in 2 rows'))
  await dialog.getByRole('button', { name: 'Use for all 2 rows' }).click()
  await triesKeys(field('Type of rows 4, 5'))
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await expect(dialog.getByText('4 rows imported: 4 new, 0 changed, 0 unchanged.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('textbox', { name: 'Search budget codes' }).fill(mark)
  for (const name of ['One', 'Two', 'Three', 'Four'])
    await expect(
      page.getByRole('grid', { name: 'Budget codes' }).getByRole('row', { name: new RegExp(`${name}.*Income|Income.*${name}`) }),
    ).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Nothing matches')).toBeVisible()
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
