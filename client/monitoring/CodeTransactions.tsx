import { Anchor, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { actualType } from '../../domain/lookups/lookupIds.ts'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { displayCount, displayDate, displayDateTime, displayFigure, displayNumber, toPennies } from '../../domain/values/format.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import type { MonitoringParameters } from './scope.ts'

/** Lines rendered at a time, because a code can have thousands of transactions. */
const linesAtOnce = 200

/** The details of the document that the ledger gives for a line. */
const documentColumns: readonly { id: 'date' | 'supplier' | 'reference'; label: string; show?: (text: string) => string }[] = [
  { id: 'date', label: 'Date', show: displayDate },
  { id: 'supplier', label: 'Supplier' },
  { id: 'reference', label: 'Reference' },
]

/** Transactions imported for a code in the year to date, with the import that each came from (behaviour B-233). */
export function CodeTransactions({
  codeId,
  parameters,
  isConsole,
}: {
  codeId: number
  parameters: MonitoringParameters
  isConsole: boolean
}) {
  const { locations } = useCoreData()
  const term = useTerm()
  const hasWords = usePermissionCheck()(listViewPermissions('ConsoleMonitoring'))
  const maySee = usePermissionCheck()(listViewPermissions('BudgetingMonitoringBudgetActuals', 'ConsoleMonitoringBudgetActuals'))
  const [type, setType] = useState<1 | 2>(actualType.actual)
  const [opened, setOpened] = useState<number | null>(null)
  const [drawn, setDrawn] = useState(linesAtOnce)
  const { forecastBudgetId: _unused, ...request } = parameters
  const lines = trpc.monitoring.actualsYtd.useQuery(
    { ...request, id: codeId, type },
    { placeholderData: (before) => before, enabled: maySee },
  )
  // This is not an error: users with only the forecast permission cannot see transactions.
  if (!maySee) return null
  if (lines.isError) return <LoadFailed query={lines} />
  const kindName = type === actualType.actual ? 'actuals' : 'commitments'
  type Line = NonNullable<typeof lines.data>['lines'][number] | null
  const columns: TableColumn<Line>[] = [
    {
      id: 'month',
      label: 'Month',
      cell: (line, index) =>
        line ? (
          <button
            type="button"
            className={tableStyles.name}
            aria-expanded={opened === index}
            title="Show the import this line came from"
            onClick={() => setOpened(opened === index ? null : index)}
          >
            {formatMonth(line)}
          </button>
        ) : (
          'All'
        ),
    },
    ...(isConsole
      ? [
          {
            id: 'location',
            label: 'Location',
            cell: (line: Line) => locations.find((one) => one.id === line?.locationId)?.name ?? '',
          },
        ]
      : []),
    { id: 'costCentre', label: term('CostCentre').singular, cell: (line) => line?.costCentre },
    ...documentColumns.flatMap(({ id, label, show = (text: string) => text }) =>
      lines.data?.lines.some((line) => line[id])
        ? [{ id, label, className: tableStyles.broken, cell: (line: Line) => line?.[id] && show(line[id]) }]
        : [],
    ),
    ...(hasWords
      ? [{ id: 'description', label: 'Description', className: tableStyles.broken, cell: (line: Line) => line?.description }]
      : []),
    {
      id: 'value',
      label: 'Value',
      isFigure: true,
      cell: (line) => displayFigure(toPennies(line?.value ?? lines.data?.total ?? 0)),
    },
  ]
  return (
    <Card aria-label="Lines">
      <CardHead>
        Lines
        <span style={{ flex: 1 }} />
        <SegmentedControl
          size="xs"
          aria-label="Type of line"
          value={String(type)}
          onChange={(value) => {
            setOpened(null)
            setType(value === String(actualType.commitment) ? actualType.commitment : actualType.actual)
          }}
          data={[
            { value: String(actualType.actual), label: 'Actuals' },
            { value: String(actualType.commitment), label: 'Commitments' },
          ]}
        />
      </CardHead>
      {!lines.data ? (
        <Skeleton height={120} />
      ) : lines.data.lines.length === 0 ? (
        <EmptyState>No {kindName} were imported for this code.</EmptyState>
      ) : (
        <div className={scrollStyles.scroll}>
          <DataTable
            isTight
            columns={columns}
            rows={[...lines.data.lines.slice(0, drawn), null]}
            look={(line) => (line ? undefined : 'total')}
            below={(line, index) =>
              line ? (
                opened === index && (
                  <tr>
                    <td colSpan={columns.length} style={{ whiteSpace: 'normal' }}>
                      <ImportDetails
                        found={lines.data.imports.find((one) => one.locationId === line.locationId && one.version === line.version)}
                        mayOpen={hasWords}
                      />
                    </td>
                  </tr>
                )
              ) : lines.data.lines.length > drawn ? (
                <tr>
                  <td colSpan={columns.length}>
                    <Button size="compact-sm" variant="subtle" onClick={() => setDrawn(drawn + linesAtOnce)}>
                      Show {displayCount(Math.min(linesAtOnce, lines.data.lines.length - drawn), 'more line', 'more lines')} of{' '}
                      {displayNumber(lines.data.lines.length)}
                    </Button>
                  </td>
                </tr>
              ) : null
            }
          />
        </div>
      )}
    </Card>
  )
}

/** Shows who imported a file, when, and how many lines it has. */
function ImportDetails({
  found,
  mayOpen,
}: {
  found: RouterOutputs['monitoring']['actualsYtd']['imports'][number] | undefined
  /** Whether the user can open the page of actuals and commitments. */
  mayOpen: boolean
}) {
  if (!found) return <span className={textStyles.dim}>The import that added this line was undone and then restored: see the history.</span>
  return (
    <span>
      {found.isAdded ? 'Added by' : 'Imported by'} <b>{found.by}</b>, {displayDateTime(found.at)}, with {displayCount(found.lines, 'line')}{' '}
      imported for this location and {formatMonth(found)}.{' '}
      {mayOpen && (
        <Anchor component={Link} size="sm" underline="always" to={`/console/monitoring/actuals-commitments?month=${formatIsoMonth(found)}`}>
          See the month
        </Anchor>
      )}
    </span>
  )
}
