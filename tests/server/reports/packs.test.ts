import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chapterNames, createDefaultPackTexts, type PackContentInput } from '../../../domain/packs/pack.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { formatCell } from '../../../server/core/paper/columns.ts'
import type { DocumentReader, DocumentSource } from '../../../server/core/paper/request.ts'
import { buildPackDocument } from '../../../server/features/packs/paper/queries.ts'
import { tryToMakeFile } from '../../../server/shared/files/commands.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { type ReadPdf, readPdf } from '../../support/samples/pdf.ts'

let product: Product
let administrator: Caller
let finance: Caller
/** Reads only reports: finished packs, but no current figures. */
let reader: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let packs: ReturnType<typeof proceduresOf>['packs']

const october = { year: 2026, month: 10 }
const never = { explainOver: 900_000_000, explainOverPercent: 0, explainAlwaysOver: 900_000_000 }

const as = (who: Caller) => proceduresOf(product, who, own)
const settle = (settings: Body) => as(finance).monitoring.saveSettings.mutate(settings)
const north = () => places.locations.Northgate!
/** Starts a draft pack for a school in October. @returns its code */
async function begun(locationId: LocationId | null = north(), month = october): Promise<string> {
  return (await packs.start.mutate({ ...month, locationId })).code
}
/** The version of a draft, read without its figures. */
async function versionOf(code: string): Promise<number> {
  const [row] = await connectAsOwner(product.config.databaseUrl)<{ version: number }[]>`
    select version from monitoring_items where kind = 'pack' and item ->> 'code' = ${code}`
  return row!.version
}
/** Finishes a pack. @returns the id of the file to be made */
async function finished(code: string): Promise<string> {
  return (await packs.finish.mutate({ code, version: await versionOf(code) })).id
}
const page = (pack: Body, chapter: string): Body => pack.pages.find((one: Body) => one.chapter === chapter)
const tableOf = (pack: Body, chapter: string): Body => page(pack, chapter).blocks.find((block: Body) => block.kind === 'table').report
const rowOf = (pack: Body, chapter: string, label: string): Body[] =>
  tableOf(pack, chapter).rows.find((row: Body) => row.label === label).values

/** Makes the PDF of a finished pack as a worker does, and downloads it. */
async function printedOf(code: string, fileId: string): Promise<ReadPdf> {
  const store = openStore(product.config, 1)
  try {
    const makers = { pack: (source: DocumentSource, reader: DocumentReader) => buildPackDocument(source, reader, { code }) }
    expect(await tryToMakeFile(store, { organisationId: own.OrganisationId, id: fileId, makers })).toBe(true)
  } finally {
    await store.close()
  }
  const reply = await fetch(`${product.origin}/api/Packs/${code}/Paper`, {
    headers: { ApiVersion: '2', Authorization: `Bearer ${finance.token}`, OrganisationId: String(own.OrganisationId) },
  })
  expect(reply.status).toBe(200)
  return readPdf(new Uint8Array(await reply.arrayBuffer()))
}

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  packs = as(finance).packs
  reader = await inviteAndSignIn(product, administrator, 'pack-reader@harbour.example', ['BudgetingReportsRead'], own.OrganisationId)
  await settle(never)
}, 300_000)
// No worker makes PDFs here, and a user may have only ten files waiting.
beforeEach(() => connectAsOwner(product.config.databaseUrl)`update made_files set cancelled_at = now() where made_at is null`)

