import postgres from 'postgres'
import { findPayrollTable } from '../../domain/payroll/provider/columns.ts'
import type { ReconciledRow } from '../../domain/payroll/reconcile.ts'
import { resources } from '../../domain/resources/all.ts'
import { type OrganisationId, toStaffId } from '../../domain/values/ids.ts'
import { readResourceRecords } from '../../server/core/database/tables.ts'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { createRandomSource } from '../../server/demo/random.ts'
import { explainMonth, readMonthToExplain } from '../../server/features/payroll/causes/queries.ts'
import { runProviderImport } from '../../server/features/payroll/providers/commands.ts'
import { parseSentPayroll, type SentPayroll } from '../../server/features/payroll/providers/file.ts'
import type { PayrollEditor } from '../../server/shared/payroll/commands.ts'
import { readReconciliation } from '../../server/shared/payroll/queries.ts'
import { measureTime, type RunInOrganisation } from './monitoring.ts'
import { readProcessorSeconds } from './processor.ts'
import { withDemo } from './withDemo.ts'

const [schools, employees] = [50, 5000]
const differing = 1000
const october = { year: 2026, month: 10 }
const say = (words: string, ms: number, more = ''): void =>
  console.log(`${words.padEnd(66)} ${(ms / 1000).toFixed(2).padStart(7)} s${more}`)

/**
 * The payroll of 5,000 employees with six elements each: read, imported and reconciled from both file layouts. Then the search for the
 * causes of 1,000 differences, as a worker does it: once where nothing explains them and every candidate is costed, once where one cause
 * does.
 */
export async function payrollWork(): Promise<void> {
  await withDemo('bench-payroll', async ({ store, ownerUrl }) => {
    const { organisationId, groupId } = await loadScaleTrust(store, schools, employees)
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
    await owner`analyze`
    const processor = await readProcessorSeconds(owner)
    const inside: RunInOrganisation = (work) => store.inOrganisation(organisationId, work)
    const who: PayrollEditor = {
      organisationId,
      holder: { locationIds: null, isAdministrator: true, permissions: [] },
      actor: { userId: null, requestId: 'bench', now: new Date() },
    }
    const asked = { ...october, groupId, useInflation: true }
    const { result: before, ms: first } = await measureTime(() => inside((tx) => readReconciliation({ ...who, tx }, asked)))
    say(`a month of ${employees.toLocaleString('en-GB')} contracts costed and shown, before a file is in`, first)
    const payroll = await payrollOf(inside, organisationId, before.rows)
    for (const layout of ['long', 'wide'] as const) {
      const began = processor()
      const sent = payroll.file(layout, new Map())
      const { result: file, ms: read } = await measureTime(async () => parseSentPayroll(sent))
      let told = 0
      const actor = { ...who.actor, requestId: `bench-${layout}` }
      const { result: done, ms: imported } = await measureTime(() =>
        inside((tx) => runProviderImport({ tx, ...who, actor }, sent, { file, progress: async () => void told++ })),
      )
      say(`a ${layout} file of ${done.imported.toLocaleString('en-GB')} amounts read`, read)
      say(`  imported, with ${told} words of how far it is`, imported, `  ${(processor() - began).toFixed(1)} s of processor in all`)
    }
    const { ms: shown } = await measureTime(() => inside((tx) => readReconciliation({ ...who, tx }, asked)))
    say('the month shown beside it', shown)
    const random = createRandomSource(17)
    const ways: Record<string, (row: ReconciledRow) => number> = {
      'less, by what no cause explains': (row) => -Math.min(random.whole(700, 9700), Math.round(row.calculated! / 3)),
      'without employer pension': (row) => -row.calculated!,
    }
    for (const [words, less] of Object.entries(ways)) {
      const chosen = new Set(
        payroll.people.filter((_one, index) => index % Math.floor(payroll.people.length / differing) === 0).slice(0, differing),
      )
      const isHit = (row: ReconciledRow): boolean =>
        chosen.has(row.employee) && row.components.includes(words.startsWith('less') ? 'basic' : 'pension')
      const off = new Map(before.rows.filter((row) => row.calculated && isHit(row)).map((row) => [row, less(row)]))
      const sent = payroll.file('long', off)
      const actor = { ...who.actor, requestId: `bench-${words}` }
      await inside((tx) =>
        runProviderImport({ tx, ...who, actor }, sent, { file: parseSentPayroll(sent), progress: async () => undefined }),
      )
      const began = processor()
      const { result: month, ms: reading } = await measureTime(() => inside((tx) => readMonthToExplain({ ...who, tx }, asked)))
      const { result: found, ms: explaining } = await measureTime(() => explainMonth(month))
      say(
        `the causes of ${chosen.size.toLocaleString('en-GB')} employees who are paid ${words}`,
        reading + explaining,
        `  ${(processor() - began).toFixed(1)} s of processor; ${(reading / 1000).toFixed(1)} s of it reading; ${found!.filter((one) => one.explanations.length).length} explained`,
      )
    }
    await owner.end()
  })
}

