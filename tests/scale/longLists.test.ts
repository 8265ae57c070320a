import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetHead } from '../../domain/budget/budget.ts'
import { calculateEntryYears } from '../../domain/budget/items/budgetEntry.ts'
import { listYearNames } from '../../domain/budget/items/decideEntry.ts'
import { createItemSavedEvent } from '../../domain/budget/items/item.ts'
import { filterRows } from '../../domain/lists/lists.ts'
import { type BudgetId, type OrganisationId, toUserId } from '../../domain/values/ids.ts'
import { budgetItems } from '../../drizzle/costTables.ts'
import { budgets, staffMembers } from '../../drizzle/schema.ts'
import type { BudgetRow } from '../../server/core/calls/selectedBudget.ts'
import { type OrganisationTx, openStore, type Store } from '../../server/core/database/database.ts'
import { eraseSubjectKey } from '../../server/core/database/vault.ts'
import { runImportEntries } from '../../server/features/nonStaffing/entryFiles/commands.ts'
import { type FindingsBlock, listStaffFindings, type NamedFinding } from '../../server/features/staffing/contracts/checks/queries.ts'
import { runChangeEntries } from '../../server/shared/nonStaffing/entries/commands.ts'
import { readEntryPage, resolveSelectedEntries } from '../../server/shared/nonStaffing/entries/queries.ts'
import { readEntryRows } from '../../server/shared/nonStaffing/entries/rows.ts'
import { readSheetBlock, type SheetBlock, type SheetRow } from '../../server/shared/nonStaffing/entries/sheet/queries.ts'
import { deleteStaff, saveStaff } from '../../server/shared/staff/commands.ts'
import { readStaffMembers } from '../../server/shared/staff/queries.ts'
import { readContractPage, readContractRows, resolveSelectedContracts } from '../../server/shared/staffing/contracts/queries.ts'
import { loadItems } from '../../server/streams/budget/items.ts'
import { loadBudget, loadContracts } from '../../server/streams/budget/queries.ts'
import { loadStaffDirectory, StaffDirectory } from '../../server/streams/budget/staffDirectory.ts'
import { commitEvents } from '../../server/streams/budget/stream.ts'
import { connectAsOwner, createDatabase } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { findExpectedPage, findExpectedSelection } from '../support/product/everyRow.ts'
import { arbitraryListRequest, type RequestColumn } from '../support/product/listRequests.ts'

let url: string
let store: Store
let organisationId: OrganisationId
let budgetId: BudgetId
const actor = { userId: toUserId(1), requestId: 'lists', now: new Date('2026-11-01T12:00:00Z') }
const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
const scope = () => ({ organisationId, budgetId })

beforeAll(async () => {
  url = await createDatabase()
  store = openStore({ databaseUrl: url, dataKey: testDataKey }, 2)
  const [found] = await store.asPlatform((tx) =>
    tx
      .select({ id: budgets.id, organisationId: budgets.organisationId })
      .from(budgets)
      .where(and(eq(budgets.name, '2026/27 Working')))
      .orderBy(budgets.organisationId, budgets.locationId)
      .limit(1),
  )
  organisationId = found!.organisationId
  budgetId = found!.id
  // Some contracts become vacancies.
  await connectAsOwner(url).unsafe(`update staff_contracts set staff_id = null, contract = jsonb_set(contract, '{staffId}', 'null')
    where id in (select id from staff_contracts where budget_id = '${budgetId}' order by id offset 5 limit 4)`)
  return () => store.close()
})

const ids = <Id>(rows: readonly { id: Id }[]) => rows.map((row) => row.id)
/** As many runs as time allows. */
const runs = { numRuns: 150, plugins: [fc.interruptAfterTimeLimit(10_000)] }