describe('a draft', () => {
  it('shows current figures: the same totals as the page of monitoring', async () => {
    const pack = await packs.get.query({ code: await begun() })
    const { body } = await finance.call('POST', '/api/monitoring/BudgetsVsActuals', { ...october, budgetId: places.budgets.Northgate }, own)
    const wanted = (body.rows as Body[]).find((row) => row.description === 'Total income')
    expect(rowOf(pack, 'monitoring', 'Total income').slice(0, 3)).toEqual([wanted.budgetToDate, wanted.actualToDate, wanted.variance])
    expect(pack).toMatchObject({ finished: null, pins: null, place: 'Northgate Primary School', mayMake: true })
  })
  it('stores its chapters and texts, inserts figures for references, and refuses an unknown one at its field', async () => {
    const code = await begun()
    const { version, words } = await packs.get.query({ code })
    const content = { ...words, chapters: ['summary' as const, 'decisions' as const], decisions: ['Approve {inYear.budget}.'] }
    const saved = await packs.save.mutate({ code, version, content })
    expect(saved.pages.map((one) => one.chapter)).toEqual(['summary', 'decisions'])
    const { text } = saved.references.find((one) => one.key === 'inYear.budget')!
    expect(page(saved, 'decisions').blocks).toEqual([{ kind: 'text', text: `1. Approve ${text}.` }])
    const wrong = packs.save.mutate({ code, version: saved.version, content: { ...content, texts: { summary: 'Now {income.totl}' } } })
    await expect(wrong).rejects.toMatchObject({
      data: { problem: { fields: [{ field: 'texts.summary', message: 'There is no figure {income.totl}. Choose one from the list.' }] } },
    })
    await expect(packs.save.mutate({ code, version, content })).rejects.toThrow('Someone else has changed this.')
  })
  it('cannot be finished while a line over the threshold has no reason and action, but can afterwards', async () => {
    const code = await begun()
    const draft = await packs.get.query({ code })
    const largest = (tableOf(draft, 'monitoring').rows as Body[]).filter((row) => row.kind === 'Data').map((row) => Math.abs(row.values[2]))
    const over = Math.max(...largest) - 0.01
    await settle({ explainOver: over, explainOverPercent: 0, explainAlwaysOver: over })
    const { due } = await packs.get.query({ code })
    expect(due).toHaveLength(1)
    await expect(finished(code)).rejects.toThrow(
      'The pack for October 2026 cannot be finished: 1 line over the threshold needs a reason or an action',
    )
    const note = { budgetCodeId: due[0]!.budgetCodeId, type: 1, notes: 'A supply teacher was ill', action: 'Cover is booked ahead' }
    // The demo has closed some months.
    const { monthEnd } = as(finance).monitoring
    const row = (await monthEnd.list.query(october)).find((one) => one.locationId === north())
    if (row?.closed) await monthEnd.reopen.mutate({ ...october, locationIds: [north()], reason: 'For a note' })
    await finance.call('POST', `/api/monitoring/note/2026/10/${places.groupId}`, note, own)
    await finished(code)
    const pack = await packs.get.query({ code })
    const labels = (tableOf(pack, 'monitoring').rows as Body[]).map((row) => row.label)
    const at = labels.findIndex((label) => label.startsWith(`${due[0]!.code} `))
    expect(labels[at + 1]).toBe('Reason: A supply teacher was ill\nAction: Cover is booked ahead')
    expect(page(pack, 'explanations')).toBeUndefined()
    await settle(never)
  })
  it('cannot be finished while costs are out of date, and says whose and what to do', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const code = await begun()
    await sql`update budget_groups set required_since = now(), required_reason = 'A levy' where id = ${places.groupId}`
    try {
      expect((await packs.get.query({ code })).olderCosts).toMatch(/need recalculating: .*Northgate/)
      await expect(finished(code)).rejects.toThrow(/costs are out of date\. Recalculate .*Northgate.* first\.$/)
    } finally {
      await sql`update budget_groups set required_since = null, required_reason = null where id = ${places.groupId}`
    }
    await finished(code)
  })
  it('can be discarded, and a finished pack cannot', async () => {
    const code = await begun()
    await packs.discard.mutate({ code })
    await expect(packs.get.query({ code })).rejects.toThrow('Pack was not found.')
    const second = await begun()
    await finished(second)
    await expect(packs.discard.mutate({ code: second })).rejects.toThrow('This pack is finished and can no longer be changed.')
  })
})

describe('a pack of the trust', () => {
  it('has the income of the budget analysis: payments between schools are in no total, and need no explanation', async () => {
    const code = await begun(null)
    const pack = await packs.get.query({ code })
    const budgetOf = (label: string): number => rowOf(pack, 'monitoring', label)[5]
    const { rows } = (await finance.call('POST', '/api/Reporting/BudgetAnalysis', { yearNames: ['2026/27'] }, own)).body
    const analysed = (label: string): number => rows.find((row: Body) => row.label === label).values[0]
    for (const label of ['Total income', 'Total expenditure', 'In-year balance'])
      expect(budgetOf(label), label).toBeCloseTo(analysed(label), 2)
    expect(budgetOf('Top slices')).toBe(0)
    const labels = (tableOf(pack, 'monitoring').rows as Body[]).map((row) => row.label)
    expect(labels).not.toContain('4400 Central services (top slice)')
    await settle({ explainOver: 0, explainOverPercent: 0, explainAlwaysOver: 0 })
    expect((await packs.get.query({ code })).due.map((one) => one.code)).not.toEqual(expect.arrayContaining(['4400']))
    await settle(never)
    await packs.discard.mutate({ code })
  })
})

