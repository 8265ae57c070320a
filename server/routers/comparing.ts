import type { Bridge } from '../../domain/budget/bridge/bridge.ts'
import { bridge } from '../../domain/budget/bridge/bridge.ts'
import type { WithPupils } from '../../domain/budget/bridge/moneyBridge.ts'
import type { Comparison, Pair } from '../../domain/budget/pictures/compare.ts'
import { compare } from '../../domain/budget/pictures/compare.ts'
import type { Picture } from '../../domain/budget/pictures/picture.ts'
import { touchesBetween } from '../../domain/budget/pictures/touches.ts'
import { predict } from '../../domain/calculation/funding.ts'
import { rollUp } from '../../domain/calculation/pupils.ts'
import { yearName } from '../../domain/calendar.ts'
import { invalid } from '../../domain/errors.ts'
import { figure, poundsOf } from '../../domain/format.ts'
import { either, may } from '../../domain/permissions.ts'
import type { OrganisationTx } from '../store/database.ts'
import { fundingTable } from '../store/linkedItems.ts'
import { summedCodes } from '../store/overviewStore.ts'
import { type LoadedPicture, loadPicture } from '../store/pictureStore.ts'
import { userNames } from '../store/referenceLog.ts'
import { staffByIds } from '../store/staffStore.ts'
import type { Holder, Services } from '../trpc/context.ts'
import { visibleBudget } from './budgets.ts'
import { namesOf } from './historyNames.ts'
import { csvFile } from './resourceFiles.ts'

/** One of two sides: a budget, at a version or as it stands. */
export interface SideInput {
  budgetId: string
  version?: number | null
}

export interface Comparing {
  organisationId: number
  holder: Holder
  services: Services
  now: Date
}

const pounds = ({ a, b }: Pair) => ({ a: a === null ? null : poundsOf(a), b: b === null ? null : poundsOf(b) })

/** What a side is called: its budget, and the moment when it is not now. */
function titleOf({ head, version }: Picture, asked: SideInput): string {
  if (asked.version == null) return head.name
  return `${head.name}, ${head.moments.find((moment) => moment.version === version)?.name ?? `version ${version}`}`
}

async function sides(tx: OrganisationTx, ctx: Comparing, a: SideInput, b: SideInput): Promise<[LoadedPicture, LoadedPicture]> {
  for (const { budgetId } of [a, b]) await visibleBudget(tx, ctx, budgetId)
  return [
    await loadPicture(tx, ctx.organisationId, a.budgetId, a.version),
    await loadPicture(tx, ctx.organisationId, b.budgetId, b.version),
  ]
}

/** Names of the codes and, for those who may see staff, of the people that two pictures speak of. */
async function namesFor(
  tx: OrganisationTx,
  { organisationId, holder }: Comparing,
  { picture }: LoadedPicture,
  staffIds: readonly (number | null)[],
) {
  const codes = await summedCodes(tx, picture.head.locationId)
  const known = [...new Set(staffIds.filter((id) => id !== null))]
  const people = maySeeStaff(holder) ? await staffByIds(tx, organisationId, known) : new Map()
  return {
    codes,
    code: (id: number | null) =>
      id === null
        ? { code: '', description: 'Apprenticeship levy', isIncome: false }
        : {
            code: codes.get(id)?.record.code ?? String(id),
            description: codes.get(id)?.description ?? '',
            isIncome: codes.get(id)?.facts.isIncome ?? false,
          },
    person: (id: number | null): string | null => {
      const member = id === null ? undefined : people.get(id)
      return member ? `${member.surname}, ${member.forename}` : null
    },
  }
}

function maySeeStaff(holder: Holder): boolean {
  return holder.isAdministrator || may(holder, either('BudgetingStaffing'))
}

/** Two budgets or moments by code, contract and entry, with who changed what and when. Contracts are for those who may see staff. */
export async function compared(tx: OrganisationTx, ctx: Comparing, a: SideInput, b: SideInput) {
  const [left, right] = await sides(tx, ctx, a, b)
  const nameOf = await namesOf(tx, ctx.organisationId, right.events)
  const result: Comparison = compare(left.picture, right.picture, nameOf)
  const touches = touchesBetween(left, right)
  const shown = result.things.filter((thing) => thing.what !== 'same' && (thing.kind === 'entry' || maySeeStaff(ctx.holder)))
  const names = await namesFor(
    tx,
    ctx,
    right,
    shown.map((thing) => thing.staffId),
  )
  const who = await userNames(
    ctx.services.store,
    [...touches.values()].flat().map((touch) => touch.actorId),
  )
  return {
    a: titleOf(left.picture, a),
    b: titleOf(right.picture, b),
    years: result.years,
    codes: result.codes
      .map((row) => ({ budgetCodeId: row.budgetCodeId, ...names.code(row.budgetCodeId), years: row.years.map(pounds) }))
      .sort(
        (one, other) => Number(other.isIncome) - Number(one.isIncome) || one.code.localeCompare(other.code, 'en-GB', { numeric: true }),
      ),
    things: shown.map(({ years, staffId, ...thing }) => ({
      ...thing,
      person: names.person(staffId),
      code: thing.budgetCodeId === null ? null : names.code(thing.budgetCodeId).code,
      years: years.map(pounds),
      touches: (touches.get(thing.root) ?? []).slice(-5).map((touch) => ({
        at: touch.at,
        actor: touch.actorId === null ? 'System' : (who.get(touch.actorId) ?? 'Unknown'),
      })),
    })),
    unchanged: result.things.length - shown.length,
  }
}

