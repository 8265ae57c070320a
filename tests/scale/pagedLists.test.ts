import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BulkSelection, ListRequest, Paged } from '../../domain/lists/lists.ts'
import { dayInLondon } from '../../domain/values/format.ts'
import { type BudgetId, type OrganisationId, toLocationId, toUserId, type UserId } from '../../domain/values/ids.ts'
import { apiClients, memberships, users } from '../../drizzle/accessTables.ts'
import { organisationTerms } from '../../drizzle/consoleTables.ts'
import { budgetItems, quickCalculations } from '../../drizzle/costTables.ts'
import { budgets, reminders } from '../../drizzle/schema.ts'
import type { BudgetCall, CallerRights } from '../../server/core/calls/context.ts'
import { type OrganisationTx, openStore, type Store } from '../../server/core/database/database.ts'
import { readApiClientPage } from '../../server/features/apiClients/queries.ts'
import { readCalculationPage, resolveSelectedCalculations } from '../../server/features/nonStaffing/calculator/queries.ts'
import { readBalancePage, resolveSelectedBalances } from '../../server/features/overview/openingBalances/queries.ts'
import { listQuickCalculations } from '../../server/features/staffing/quick/queries.ts'
import { readUserPageOfOrganisation } from '../../server/features/users/ownUsers/queries.ts'
import { readListPage, resolveSelectedIds } from '../../server/resources/listPages.ts'
import { readTermPage } from '../../server/resources/terms.ts'
import { readBudgetPage, resolveSelectedBudgets } from '../../server/shared/budgets/queries.ts'
import { listReminders } from '../../server/shared/reminders/queries.ts'
import { readUserPage, resolveSelectedUsers } from '../../server/shared/users/queries.ts'
import { loadBudget } from '../../server/streams/budget/queries.ts'
import { createDatabase } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { findExpectedPage, findExpectedSelection } from '../support/product/everyRow.ts'
import { arbitraryListRequest, type RequestColumn } from '../support/product/listRequests.ts'

let store: Store
let organisationId: OrganisationId
let budgetId: BudgetId
let budget: BudgetCall
let personId: UserId

const now = new Date('2026-11-01T12:00:00Z')
const all = { pageNumber: 1, pageSize: 5000 }
const words = ['Épicerie', 'épicerie 10', 'Épicerie 9', 'zebra', 'Apple_1', '50% off', ' spaced ', 'Zebra']
const word = (n: number): string => `${words[n % words.length]}${n % 3 ? ` ${n}` : ''}`
const documentId = (n: number): string => n.toString(16).padStart(24, 'a')
const moment = (n: number): string => new Date(Date.UTC(2026, n % 12, 1 + (n % 28), n % 24)).toISOString()
const holder = (locationIds: number[] | null): CallerRights => ({ isAdministrator: false, permissions: [], locationIds }) as never
const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
const platform = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.asPlatform(work)