describe('a list of staff contracts', () => {
  const columns: RequestColumn[] = [
    { name: 'employeeNumber', kind: 'text' },
    { name: 'name', kind: 'text' },
    { name: 'contractName', kind: 'text' },
    { name: 'position', kind: 'text' },
    { name: 'department', kind: 'text' },
    { name: 'contractTypeName', kind: 'number' },
    { name: 'type', kind: 'number' },
    { name: 'version', kind: 'number' },
    { name: 'maximumScalePoint', kind: 'number' },
    { name: 'startDate', kind: 'date' },
    { name: 'endDate', kind: 'date' },
    { name: 'created', kind: 'date' },
    { name: 'apprentice', kind: 'flag' },
    { name: 'attritionContract', kind: 'flag' },
    { name: 'hasExtendedLeave', kind: 'flag' },
    { name: 'serviceTerms', kind: 'ids' },
    { name: 'analysisTags', kind: 'ids' },
  ]
  const searched = ['employeeNumber', 'name', 'contractName', 'position', 'department'] as const

  it('has the page, count and totals found by going through every contract, for any request', async () => {
    await inside(async (tx) => {
      const all = await readContractRows({ ...scope(), tx }, ids(await loadContracts({ tx, organisationId, budgetId })))
      expect(all.length).toBeGreaterThan(40)
      await fc.assert(
        fc.asyncProperty(arbitraryListRequest(all as never, columns, searched), async (request) => {
          const met = filterRows(all, request, searched)
          const expected = findExpectedPage(all, { request, searched, defaultSort: 'employeeNumber' })
          const { rows, totals } = await readContractPage({ ...scope(), tx }, request)
          expect(ids(rows)).toEqual(ids(expected.rows))
          expect(rows).toEqual(expected.rows)
          expect(totals).toEqual({
            total: expected.total,
            firstYear: met.reduce((sum, row) => sum + Math.round((row.costYears?.[0] ?? 0) * 100), 0),
            notCalculated: met.filter((row) => !row.costYears || row.costYears.includes(null)).length,
          })
        }),
        runs,
      )
    })
  })
  it('gives a bulk action the selected contracts, or all but those', async () => {
    await inside(async (tx) => {
      const all = await readContractRows({ ...scope(), tx }, ids(await loadContracts({ tx, organisationId, budgetId })))
      await fc.assert(
        fc.asyncProperty(
          arbitraryListRequest(all as never, columns, searched),
          fc.boolean(),
          fc.subarray(ids(all), { maxLength: 5 }),
          async ({ search, filters }, selectAll, toggledNodes) => {
            const request = { state: { selectAll, toggledNodes }, search, filters }
            const expected = findExpectedSelection(all, request, searched)!
            expect(new Set(await resolveSelectedContracts({ ...scope(), tx }, request))).toEqual(new Set(ids(expected)))
          },
        ),
        { ...runs, numRuns: 40 },
      )
      await expect(
        resolveSelectedContracts({ ...scope(), tx }, { state: { selectAll: false, toggledNodes: ['f'.repeat(24)] } }),
      ).rejects.toMatchObject({
        kind: 'notFound',
      })
    })
  })
  it('refuses a filter on an unknown column', async () => {
    const request = { pageNumber: 1, pageSize: 5, filters: [{ filter: 'contract', filterType: 'text' as const, value: 'x' }] }
    await expect(inside((tx) => readContractPage({ ...scope(), tx }, request))).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('a list of employees', () => {
  const columns: RequestColumn[] = [
    { name: 'employeeNumber', kind: 'text' },
    { name: 'niNumber', kind: 'text' },
    { name: 'forename', kind: 'text' },
    { name: 'surname', kind: 'text' },
    { name: 'email', kind: 'text' },
    { name: 'title', kind: 'number' },
    { name: 'gender', kind: 'number' },
    { name: 'dateOfBirth', kind: 'date' },
    { name: 'continuousServiceDate', kind: 'date' },
    { name: 'archive', kind: 'flag' },
    { name: 'locations', kind: 'ids' },
  ]
  const searched = ['employeeNumber', 'forename', 'surname', 'email'] as const
  const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id

  it('has the page found by going through everybody, for all locations or for one', async () => {
    await inside(async (tx) => {
      const all = (await readStaffMembers(tx, organisationId)).sort(byId)
      const places = [...new Set(all.flatMap((member) => member.locations))]
      await fc.assert(
        fc.asyncProperty(
          arbitraryListRequest(all as never, columns, searched),
          fc.option(fc.constantFrom(...places)),
          async (request, place) => {
            const own = place === null ? all : (await readStaffMembers(tx, organisationId, [place])).sort(byId)
            const expected = findExpectedPage(own, {
              request: { ...request, pageNumber: 1, pageSize: 100_000 },
              searched,
              defaultSort: 'surname',
            })
            const sort = request.sort && request.sort !== 'nothing' ? request.sort : 'surname'
            const value = (member: object): unknown => (member as Record<string, unknown>)[sort]
            const { rows, total } = await (await loadStaffDirectory(tx, organisationId)).selectPage(
              request,
              place === null ? null : [place],
            )
            expect(total).toBe(expected.total)
            const start = (request.pageNumber - 1) * request.pageSize
            // The order of rows with equal values in the sorted column is not defined.
            expect(rows.map(value)).toEqual(expected.rows.map(value).slice(start, start + request.pageSize))
            expect(ids(expected.rows)).toEqual(expect.arrayContaining(ids(rows)))
          },
        ),
        runs,
      )
    })
  })
  it('shows a new name and a new person at the next request, in another transaction and in the same one', async () => {
    const member = (await inside((tx) => readStaffMembers(tx, organisationId)))[0]!
    const find = (tx: OrganisationTx, search: string) =>
      loadStaffDirectory(tx, organisationId).then((directory) => directory.selectPage({ search, pageNumber: 1, pageSize: 9 }, null))
    expect((await inside((tx) => find(tx, 'Zzyzx'))).total).toBe(0)
    await inside(async (tx) => {
      await saveStaff({ tx, organisationId, actor }, { ...member, surname: 'Zzyzx' })
      expect((await find(tx, 'Zzyzx')).total).toBe(1)
    })
    expect(ids((await inside((tx) => find(tx, 'zzyZX'))).rows)).toEqual([member.id])
    await inside((tx) => saveStaff({ tx, organisationId, actor }, { ...member, id: null, employeeNumber: 'NEW-1', surname: 'Zzyzx' }))
    expect((await inside((tx) => find(tx, 'Zzyzx'))).total).toBe(2)
  })
  it('stays sorted in every order when people change, join and leave, and decrypts nobody else again', async () => {
    const fields = ['surname', 'forename', 'employeeNumber', 'dateOfBirth', 'name']
    const before = await inside((tx) => loadStaffDirectory(tx, organisationId))
    for (const field of fields) await before.sortBy(field)
    const [first, second, third] = await inside((tx) => readStaffMembers(tx, organisationId))
    const made = await inside((tx) =>
      saveStaff(
        { tx, organisationId, actor },
        { ...first!, id: null, version: null, employeeNumber: 'M-10', surname: 'Middleton', niNumber: null },
      ),
    )
    await inside((tx) => saveStaff({ tx, organisationId, actor }, { ...second!, surname: 'Aardvark', forename: 'Zoe', dateOfBirth: null }))
    await inside((tx) => saveStaff({ tx, organisationId, actor }, { ...first!, surname: 'aardvark' }))
    for (const isGone of [false, true]) {
      if (isGone)
        await inside((tx) =>
          deleteStaff({ tx, organisationId, actor, scope: { organisationId, locationIds: null, isAdministrator: false } }, [made.id]),
        )
      const after = await inside((tx) => loadStaffDirectory(tx, organisationId))
      expect(after.people.has(made.id)).toBe(!isGone)
      expect(after.people.get(third!.id)).toBe(before.people.get(third!.id))
      const anew = new StaffDirectory(
        new Map((await inside((tx) => readStaffMembers(tx, organisationId))).map((member) => [member.id, member])),
      )
      for (const field of fields) expect(await after.sortBy(field)).toEqual(await anew.sortBy(field))
    }
  })
  it('never includes uncommitted changes', async () => {
    const member = (await inside((tx) => readStaffMembers(tx, organisationId)))[0]!
    const look = (tx: OrganisationTx) => loadStaffDirectory(tx, organisationId).then(({ people }) => people.get(member.id)!.surname)
    await expect(
      inside(async (tx) => {
        await saveStaff({ tx, organisationId, actor }, { ...member, surname: 'Never' })
        expect(await look(tx)).toBe('Never')
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect(await inside(look)).toBe(member.surname)
  })
  it('omits an erased person, name and number, at the next request', async () => {
    const member = (await inside((tx) => readStaffMembers(tx, organisationId)))[1]!
    const [{ subject }] = (await inside((tx) =>
      tx.select({ subject: staffMembers.subject }).from(staffMembers).where(eq(staffMembers.id, member.id)),
    )) as [{ subject: string }]
    await inside((tx) => loadStaffDirectory(tx, organisationId))
    await inside((tx) => eraseSubjectKey(tx, organisationId, subject))
    const { people } = await inside((tx) => loadStaffDirectory(tx, organisationId))
    expect(people.get(member.id)).toMatchObject({ erased: true, employeeNumber: '', forename: 'Erased', niNumber: null, email: null })
    expect(JSON.stringify([...people.values()])).not.toContain(`"${member.employeeNumber}"`)
  })
})

describe('a list of budget entries', () => {
  const columns: RequestColumn[] = [
    { name: 'identifier', kind: 'text' },
    { name: 'description', kind: 'text' },
    { name: 'notes', kind: 'text' },
    { name: 'budgetYearName', kind: 'text' },
    { name: 'budgetCodeId', kind: 'number' },
    { name: 'costCentreId', kind: 'number' },
    { name: 'profileTemplateId', kind: 'number' },
    { name: 'amount', kind: 'number' },
    { name: 'period1', kind: 'number' },
    { name: 'period12', kind: 'number' },
    { name: 'created', kind: 'date' },
    { name: 'hasOwnPeriods', kind: 'flag' },
    { name: 'isOutOfDate', kind: 'flag' },
    { name: 'analysisTags', kind: 'ids' },
  ]
  const searched = ['identifier', 'description', 'notes'] as const
  let where: { organisationId: OrganisationId; head: BudgetHead }
  let row: BudgetRow

  beforeAll(async () => {
    await inside(async (tx) => {
      const [found] = await tx
        .select({ budgetId: budgetItems.budgetId })
        .from(budgetItems)
        .where(eq(budgetItems.kind, 'prediction'))
        .orderBy(budgetItems.budgetId)
        .limit(1)
      const budget = await loadBudget({ tx, organisationId }, found!.budgetId)
      const entries = await loadItems({ tx, organisationId, budgetId: budget.id }, 'entry')
      const typed = entries.filter((entry) => !entry.item.source)
      const years = listYearNames(budget.head)
      const changes = typed.slice(0, 12).map(({ id }, n) => ({
        id,
        changes: {
          ...(n % 3 === 0 ? { notes: `Épicerie of Mr ${n}` } : {}),
          ...(n % 4 === 0 ? { identifier: `Ref ${n}` } : {}),
          ...(n % 5 === 0
            ? {
                years: [
                  { yearName: years[2]!, amount: 100 + n },
                  { yearName: years[3]!, rate: 2.5 },
                ],
              }
            : {}),
          ...(n % 6 === 1 ? { analysisTags: [] } : {}),
        },
      }))
      await runChangeEntries({ tx, organisationId, budgetId: budget.id, actor }, changes)
      const [pupils] = await loadItems({ tx, organisationId, budgetId: budget.id }, 'pupils')
      const fewer = { rows: pupils!.item.rows.map((one) => ({ ...one, years: one.years.map((count) => count && count - 1) })) }
      await commitEvents(
        { tx, actor: { ...actor, requestId: 'fewer pupils' } },
        await loadBudget({ tx, organisationId }, budget.id, true),
        {
          events: [createItemSavedEvent('pupils', { id: pupils!.id, item: { ...pupils!.item, ...fewer } as never })],
        },
      )
      row = await loadBudget({ tx, organisationId }, budget.id)
      where = { organisationId, head: row.head }
    })
  })

  const everything = async (tx: OrganisationTx) =>
    readEntryRows({ tx, organisationId }, where.head, ids(await loadItems({ tx, organisationId, budgetId: where.head.id }, 'entry')))

  it('has the page and the count found by going through every entry, for any request', async () => {
    await inside(async (tx) => {
      const all = await everything(tx)
      expect(all.some((entry) => entry.isOutOfDate) && all.some((entry) => entry.notes)).toBe(true)
      await fc.assert(
        fc.asyncProperty(arbitraryListRequest(all as never, columns, searched), async (request) => {
          const expected = findExpectedPage(all, { request, searched, defaultSort: 'description' })
          const { rows, total } = await readEntryPage(tx, where, request)
          expect({ rows, total }).toEqual(expected)
        }),
        runs,
      )
    })
  })
  it('gives a bulk action the selected entries, or all but those', async () => {
    await inside(async (tx) => {
      const all = await everything(tx)
      await fc.assert(
        fc.asyncProperty(
          arbitraryListRequest(all as never, columns, searched),
          fc.boolean(),
          fc.subarray(ids(all), { maxLength: 5 }),
          async ({ search, filters }, selectAll, toggledNodes) => {
            const request = { state: { selectAll, toggledNodes }, search, filters }
            expect(new Set(ids(await resolveSelectedEntries(tx, where, request)))).toEqual(
              new Set(ids(findExpectedSelection(all, request, searched)!)),
            )
          },
        ),
        { ...runs, numRuns: 40 },
      )
    })
  })
  it('is written by the database for the sheet with the same values as the entries', async () => {
    await inside(async (tx) => {
      const entries = await loadItems({ tx, organisationId, budgetId: where.head.id }, 'entry')
      const stale = new Set((await everything(tx)).flatMap((entry) => (entry.isOutOfDate ? [entry.id] : [])))
      const block = await readSheetBlock(tx, row, { after: null })
      expect(block).toMatchObject({ version: row.version, total: entries.length, next: null })
      expect(JSON.parse(block.rows)).toEqual(
        entries.map(({ id, version, item }) => ({
          id,
          version,
          identifier: item.identifier,
          description: item.description,
          budgetCodeId: item.budgetCodeId,
          costCentreId: item.costCentreId,
          fundCodes: item.fundCodes,
          analysisTags: item.analysisTags,
          profileTemplateId: item.profileTemplateId,
          firstYear: item.firstYear,
          amounts: calculateEntryYears(item, where.head.numberOfYears).map((year) => year.amount),
          typed: Array.from({ length: where.head.numberOfYears }, (_unused, year) =>
            item.years[year]?.amount != null ? 'amount' : item.years[year]?.rate != null ? 'rate' : null,
          ),
          hasOwnPeriods: item.years.some((year) => year.periods),
          hasNotes: item.sealedNotes !== null,
          source: item.source?.kind ?? null,
          sourceId: item.source?.id ?? null,
          isOutOfDate: stale.has(id),
        })),
      )
    })
  })
  it('is sent to the sheet block by block, each entry once, in order of creation', async () => {
    await inside(async (tx) => {
      const file = Array.from({ length: 210 }, (_unused, n) => ({
        Description: `Line ${n}`,
        BudgetCode: '4340',
        CostCentre: 'OFF',
        BudgetYearName: '2026/27',
        Amount: String(n),
      }))
      await runImportEntries(
        {
          tx,
          scope: { organisationId, locationIds: null, isAdministrator: false },
          budgetId: row.id,
          actor: {
            ...actor,
            requestId: 'many',
          },
        },
        file,
      )
      const entries = await loadItems({ tx, organisationId, budgetId: row.id }, 'entry')
      const seen: string[] = []
      let blocks = 0
      for (let after: SheetBlock['next'] = null; ; blocks++) {
        const block = await readSheetBlock(tx, await loadBudget({ tx, organisationId }, row.id), { after, size: 100 })
        seen.push(...(JSON.parse(block.rows) as SheetRow[]).map((one) => one.id))
        expect(block.total).toBe(entries.length)
        after = block.next
        if (!after) break
      }
      expect(blocks).toBe(2)
      expect(seen).toEqual(ids(entries))
    })
  })
})

const inOrder = (findings: readonly NamedFinding[]): string[] => findings.map((finding) => JSON.stringify(finding)).sort()

describe('the checks of staff', () => {
  it('find block by block, in the contracts selected by the database, what they find in all of them', async () => {
    const owner = connectAsOwner(url)
    const set = (path: string, value: string, turn: number) =>
      owner.unsafe(`update staff_contracts set contract = jsonb_set(contract, '${path}', '${value}')
        where id in (select id from staff_contracts where organisation_id = ${organisationId} order by id offset ${turn * 7} limit 5)`)
    for (const [turn, [path, value]] of (
      [
        ['{salary,0,fte}', 'null'],
        ['{salary,0,fte}', '1.2'],
        ['{salary,0,fte}', '0.7'],
        ['{salary,0,hoursPerWeek}', '60'],
        ['{endDate}', '"2020-01-01"'],
        ['{maximumScalePoint}', 'null'],
        ['{maximumScalePoint}', '{"id": 1, "kind": "teacher", "scale": "Main", "increment": 0}'],
        ['{attritionContract}', 'true'],
        ['{salary,0,weeksPerYear}', '39'],
        ['{endDate}', '"2027-03-31"'],
      ] as const
    ).entries())
      await set(path, value, turn)
    await owner.unsafe(`update staff_costs set has_problems = true, costing = jsonb_set(costing::jsonb, '{problems}', '[{"from": "2026-09-01", "code": "X", "text": "X"}]')
      where contract_id in (select contract_id from staff_costs where organisation_id = ${organisationId} order by contract_id limit 3)`)
    await owner.unsafe(`update staff_members set archive = true, version = version + 1 where id % 9 = 0`)
    const found = new Set<string>()
    let most = 0
    const rows = await inside((tx) => tx.select().from(budgets).where(eq(budgets.organisationId, organisationId)))
    for (const budget of rows)
      await inside(async (tx) => {
        const among = await loadContracts({ tx, organisationId, budgetId: budget.id })
        const whole = await listStaffFindings({ tx, organisationId }, budget, { after: null, among, size: 100_000 })
        const blocks: FindingsBlock[] = []
        for (let after: string | null | undefined = null; after !== null || !blocks.length; after = blocks.at(-1)!.next)
          blocks.push(await listStaffFindings({ tx, organisationId }, budget, { after, size: 3 }))
        const findings = blocks.flatMap((block) => block.findings)
        most = Math.max(most, blocks.length)
        expect(inOrder(findings)).toEqual(inOrder(whole.findings))
        for (const { code } of findings) found.add(code)
      })
    expect([...found]).toEqual(
      expect.arrayContaining([
        'notCalculated',
        'overFull',
        'ended',
        'endsWithin',
        'aboveMaximum',
        'noIncrements',
        'termTimeWeeks',
        'archived',
      ]),
    )
    expect(most).toBeGreaterThan(3)
  })
})