/** A month’s payroll as provider files: the calculated pay plus each row’s difference, in six elements per employee. */
async function payrollOf(inside: RunInOrganisation, organisationId: OrganisationId, rows: readonly ReconciledRow[]) {
  const codes = await inside((tx) => readResourceRecords(tx, resources.payrollCode))
  const places = await inside((tx) => readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] }))
  const members = (
    await inside((tx) => readReconciliation({ tx, organisationId, holder: { locationIds: null } }, { ...october, useInflation: true }))
  ).people.members
  const recIds = new Map(places.map((place) => [place.id, place.payrollRecId!]))
  const numberOf = (employee: string): string => members.get(toStaffId(Number(employee.replace(/\D/g, ''))))!.employeeNumber
  const coded = rows.filter((row) => row.payrollCodeId !== null && row.calculated !== null)
  const byPerson = new Map<string, Map<number, number>>()
  const people = [...new Set(coded.map((row) => row.employee))]
  const file = (layout: 'long' | 'wide', off: ReadonlyMap<ReconciledRow, number>): SentPayroll => {
    byPerson.clear()
    for (const row of coded) {
      const key = `${recIds.get(row.locationId)!}\t${numberOf(row.employee)}`
      const own = byPerson.get(key) ?? new Map<number, number>()
      byPerson.set(key, own.set(row.payrollCodeId!, row.calculated! + (off.get(row) ?? 0)))
    }
    const total = [...byPerson.values()].flatMap((own) => [...own.values()]).reduce((sum, value) => sum + value, 0)
    const pounds = (own: ReadonlyMap<number, number>, id: number): string => ((own.get(id) ?? 0) / 100).toFixed(2)
    const lines =
      layout === 'long'
        ? [
            'School\tEmployee number\tCode\tAmount\tMonth',
            ...[...byPerson].flatMap(([key, own]) => codes.map(({ id, code }) => `${key}\t${code}\t${pounds(own, id)}\t2026-10`)),
          ]
        : [
            `School\tEmployee number\t${codes.map(({ description }) => description).join('\t')}`,
            ...[...byPerson].map(([key, own]) => `${key}\t${codes.map(({ id }) => pounds(own, id)).join('\t')}`),
          ]
    const found = findPayrollTable(lines.slice(0, 20).map((line) => line.split('\t')))!
    return {
      ...october,
      provider: `Bench ${layout}`,
      headingRow: found.headingRow,
      columns: [...found.columns],
      mapping: {
        code: codes.map(({ id, code, description }) => ({ text: layout === 'long' ? code : description!, id })),
        location: places.map((place) => ({ text: place.payrollRecId!, id: place.id })),
      },
      rows: lines,
      locationId: null,
      total,
      imported: total,
      monthIsMeant: true,
      again: true,
    }
  }
  return { people, file }
}