beforeAll(async () => {
  store = openStore({ databaseUrl: await createDatabase(), dataKey: testDataKey }, 2)
  const [found] = await platform((tx) => tx.select().from(budgets).where(eq(budgets.name, '2026/27 Working')).limit(1))
  ;({ organisationId, id: budgetId } = found!)
  const many = Array.from({ length: 40 }, (_unused, n) => n)
  await platform(async (tx) => {
    const made = await tx
      .insert(users)
      .values(
        many.map((n) => ({
          email: `${n}.${n % 2 ? 'Person' : 'person'}@lists.example`,
          forename: word(n),
          surname: word(n >> 1),
          position: n % 3 ? word(n + 1) : null,
          active: n % 4 > 0,
          isAdministrator: n % 13 === 0,
          lastSignIn: n % 3 ? moment(n) : null,
          erasedAt: n === 7 ? moment(n) : null,
        })),
      )
      .returning({ id: users.id })
    personId = toUserId(made[0]!.id)
    await tx.insert(memberships).values(
      made.slice(0, 30).map(({ id }, n) => ({
        userId: id,
        organisationId,
        locationIds: n % 3 ? [found!.locationId] : [],
        userGroupIds: n % 4 ? [1 + (n % 3)] : [],
      })),
    )
    await tx.insert(apiClients).values(
      many.map((n) => ({
        clientId: `lists-${n}`,
        secret: 'x',
        name: `${word(n)} ${n}`,
        organisationId,
        userGroupIds: [1 + (n % 3)],
        locationIds: n % 3 ? [found!.locationId] : [toLocationId(found!.locationId + 1)],
        active: n % 5 > 0,
        lastUsed: n % 3 ? moment(n) : null,
        previousUntil: n % 4 ? null : moment(n + 6),
      })),
    )
  })
  await inside(async (tx) => {
    await tx.insert(reminders).values(
      many.map((n) => ({
        description: word(n),
        notes: n % 2 ? word(n + 3) : null,
        when: moment(n).slice(0, 10),
        type: 1 + (n % 2),
        category: 1,
        isRecurring: n % 3 === 0,
        organisationId,
        userId: personId,
      })) as never,
    )
    const shared = (n: number) => ({
      organisationId,
      budgetId,
      id: documentId(n),
      version: 1 + (n % 5),
      savedAt: moment(n),
      created: moment(n),
    })
    await tx.insert(budgetItems).values(
      many.map((n) => ({
        ...shared(n),
        kind: 'balance' as const,
        item: { id: documentId(n), description: word(n), type: 1 + (n % 3), value: (n % 7) * 10_050 - 20_000 },
      })),
    )
    await tx.insert(budgetItems).values(
      many.map((n) => ({
        ...shared(100 + n),
        kind: 'calculation' as const,
        item: {
          id: documentId(100 + n),
          name: word(n),
          description: n % 3 ? word(n + 2) : null,
          budgetCodeId: 1 + (n % 4),
          costCentreId: n % 2 ? 1 : null,
          fundCodes: [],
          rows: [],
        },
      })),
    )
    await tx.insert(quickCalculations).values(
      many.map((n) => ({
        organisationId,
        budgetId,
        id: documentId(n),
        version: 1 + (n % 5),
        created: moment(n),
        calculation: {
          id: documentId(n),
          name: word(n),
          type: 1 + (n % 2),
          contractTypeId: 1 + (n % 3),
          scalePoint: null,
          spotOrAdjustment: n % 3 ? 1000.5 * n : null,
          allowanceIds: n % 2 ? [1, 2] : [],
          eRpension: n % 2 === 0,
          hoursPerWeek: n % 4 ? 37 - (n % 3) / 2 : null,
          paidWeeksPerYear: 52,
          fte: n % 5 ? n / 40 : null,
        },
      })),
    )
    await tx.insert(organisationTerms).values([{ organisationId, term: 'Budget', singular: 'Épicerie', plural: 'Épiceries' }])
    for (const { id, created } of await tx.select({ id: budgetItems.id, created: budgetItems.created }).from(budgetItems))
      madeAt.set(id, new Date(created).toISOString())
    const row = await loadBudget({ tx, organisationId }, budgetId)
    budget = { organisationId, budgetId, budget: row } as never
  })
  return () => store.close()
})

type Row = Record<string, unknown>

interface Listed {
  columns: RequestColumn[]
  searched: string[]
  defaultSort: string
  /** The columns that sort rows with equal values in the sorted column. */
  ties: string[]
  page: (request: ListRequest) => Promise<Paged<object>>
  chosen?: (selection: BulkSelection) => Promise<readonly (string | number)[] | null>
  idName?: string
}

const text = (...names: string[]): RequestColumn[] => names.map((name) => ({ name, kind: 'text' }))
const number = (...names: string[]): RequestColumn[] => names.map((name) => ({ name, kind: 'number' }))
const flag = (...names: string[]): RequestColumn[] => names.map((name) => ({ name, kind: 'flag' }))
const date = (...names: string[]): RequestColumn[] => names.map((name) => ({ name, kind: 'date' }))
const ids = (...names: string[]): RequestColumn[] => names.map((name) => ({ name, kind: 'ids' }))

const userColumns = [
  ...text('email', 'forename', 'surname', 'position'),
  ...flag('isAdministrator', 'active', 'hasPassword', 'isErased'),
  ...date('created', 'lastSignIn'),
  ...ids('organisationIds', 'locationIds', 'userGroupIds'),
]
const ofUsers = {
  columns: userColumns,
  searched: ['email', 'forename', 'surname', 'position'],
  defaultSort: 'surname',
  ties: ['surname', 'id'],
}
const refused = (error: unknown): null => {
  expect(error).toMatchObject({ kind: 'notFound' })
  return null
}

