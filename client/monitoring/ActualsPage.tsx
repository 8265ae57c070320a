import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { getLookupName, lookups } from '../../domain/lookups/lookups.ts'
import { actualFile } from '../../domain/monitoring/actualFile.ts'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayCount, displayMoney, toPennies } from '../../domain/values/format.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { findLatestMonth, getCurrentMonth, getImportSearchRange, listMonthsAround, parseMonth } from '../budget/months.ts'
import { ServerList } from '../resources/list/ServerList.tsx'
import { useListState } from '../resources/list/useList.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { ClearImportsDialog } from './ClearImportsDialog.tsx'
import { MonitoringHistoryDrawer } from './MonitoringHistoryDrawer.tsx'

const ImportLedgerDialog = lazyComponent(() => import('./ledgers/ImportLedgerDialog.tsx'), 'ImportLedgerDialog')

type Row = RouterOutputs['monitoring']['list']['rows'][number]

/** Income, spending and orders per month, as imported from ledgers (behaviours B-227 and B-228). */
export function ActualsPage() {
  const { organisationId } = useSelection()
  const { locations } = useCoreData()
  const term = useTerm()
  const things = term('ActualCommitment')
  const mayEdit = usePermissionCheck()(['ConsoleMonitoringReadUpdate'])
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<'import' | 'clear' | 'history' | null>(null)
  const now = getCurrentMonth()
  const months = trpc.monitoring.months.useQuery(getImportSearchRange(now))
  const month = parseMonth(search.get('month')) ?? findLatestMonth(months.data ?? [], null)
  const { year, month: number } = month
  const view = useListState(`actuals ${organisationId}/${formatIsoMonth(month)}`)
  const list = trpc.monitoring.list.useQuery(
    { ...view.request, year, month: number },
    { placeholderData: (before) => before, enabled: !months.isLoading },
  )
  const rows = list.data?.rows
  const ids = (of: (row: Row) => number | null): number[] => [...new Set(rows?.flatMap((row) => of(row) ?? []))]
  const codes = useRecordNames(
    'budgetCode',
    ids((row) => row.budgetCode),
  )
  const centres = useRecordNames(
    'costCentre',
    ids((row) => row.costCentre),
  )
  const funds = useRecordNames(
    'fundCode',
    ids((row) => row.fundCode),
  )
  const tags = useRecordNames(
    'analysisTag',
    ids((row) => row.analysisTag),
  )
  const described = (names: typeof codes, id: number | null): string => {
    const one = id === null ? undefined : names.get(id)
    return one ? `${one.name} ${one.description ?? ''}`.trim() : ''
  }
  const monthImports = months.data?.filter((one) => one.year === year && one.month === number) ?? []
  const closed = monthImports.filter((one) => one.isClosed)
  const openLocations = locations.filter((one) => !closed.some(({ locationId }) => locationId === one.id))
  return (
    <>
      <PageHead
        title={things.plural}
        documentTitle={`${things.plural} - Console`}
        pills={list.data && <Pill>{displayCount(list.data.total, 'line')}</Pill>}
        facts={
          months.data && (
            <>
              Actuals for {formatMonth(month)} are in for <b>{closed.length}</b> of {displayCount(locations.length, 'location')}
              {closed.length > 0 && openLocations.length > 0 && openLocations.length <= 3 && (
                <>; missing: {openLocations.map((one) => one.name).join(', ')}</>
              )}
            </>
          )
        }
      >
        <Button variant="default" onClick={() => setOpen('history')}>
          History
        </Button>
        {mayEdit && (
          <Button component={Link} to="/console/monitoring/ledgers" variant="default">
            Ledgers
          </Button>
        )}
        {mayEdit && monthImports.length > 0 && (
          <Button variant="default" onClick={() => setOpen('clear')}>
            Clear the month
          </Button>
        )}
        {mayEdit && <Button onClick={() => setOpen('import')}>Import</Button>}
      </PageHead>
      <Toolbar>
        <MonthSelect choices={listMonthsAround(now)} month={month} onChange={(value) => setSearch({ month: value }, { replace: true })} />
      </Toolbar>
      <ServerList<Row>
        key={formatIsoMonth(month)}
        label={things.plural}
        rows={rows}
        isEarlier={list.isPlaceholderData}
        total={list.data?.total ?? 0}
        columns={[
          {
            id: 'locationId',
            label: term('Location').singular,
            minWidth: 150,
            cell: (row) => locations.find((one) => one.id === row.locationId)?.name ?? row.budgetCodeFilter ?? '',
          },
          { id: 'type', label: 'Type', width: 110, flex: 0, cell: (row) => getLookupName('actualTypes', row.type) },
          {
            id: 'budgetCode',
            label: term('BudgetCode').singular,
            minWidth: 170,
            flex: 1.4,
            cell: (row) => described(codes, row.budgetCode),
          },
          { id: 'costCentre', label: term('CostCentre').singular, minWidth: 130, cell: (row) => described(centres, row.costCentre) },
          { id: 'fundCode', label: term('FundCode').singular, minWidth: 110, cell: (row) => described(funds, row.fundCode) },
          { id: 'analysisTag', label: term('AnalysisTag').singular, minWidth: 100, cell: (row) => described(tags, row.analysisTag) },
          { id: 'description', label: 'Description', minWidth: 150, flex: 1.4 },
          { id: 'value', label: 'Value', width: 120, flex: 0, isFigure: true, cell: (row) => displayMoney(toPennies(row.value)) },
        ]}
        filterable={[
          { name: 'type', label: 'Type', field: { kind: 'set', items: [...lookups.actualTypes] } },
          { name: 'locationId', label: term('Location').singular, field: { kind: 'set', items: locations } },
          { name: 'budgetCode', label: term('BudgetCode').singular, field: actualFile.fields.budgetCode },
          { name: 'costCentre', label: term('CostCentre').singular, field: actualFile.fields.costCentre },
          { name: 'fundCode', label: term('FundCode').singular, field: actualFile.fields.fundCode },
          { name: 'description', label: 'Description', field: actualFile.fields.description },
          { name: 'value', label: 'Value', field: actualFile.fields.value },
        ]}
        {...view.grid}
        searchPlaceholder="Search code, location filter or description"
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>Nothing has been imported for {formatMonth(month)}</h2>
            <p>
              {mayEdit
                ? 'Import the month from your ledger. The monitoring screens then compare it with the budget.'
                : 'Actuals and commitments appear here once they are imported.'}
            </p>
            {mayEdit && <Button onClick={() => setOpen('import')}>Import</Button>}
          </>
        }
      />
      {open === 'import' && (
        <PageSection>
          <ImportLedgerDialog
            month={month}
            onClose={() => setOpen(null)}
            onDone={(imported) => {
              setSearch({ month: formatIsoMonth(imported) }, { replace: true })
              view.reset()
            }}
          />
        </PageSection>
      )}
      {open === 'clear' && (
        <ClearImportsDialog
          month={month}
          importedLocationIds={monthImports.map((one) => one.locationId)}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            view.reset()
          }}
        />
      )}
      {open === 'history' && <MonitoringHistoryDrawer locationId={null} onClose={() => setOpen(null)} />}
    </>
  )
}