type Compared = Awaited<ReturnType<typeof compared>>

/** A comparison as a file: codes first, then what differs, one line each. */
export function comparedFile({ a, b, years, codes, things }: Compared, now: Date) {
  const cells = (pairs: { a: number | null; b: number | null }[]): string[] =>
    pairs.flatMap((pair) => {
      const amount = (value: number | null): string => (value === null ? '' : figure(Math.round(value * 100)).replaceAll(',', ''))
      const difference = pair.a === null || pair.b === null ? '' : amount((Math.round(pair.b * 100) - Math.round(pair.a * 100)) / 100)
      return [amount(pair.a), amount(pair.b), difference]
    })
  const headings = years.flatMap((year) => [`${year} ${a}`, `${year} ${b}`, `${year} difference`])
  const lines = [
    ...codes.map((row) => ['Budget code', row.code, row.description, '', '', ...cells(row.years)]),
    ...things.map((thing) => [
      thing.kind === 'contract' ? 'Contract' : 'Budget entry',
      thing.code ?? '',
      [thing.person, thing.name].filter(Boolean).join(': '),
      thing.what,
      [
        ...thing.changes.map(({ field, before, after }) => `${field}: ${before} to ${after}`),
        ...thing.touches.map((touch) => `${touch.actor} ${touch.at.slice(0, 16).replace('T', ' ')}`),
      ].join('; '),
      ...cells(thing.years),
    ]),
  ]
  const stamp = now.toISOString().slice(0, 16).replace(/[-:T]/g, '')
  return csvFile(`Comparison-${stamp}.csv`, ['Kind', 'Code', 'Name', 'What', 'Why and by whom', ...headings], lines)
}

/** The steps from one year of a budget or moment to another. Steps open to their items; people are named to those who may see staff. */
export async function bridged(tx: OrganisationTx, ctx: Comparing, a: SideInput & { year: number }, b: SideInput & { year: number }) {
  const [left, right] = await sides(tx, ctx, a, b)
  for (const [side, { year }, field] of [
    [left, a, 'yearA'],
    [right, b, 'yearB'],
  ] as const)
    if (year >= side.picture.head.numberOfYears) throw invalid([{ field, message: `${side.picture.head.name} does not have that year.` }])
  const rightCodes = await summedCodes(tx, right.picture.head.locationId)
  const withPupils = await pupilEffects(tx, left.picture)
  const result: Bridge = bridge(
    { picture: left.picture, year: a.year, inputsOf: left.inputsOf },
    { picture: right.picture, year: b.year, inputsOf: right.inputsOf },
    (id) => rightCodes.get(id)?.facts,
    withPupils,
  )
  const names = await namesFor(
    tx,
    ctx,
    right,
    result.steps.flatMap((step) => step.items.map((item) => item.staffId)),
  )
  const seesStaff = maySeeStaff(ctx.holder)
  const inPounds = <T extends { income: number; staffing: number; other: number }>(sums: T) => ({
    income: poundsOf(sums.income),
    staffing: poundsOf(sums.staffing),
    other: poundsOf(sums.other),
  })
  const title = (side: LoadedPicture, asked: SideInput & { year: number }): string =>
    `${titleOf(side.picture, asked)} · ${yearName(side.picture.head.firstYear, asked.year)}`
  return {
    a: title(left, a),
    b: title(right, b),
    from: inPounds(result.from),
    to: inPounds(result.to),
    notCalculated: [left.picture, right.picture].map(
      (picture, side) => [...picture.contracts.values()].filter((one) => one.years[[a.year, b.year][side]!] === null).length,
    ),
    steps: result.steps.map((step) => ({
      cause: step.cause,
      name: step.name,
      ...inPounds(step),
      items: step.items
        .filter((item) => item.kind !== 'contract' || seesStaff)
        .slice(0, 500)
        .map((item) => ({
          kind: item.kind,
          root: item.root,
          name: item.name,
          person: names.person(item.staffId),
          code: item.budgetCodeId === null ? null : names.code(item.budgetCodeId).code,
          ...inPounds(item),
        })),
    })),
  }
}

/** What predictions come to with the pupils of another budget, by the rates as their tables have them. */
async function pupilEffects(tx: OrganisationTx, picture: Picture): Promise<WithPupils> {
  const tables = new Map<number, Awaited<ReturnType<typeof fundingTable>>>()
  for (const stored of picture.state.items.values())
    if (stored.kind === 'prediction' && !tables.has(stored.item.versionId))
      tables.set(stored.item.versionId, await fundingTable(tx, picture.head, stored.item.versionId))
  const counted = ({ state, head }: Picture, years: number) => {
    const pupils = [...state.items.values()].find((item) => item.kind === 'pupils')
    return pupils ? rollUp(pupils.item.rows, Math.max(years, head.numberOfYears)) : []
  }
  return (own, predictionId, other, year) => {
    const stored = own.state.items.get(predictionId)
    // Pupils of budgets that begin in different years do not stand side by side.
    if (stored?.kind !== 'prediction' || own.head.firstYear !== other.head.firstYear) return null
    const table = tables.get(stored.item.versionId)
    const years = own.head.numberOfYears
    const total = (of: Picture) =>
      predict({
        rows: stored.item.rows,
        rates: table?.rates ?? new Map(),
        pupils: counted(of, years),
        years,
        tableYear: table?.year ? table.year - own.head.firstYear : 0,
      }).total[year]!
    return { own: total(own), other: total(other) }
  }
}