const lists: Record<string, Listed> = {
  'users for administrators': {
    ...ofUsers,
    page: (request) => platform((tx) => readUserPage(tx, request)),
    chosen: (selection) => platform((tx) => resolveSelectedUsers(tx, selection)).catch(refused),
  },
  'the users of an organisation': {
    ...ofUsers,
    page: (request) => platform((tx) => readUserPageOfOrganisation(tx, { organisationId, holder: holder(null) }, request)),
  },
  'API clients': {
    columns: [
      ...text('name', 'clientId'),
      ...flag('active'),
      ...date('lastUsed', 'previousUntil', 'secretMade'),
      ...ids('userGroupIds', 'locationIds'),
    ],
    searched: ['name', 'clientId'],
    defaultSort: 'name',
    ties: ['name', 'id'],
    page: (request) => platform((tx) => readApiClientPage({ tx, organisationId, holder: holder(null), now }, request)),
  },
  budgets: {
    columns: [
      ...text('name', 'budgetGroupId', 'approval', 'requiredReason', 'notMade'),
      ...number('locationId', 'firstYear', 'numberOfYears', 'versionType', 'state', 'recalculationState', 'version', 'inflationId'),
      ...flag('isBeingMade'),
      ...date('created', 'savedAt', 'lockedAt', 'recalculatedAt'),
      ...ids('contractTypeIds'),
    ],
    searched: ['name'],
    defaultSort: 'name',
    ties: ['name', 'locationId', 'mongoId'],
    idName: 'mongoId',
    page: (request) => inside((tx) => readBudgetPage(tx, { organisationId, locationIds: null }, request)),
    chosen: (selection) => inside((tx) => resolveSelectedBudgets(tx, { organisationId, locationIds: null }, selection)),
  },
  'opening balances': {
    columns: [...text('description'), ...number('type', 'value', 'version'), ...date('created')],
    searched: ['description'],
    defaultSort: 'description',
    ties: ['made', 'id'],
    page: (request) => inside((tx) => readBalancePage({ tx, organisationId, budgetId }, request)),
    chosen: (selection) => inside((tx) => resolveSelectedBalances({ tx, organisationId, budgetId }, selection)).catch(refused),
  },
  calculations: {
    columns: [
      ...text('name', 'description', 'entryId'),
      ...number('budgetCodeId', 'costCentreId', 'total', 'version'),
      ...flag('isOutOfDate'),
      ...date('created'),
    ],
    searched: ['name', 'description'],
    defaultSort: 'name',
    ties: ['made', 'id'],
    page: (request) => inside((tx) => readCalculationPage(tx, budget, request)),
    chosen: (selection) => inside((tx) => resolveSelectedCalculations(tx, budget, selection)).catch(refused),
  },
  'quick calculations': {
    columns: [
      ...text('name'),
      ...number('type', 'contractTypeId', 'spotOrAdjustment', 'hoursPerWeek', 'fte', 'version'),
      ...flag('eRpension'),
      ...date('created'),
      ...ids('allowanceIds'),
    ],
    searched: ['name'],
    defaultSort: 'name',
    ties: ['id'],
    page: (request) =>
      inside(async (tx) => {
        const { ids: found, total } = await readListPage<string>(tx, listQuickCalculations({ organisationId, budgetId }), request)
        const rows = await tx
          .select()
          .from(quickCalculations)
          .where(and(eq(quickCalculations.organisationId, organisationId), eq(quickCalculations.budgetId, budgetId)))
        const known = new Map(rows.map((row) => [row.id, { ...row.calculation, version: row.version, created: dayInLondon(row.created) }]))
        return { rows: found.map((id) => known.get(id)!), total }
      }),
    chosen: (selection) => inside((tx) => resolveSelectedIds<string>(tx, listQuickCalculations({ organisationId, budgetId }), selection)),
  },
  terms: {
    columns: [...text('term', 'singular', 'plural'), ...number('version'), ...flag('isDefault'), ...date('created')],
    searched: ['term', 'singular', 'plural'],
    defaultSort: 'term',
    ties: ['id'],
    page: (request) => inside((tx) => readTermPage(tx, organisationId, request)),
  },
  reminders: {
    columns: [...text('description', 'notes'), ...number('type', 'category'), ...flag('isRecurring'), ...date('when', 'created')],
    searched: ['description', 'notes'],
    defaultSort: 'when',
    ties: ['id'],
    page: (request) => platform((tx) => listReminders(tx, personId, request)),
  },
}

/** The time at which each document was made; its row shows only the day. */
const madeAt = new Map<unknown, string>()

function inTies(rows: readonly Row[], ties: readonly string[]): Row[] {
  const at = (row: Row, name: string) => (name === 'made' ? madeAt.get(row.id)! : (row[name] as string | number))
  return [...rows].sort((a, b) => {
    for (const name of ties) {
      const [x, y] = [at(a, name), at(b, name)]
      if (x !== y) return x < y ? -1 : 1
    }
    return 0
  })
}

const runs = { numRuns: 60, plugins: [fc.interruptAfterTimeLimit(8000)] }

