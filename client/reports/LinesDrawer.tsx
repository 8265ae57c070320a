import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { getCellLineFilter, type ReportColumn, type ReportRow } from '../../domain/reports/report.ts'
import { displayCount, displayFigure, toPennies } from '../../domain/values/format.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { SideDialog } from '../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Amount } from '../ui/figures/Amount.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import type { toReportRequest } from './reportParameters.ts'

type Line = RouterOutputs['reports']['lines']['lines'][number]

/**
 * The lines behind a figure of a report, largest first, each with a link to the screen where it is entered.
 * @param children comments on the figure
 */
export function LinesDrawer({
  row,
  column,
  request,
  children,
  onClose,
}: {
  row: ReportRow
  column: ReportColumn
  request: ReturnType<typeof toReportRequest>
  children?: ReactNode
  onClose: () => void
}) {
  const isSum = getCellLineFilter(row, column) !== null
  const lines = trpc.reports.lines.useQuery({ ...request, row: row.drill ?? '', column: column.key }, { enabled: isSum })
  return (
    <SideDialog onClose={onClose} position="right" size="xl" title={`${row.label}, ${column.title}`}>
      {!isSum ? null : lines.isError ? (
        <LoadFailed query={lines} />
      ) : !lines.data ? (
        <Skeleton height={240} />
      ) : lines.data.count === 0 ? (
        <EmptyState>Nothing is posted here.</EmptyState>
      ) : (
        <SectionStack>
          <p className={textStyles.since}>
            {displayCount(lines.data.count, 'line')} · total <b>{displayFigure(toPennies(lines.data.total))}</b>
            {lines.data.lines.length < lines.data.count && ` · the ${lines.data.lines.length} largest are shown`}
          </p>
          <Lines lines={lines.data.lines} total={lines.data.total} />
        </SectionStack>
      )}
      {children}
    </SideDialog>
  )
}

function Lines({ lines, total }: { lines: readonly Line[]; total: number }) {
  const term = useTerm()
  const isSeveral = new Set(lines.map((line) => line.location)).size > 1
  const hasFunds = lines.some((line) => line.fund)
  return (
    <Card className={scrollStyles.scroll} tabIndex={0} aria-label="Lines">
      <DataTable
        isTight
        columns={[
          {
            id: 'what',
            label: 'Description',
            cell: (line) =>
              line ? (
                <>
                  <Source line={line} />
                  <IncompleteSumNote count={line.missing} />
                </>
              ) : (
                'All lines'
              ),
          },
          ...(isSeveral ? [{ id: 'location', label: term('Location').singular, cell: (line: Line | null) => line?.location }] : []),
          { id: 'code', label: term('BudgetCode').singular, cell: (line) => line?.code },
          { id: 'centre', label: term('CostCentre').singular, cell: (line) => line?.centre },
          ...(hasFunds ? [{ id: 'fund', label: term('FundCode').singular, cell: (line: Line | null) => line?.fund }] : []),
          {
            id: 'amount',
            label: 'Pounds and pence',
            isFigure: true,
            cell: (line) => {
              const { amount } = line ?? { amount: total }
              return <Amount pennies={amount === null ? null : toPennies(amount)} />
            },
          },
        ]}
        rows={[...lines, null]}
        look={(line) => (line ? undefined : 'total')}
      />
    </Card>
  )
}

/** The source of a line as a link. The link first selects the line's budget, which may be another school's. */
function Source({ line }: { line: Line }) {
  const may = usePermissionCheck()
  const path =
    line.kind === 'contract' && may(listViewPermissions('BudgetingStaffing'))
      ? `/staffing/staff-contracts/${line.id}/cost`
      : line.kind === 'entry' && may(['BudgetingNonStaffingReadUpdate'])
        ? `/non-staffing/budget-entries/${line.id}`
        : null
  if (!path) return line.name
  return (
    <BudgetLink budget={line} to={path}>
      {line.name}
    </BudgetLink>
  )
}