describe('the PDF of a pack', () => {
  it('says whose it is, and whether it is finished', async () => {
    const titles = async (): Promise<string[]> => (await as(finance).files.list.query()).map((one) => one.title)
    const code = await begun()
    await packs.print.mutate({ code })
    expect(await titles()).toContain('Governors’ pack October 2026, Northgate Primary School, draft')
    await finished(code)
    expect(await titles()).toContain('Governors’ pack October 2026, Northgate Primary School')
    const all = await begun(null)
    await packs.print.mutate({ code: all })
    expect((await titles())[0]).toMatch(/^Governors’ pack October 2026, Harbour .*, draft$/)
    await packs.discard.mutate({ code: all })
  })
})

describe('a finished pack', () => {
  it('shows the same figures after later changes, says that they differ now, and shows the version of every log', async () => {
    const code = await begun()
    await finished(code)
    const before = await packs.get.query({ code })
    expect(before.since).toEqual({ budgets: [], monitoring: false, figures: [] })
    expect(before.pins!.budgets).toEqual([
      { id: places.budgets.Northgate, version: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(before.pins!.logs.map((one) => one.locationId)).toEqual([0, north()])
    const { monitoring } = as(finance)
    await monitoring.cash.saveFloor.mutate({ value: 12_345 })
    const after = await packs.get.query({ code })
    expect(after.pages).toEqual(before.pages)
    expect(after.since).toMatchObject({ monitoring: true, figures: [{ label: 'Cash floor', now: '£12,345.00' }] })
    await monitoring.cash.saveFloor.mutate({ value: null })
  })
  it('ticks the step of its school’s month end alone, and one of the whole organisation that of all', async () => {
    const august = { year: 2027, month: 8 }
    const list = () => as(finance).monitoring.monthEnd.list.query(august)
    const made = async () => (await list()).filter((row) => row.steps.pack).map((row) => row.locationId)
    expect(await made()).toEqual([])
    const draft = await begun(north(), august)
    expect(await made()).toEqual([])
    await finished(draft)
    expect(await made()).toEqual([north()])
    const untick = { ...august, locationIds: [north()], step: 'pack' as const, isDone: false }
    await expect(as(finance).monitoring.monthEnd.tick.mutate(untick)).rejects.toThrow('The pack for August 2027 is finished in Bursar')
    await finished(await begun(null, august))
    expect((await made()).length).toBe((await list()).filter((row) => row.budgetId).length)
    // A school without a budget for the month is in none of its packs, so its step is not ticked.
    expect((await list()).filter((row) => !row.budgetId && row.steps.pack)).toEqual([])
    const [northgate] = (await administrator.call('POST', '/api/Locations/list', { search: 'Northgate' }, own)).body.rows
    const { id: _id, version: _version, created: _created, payrollRecId: _payroll, budgetCodeFilter: _filter, ...settings } = northgate
    const added = await administrator.call(
      'POST',
      '/api/Locations',
      { ...settings, name: 'Hillside School', alias: 'Hillside', dfeNumber: '209/9999', referenceNumber: 'HILL' },
      own,
    )
    expect(added.status, added.body).toBe(201)
    expect((await list()).find((row) => row.locationId === added.body.id)?.steps.pack).toBeNull()
  })
  it('is continued by the next one, which has its chapters and texts, and says what changed', async () => {
    const september = { year: 2026, month: 9 }
    const first = await begun(north(), september)
    const { version, words } = await packs.get.query({ code: first })
    const content = { ...words, title: 'Finance committee', chapters: ['summary' as const, 'cash' as const] }
    await packs.save.mutate({ code: first, version, content })
    await finished(first)
    const second = await begun(north(), september)
    const again = await packs.get.query({ code: second })
    expect(again).toMatchObject({ from: first, chapters: ['summary', 'cash'], words: { title: 'Finance committee' } })
    // From a pack of the same month only the texts are copied; figures are compared with an earlier month’s.
    expect(tableOf(again, 'summary').title).toBe('Key figures')
    const june = { year: 2027, month: 6 }
    const july = { year: 2027, month: 7 }
    for (const month of [june, july]) await finished(await begun(north(), month))
    const table = tableOf(await packs.get.query({ code: await begun(north(), july) }), 'summary')
    expect(table.title).toBe('What changed')
    expect(table.columns.map((column: Body) => column.title)).toEqual(['July 2027', 'June 2027', 'Change'])
  })
  it('offers its words to the next month as a draft, which cannot be finished until they are read or rewritten', async () => {
    const [january, february, march] = [1, 2, 3].map((month) => ({ year: 2027, month }))
    const save = async (code: string, change: (content: PackContentInput) => Partial<PackContentInput>) => {
      const { version, words, chapters } = await packs.get.query({ code })
      const content = { ...words, chapters }
      await packs.save.mutate({ code, version, content: { ...content, ...change(content) } })
    }
    const first = await begun(north(), january)
    await save(first, ({ texts }) => ({ texts: { ...texts, cash: 'A good month.' }, decisions: ['Approve the boiler.'] }))
    await finished(first)
    const second = await begun(north(), february)
    expect(await packs.get.query({ code: second })).toMatchObject({
      earlier: { ...january, decisions: ['Approve the boiler.'] },
      words: { texts: { cash: 'A good month.' } },
    })
    const refusal = (where: string) =>
      `The pack for February 2027 cannot be finished: check or rewrite the text from January 2027 in ${where} first.`
    await expect(finished(second)).rejects.toThrow(refusal('Cash and Decisions'))
    await save(second, () => ({ read: ['cash'] }))
    await expect(finished(second)).rejects.toThrow(refusal('Decisions'))
    await save(second, () => ({ decisions: [] }))
    await finished(second)
    // What was read for one month has not been read for the next.
    await expect(finished(await begun(north(), march))).rejects.toThrow('text from February 2027 in Cash first')
  })
  it('keeps its school’s position among the comparators, as in the report of measures, whatever is selected later', async () => {
    const { comparators } = as(finance)
    const besideOf = (pack: Body): Body | undefined =>
      page(pack, 'measures').blocks.find((block: Body) => block.kind === 'table' && block.report.title === 'Compared with comparators')
        ?.report
    const withMeasures = async (locationId: LocationId | null): Promise<string> => {
      const code = await begun(locationId)
      await packs.save.mutate({
        code,
        version: await versionOf(code),
        content: { ...createDefaultPackTexts(null), chapters: ['measures'] },
      })
      return code
    }
    const headings = ['URN', 'SchoolName', 'PeriodCoveredByReturn', 'TotalPupils', 'TotalExpenditure', 'TotalTeachingSupportStaffCosts']
    const rows = [headings, ...[1, 2, 3, 4].map((at) => [`10000${at}`, `School ${at}`, '12', '100', '1000000', `${at * 200_000}`])]
    const set = await comparators.import.mutate({
      name: 'Like us',
      source: 'file.csv',
      year: '2024/25',
      rows: rows.map((row) => row.join('\t')),
    })
    const code = await withMeasures(north())
    const draft = besideOf(await packs.get.query({ code }))!
    const { body: report } = await finance.call('POST', '/api/Reporting/Measures', { budgetId: places.budgets.Northgate }, own)
    const at = (key: string): number => report.columns.findIndex((column: Body) => column.key === key)
    const teaching = report.rows.find((row: Body) => row.label === 'Teaching and teaching support staff')
    const kept = draft.rows.find((row: Body) => row.label === 'Teaching and teaching support staff, £ per pupil')
    expect(kept.values).toEqual([teaching.values[0], teaching.values[at('comparators')], teaching.values[at('median')]])
    expect(kept.values[2]).toBe(5000)
    // All schools together cannot be compared with single schools.
    expect(besideOf(await packs.get.query({ code: await withMeasures(null) }))).toBeUndefined()
    await finished(code)
    await comparators.delete.mutate({ id: set.id })
    expect(besideOf(await as(reader).packs.get.query({ code }))).toEqual(draft)
    expect(besideOf(await packs.get.query({ code: await withMeasures(north()) }))).toBeUndefined()
  })
  it('is printed with its figures and its code on every page, and the PDF is stored', { timeout: 120_000 }, async () => {
    const code = await begun()
    await packs.save.mutate({
      code,
      version: await versionOf(code),
      content: { ...createDefaultPackTexts(null), chapters: [...chapterNames] },
    })
    const pdf = await printedOf(code, await finished(code))
    expect(pdf).toMatchObject({ isTagged: true, language: 'en-GB' })
    expect(pdf.descriptions).toEqual([expect.stringContaining('in-year balance by year'), expect.stringContaining('reserves by year')])
    // Portrait, except for the table of monitoring with its nine columns of figures.
    for (const [index, [width, height]] of pdf.sizes.entries())
      expect(width > height, String(index)).toBe(pdf.pages[index]!.flat().some((text) => text.startsWith('Budget and forecast')))
    const shown = `Code ${code.slice(0, 4)}-${code.slice(4)}`
    pdf.pages.forEach((lines, index) => {
      expect(lines.flat().join(' ')).toContain(shown)
      expect(lines.flat().join(' ')).toContain(`Page ${index + 1} of ${pdf.pages.length}`)
    })
    const pack = await as(reader).packs.get.query({ code })
    expect(pack.hasPaper).toBe(true)
    let compared = 0
    for (const { chapter } of pack.pages.filter((one) => one.blocks.some((block) => block.kind === 'table'))) {
      const { rows, columns } = tableOf(pack, chapter)
      for (const { kind, label, values, missing } of rows as Body[]) {
        if (kind !== 'SectionFooter' && kind !== 'Total') continue
        const wanted = values.flatMap((value: number | string | null, index: number) => {
          const { type } = columns[index]
          if (value === null) return type === 'money' && missing > 0 ? ['not calculated'] : type === 'number' ? ['not known'] : []
          return [formatCell(value, type, false)].filter(Boolean)
        })
        const found = pdf.pages.flat().filter(([first]) => first === label)
        expect(
          found.map(([, ...rest]) => rest),
          `${chapter} ${label}`,
        ).toContainEqual(wanted)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(8)
    // A heading is never the last line of its page.
    const titles = new Set(pack.pages.map((one) => one.title))
    for (const lines of pdf.pages) {
      const last = lines.filter((line) => !line.join(' ').includes('Code ')).at(-1)
      expect(titles).not.toContain(last?.join(' '))
    }
  })
  it('says that another budget is the one of record now, though its own log has not changed', async () => {
    const code = await begun()
    await finished(code)
    await finance.call('POST', `/api/Budget/duplicate/${places.budgets.Northgate}`, { name: '0 before all others' }, own)
    const { since } = await as(reader).packs.get.query({ code })
    expect(since).toMatchObject({ budgets: ['0 before all others'], monitoring: false })
  })
  it('is intact in the log: every audit check passes', async () => {
    const store = openStore(product.config, 1)
    try {
      const findings = async () => (await store.asPlatform((tx) => verifyAllOnce(tx, {}, []))).findings
      expect(await findings()).toEqual([])

      // A log in which the event that finished a pack was replaced no longer proves what its readers saw.
      const sql = connectAsOwner(product.config.databaseUrl)
      const pinned = [
        ['budgets', 'id', places.budgets.Northgate!, `budget ${places.budgets.Northgate}`],
        ['logs', 'locationId', north(), `monitoring at location ${north()}`],
      ] as const
      const rows = await sql<{ key: string; item: Body }[]>`
        select key, item from monitoring_items where kind = 'pack' and location_id = ${north()} and item -> 'finished' -> 'pins' is not null
        order by key limit ${pinned.length}`
      for (const [index, [logs, place, of]] of pinned.entries()) {
        const changed = structuredClone(rows[index]!.item)
        for (const pin of changed.finished.pins[logs]) if (pin[place] === of) pin.hash = 'f'.repeat(64)
        await sql`update monitoring_items set item = ${sql.json(changed)} where key = ${rows[index]!.key}`
      }
      const about = (await findings()).map((one) => one.problem)
      for (const [index, [, , , name]] of pinned.entries())
        expect(about).toContainEqual(
          expect.stringMatching(
            new RegExp(`^When the pack ${rows[index]!.item.code} was finished, version \\d+ of ${name} was a different event`),
          ),
        )
      for (const { key, item } of rows) await sql`update monitoring_items set item = ${sql.json(item)} where key = ${key}`
    } finally {
      await store.close()
    }
  })
  it('names nobody, and typed text is encrypted', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const [row] = await sql`select string_agg(item::text, ' ') as items from monitoring_items where kind = 'pack'`
    expect(row!.items).not.toContain('A supply teacher was ill')
    expect(row!.items).not.toContain('Finance committee')
  })
})

describe('a pack of the whole organisation', () => {
  it('leaves out an archived school, and shows finished ones unchanged', async () => {
    const august = { year: 2027, month: 8 }
    const schools = async (code: string, who = finance) =>
      (
        page(await as(who).packs.get.query({ code }), 'cover').blocks.find((block: Body) => block.kind === 'facts').facts as [
          string,
          string,
        ][]
      )[0]![1]
    const before = await begun(null, august)
    await finished(before)
    const count = Number(/\d+/.exec(await schools(before, reader))![0])
    const { location } = as(administrator).resources
    const row = await location!.get.query({ id: north() })
    await location!.update.mutate({ ...row, archive: true })
    expect(await schools(await begun(null, august))).toBe(`All ${count - 1} schools`)
    expect(await schools(before, reader)).toBe(`All ${count} schools`)
    await location!.update.mutate({ ...(await location!.get.query({ id: north() })), archive: false })
    // A changed location requires a recalculation, which prevents packs from being finished.
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`delete from recalculation_marks where organisation_id = ${own.OrganisationId}`
    await sql`update budget_groups set required_since = null, required_reason = null where organisation_id = ${own.OrganisationId}`
  })
})

describe('access to packs', () => {
  beforeAll(async () => {
    // A location was changed above, and a pack cannot be finished while costs are out of date.
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`update budget_groups set required_since = null, required_reason = null`
    await sql`delete from recalculation_marks`
  })
  it('for a reader of reports includes finished packs, no draft, and no current figure', async () => {
    const { list, get, print, start } = as(reader).packs
    const draft = await begun()
    const done = await begun()
    await finished(done)
    const listed = await list.query()
    expect(listed.map((one) => one.code)).toContain(done)
    expect(listed.every((one) => one.finished)).toBe(true)
    expect(await get.query({ code: done })).toMatchObject({ mayMake: false, since: { figures: null } })
    await expect(get.query({ code: draft })).rejects.toThrow('Pack was not found.')
    await expect(print.mutate({ code: draft })).rejects.toThrow('Pack was not found.')
    await expect(start.mutate({ ...october, locationId: north() })).rejects.toThrow('You do not have permission')
  })
  it('needs the permissions for reports and forecasts to make one, not only for the month end', async () => {
    const rights = ['BudgetingMonitoringBudgetActualsReadUpdate', 'BudgetingReportsRead']
    const maker = as(await inviteAndSignIn(product, administrator, 'pack-half@harbour.example', rights, own.OrganisationId)).packs
    await expect(maker.start.mutate({ ...october, locationId: north() })).rejects.toThrow('You do not have permission')
  })
  it('for a user of one school is limited to that school, without those of the trust', async () => {
    const rights = ['BudgetingMonitoringBudgetActualsReadUpdate', 'BudgetingMonitoringBudgetForecastRead', 'BudgetingReportsRead']
    const caller = await inviteAndSignIn(product, administrator, 'pack-north@harbour.example', rights, own.OrganisationId, [north()])
    const school = as(caller).packs
    const [, elsewhere] = Object.entries(places.locations).find(([alias]) => alias !== 'Northgate' && places.budgets[alias])!
    const [theirs, trust] = [await begun(elsewhere), await begun(null)]
    await finished(theirs)
    await finished(trust)
    for (const code of [theirs, trust]) {
      await expect(school.get.query({ code })).rejects.toThrow('Pack was not found.')
      await expect(school.print.mutate({ code })).rejects.toThrow('Pack was not found.')
      expect((await caller.call('GET', `/api/Packs/${code}/Paper`, undefined, own)).status).toBe(404)
    }
    expect((await school.list.query()).every((one) => one.locationId === north())).toBe(true)
    await expect(school.start.mutate({ ...october, locationId: elsewhere })).rejects.toThrow('Location was not found.')
    await expect(school.start.mutate({ ...october, locationId: null })).rejects.toThrow('You do not have permission')
    const { code } = await school.start.mutate({ ...october, locationId: north() })
    expect((await school.get.query({ code })).place).toBe('Northgate Primary School')
  })
  it('is refused to another organisation', async () => {
    const code = await begun()
    await finished(code)
    const meadow = await signInAs(product, 'finance@meadow.example')
    const there = { OrganisationId: (await findTrustIds(meadow)).organisationId }
    const theirs = proceduresOf(product, meadow, there).packs
    expect(await theirs.list.query()).toEqual([])
    await expect(theirs.get.query({ code })).rejects.toThrow('Pack was not found.')
    expect((await meadow.call('GET', `/api/Packs/${code}`, undefined, own)).status).toBe(403)
  })
})