describe.each(Object.entries(lists))('the list of %s', (_name, { columns, searched, defaultSort, ties, page, chosen, idName = 'id' }) => {
  const everyRow = async (): Promise<Row[]> => inTies((await page(all)).rows as Row[], ties)
  const idsOf = (rows: readonly object[]): unknown[] => rows.map((row) => Reflect.get(row, idName))

  it('has several pages, and each row is on one of them', async () => {
    const every = await everyRow()
    const size = Math.ceil(every.length / 3)
    const pages = await Promise.all([1, 2, 3, 4].map((pageNumber) => page({ pageNumber, pageSize: size })))
    expect(pages.map(({ total }) => total)).toEqual([1, 2, 3, 4].map(() => every.length))
    expect(new Set(idsOf(pages.flatMap(({ rows }) => rows)))).toEqual(new Set(idsOf(every)))
    expect(pages.flatMap(({ rows }) => rows)).toHaveLength(every.length)
  })
  it('sorts by every column both ways, with empty values last', async () => {
    const every = await everyRow()
    for (const { name } of columns)
      for (const sortDirection of ['asc', 'desc'] as const) {
        const request = { ...all, sort: name, sortDirection }
        const expected = findExpectedPage(every, { request, searched, defaultSort })
        expect({ name, sortDirection, ids: idsOf((await page(request)).rows) }).toEqual({ name, sortDirection, ids: idsOf(expected.rows) })
      }
  })
  it('has the page and the count found by going through every row, for any request', async () => {
    const every = await everyRow()
    await fc.assert(
      fc.asyncProperty(arbitraryListRequest(every, columns, searched), async (request) => {
        const expected = findExpectedPage(every, { request, searched, defaultSort })
        const { rows, total } = await page(request)
        expect({ ids: idsOf(rows), total }).toEqual({ ids: idsOf(expected.rows), total: expected.total })
        expect(rows).toEqual(expected.rows)
      }),
      runs,
    )
  })
  it('refuses a filter and a sort on an unknown column', async () => {
    const filters = [{ filter: 'nothingOfTheKind', filterType: 'text' as const, value: 'x' }]
    await expect(page({ ...all, filters })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(page({ ...all, sort: 'nothingOfTheKind' })).rejects.toMatchObject({ kind: 'invalid' })
  })
  it.skipIf(!chosen)('gives a bulk action the selected rows, or all but those', async () => {
    const every = (await everyRow()).map((row) => ({ ...row, id: row[idName] as string }))
    const columnsToo = columns.filter(({ kind }) => kind !== 'ids')
    await fc.assert(
      fc.asyncProperty(
        arbitraryListRequest(every, columnsToo, searched),
        fc.boolean(),
        fc.subarray(
          every.map(({ id }) => id),
          { maxLength: 5 },
        ),
        async ({ search, filters }, selectAll, toggledNodes) => {
          const selection = { state: { selectAll, toggledNodes }, search, filters }
          expect(await chosen!(selection)).toEqual(findExpectedSelection(every, selection, searched as 'id'[])!.map(({ id }) => id))
        },
      ),
      { ...runs, numRuns: 30 },
    )
    expect(await chosen!({ state: { selectAll: false, toggledNodes: [every[0]!.id, '987654321'] } })).toBeNull()
  })
})

describe('a user limited to some locations', () => {
  it('sees the users and API clients of these and of all locations, and only these locations’ budgets', async () => {
    const place = (await inside((tx) => loadBudget({ tx, organisationId }, budgetId))).locationId
    const who = { organisationId, holder: holder([place]) }
    const people = (await platform((tx) => readUserPageOfOrganisation(tx, who, all))).rows
    const everybody = (await lists['the users of an organisation']!.page(all)).rows as { id: number; locationIds: number[] }[]
    expect(new Set(people.map(({ id }) => id))).toEqual(
      new Set(everybody.filter((one) => !one.locationIds.length || one.locationIds.includes(place)).map(({ id }) => id)),
    )
    const clients = (await platform((tx) => readApiClientPage({ tx, ...who, now }, all))).rows
    expect(clients.length).toBeGreaterThan(0)
    expect(clients.every(({ locationIds }) => !locationIds.length || locationIds.includes(place))).toBe(true)
    const near = await inside((tx) => readBudgetPage(tx, { organisationId, locationIds: [place] }, all))
    expect(new Set(near.rows.map(({ locationId }) => locationId))).toEqual(new Set([place]))
    expect((await inside((tx) => readBudgetPage(tx, { organisationId, locationIds: [] }, all))).total).toBe(0)
  })
})
