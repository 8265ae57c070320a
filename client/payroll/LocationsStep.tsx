import { Button, Group, Skeleton } from '@mantine/core'
import { payrollMonthState } from '../../domain/lookups/lookupIds.ts'
import { displayDateTime, displayFigure, toPennies } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { NoBudget } from '../budget/NoBudget.tsx'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import figuresStyles from '../ui/figures/Figures.module.css'
import { FigureHead, Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { Level } from './level.ts'

const columns = [
  { label: 'Location', isText: true },
  { label: 'Payroll imported', isText: true },
  { label: 'State', isText: true },
  { label: 'Employees' },
  { label: 'Differ' },
  { label: 'Only in payroll' },
  { label: 'Only in budget' },
  { label: 'Budget £' },
  { label: 'Actual £' },
  { label: 'Difference £' },
  { label: 'Back pay open £' },
] as const

/**
 * A back-pay ledger reads up to two years of reconciliations, so it is cached for five minutes or until payroll data
 * changes.
 */
const ledgerKept = { staleTime: 5 * 60_000 }

/** One month across all schools. */
export function LocationsStep({ level: { groupId, ...month }, onNext }: { level: Level; onNext: () => void }) {
  const list = trpc.payroll.locations.useQuery({ ...month, group: groupId })
  const ledger = trpc.payroll.backPay.ledger.useQuery({ ...month, group: groupId }, ledgerKept)
  const openAt = new Map<LocationId, number>()
  for (const { locationId, open } of ledger.data?.lines ?? []) openAt.set(locationId, (openAt.get(locationId) ?? 0) + toPennies(open))
  if (list.isError) return <LoadFailed query={list} />
  if (!list.data) return <Skeleton height={240} />
  if (!list.data.length) return <NoBudget month={month} />
  const rows = list.data
  const sumOf = (figureOf: (row: (typeof rows)[number]) => number): number => rows.reduce((sum, row) => sum + figureOf(row), 0)
  return (
    <>
      <Card className={scrollStyles.scroll} aria-label="Locations">
        <Figures isTight>
          <FigureHead columns={columns} />
          <tbody>
            {list.data.map(({ locationId, location, overview: one, people }) => (
              <tr key={locationId}>
                <th scope="row">{location}</th>
                <td className={figuresStyles.text}>{one.importedAt ? displayDateTime(one.importedAt) : 'not yet'}</td>
                <td className={figuresStyles.text}>
                  <Pill tone={one.state === payrollMonthState.complete ? 'good' : undefined}>
                    {one.state === payrollMonthState.complete ? 'Complete' : 'Open'}
                  </Pill>
                </td>
                <td>{one.employees}</td>
                <td>{people.different}</td>
                <td>{people.onlyInPayroll}</td>
                <td>{people.onlyInBudget}</td>
                <td>
                  {displayFigure(toPennies(one.calculated))}
                  <Gaps count={one.notCalculated} />
                </td>
                <td>{one.importedAt && displayFigure(toPennies(one.actual))}</td>
                <td>{one.importedAt && displayFigure(toPennies(one.difference))}</td>
                <td>{ledger.data && displayFigure(openAt.get(locationId) ?? 0)}</td>
              </tr>
            ))}
          </tbody>
          {list.data.length > 1 && (
            <tfoot>
              <tr>
                <th scope="row">Total</th>
                <td />
                <td />
                <td>{sumOf(({ overview }) => overview.employees)}</td>
                <td>{sumOf(({ people }) => people.different)}</td>
                <td>{sumOf(({ people }) => people.onlyInPayroll)}</td>
                <td>{sumOf(({ people }) => people.onlyInBudget)}</td>
                <td>
                  {displayFigure(sumOf(({ overview }) => toPennies(overview.calculated)))}
                  <Gaps count={sumOf(({ overview }) => overview.notCalculated)} />
                </td>
                <td>{displayFigure(sumOf(({ overview }) => (overview.importedAt ? toPennies(overview.actual) : 0)))}</td>
                <td>{displayFigure(sumOf(({ overview }) => (overview.importedAt ? toPennies(overview.difference) : 0)))}</td>
                <td>{ledger.data && displayFigure([...openAt.values()].reduce((sum, open) => sum + open, 0))}</td>
              </tr>
            </tfoot>
          )}
        </Figures>
      </Card>
      <Group justify="flex-end" mt="md">
        <Button onClick={onNext}>Next: the file</Button>
      </Group>
    </>
  )
}
