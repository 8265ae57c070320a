import { Alert, Button, Chip, Menu, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { addExtraColumns, type ExtraColumns, noExtraColumns } from '../../domain/reports/extraColumns.ts'
import { type ReportDeclaration, type ReportName, reports } from '../../domain/reports/registry.ts'
import { getCellType, type Report } from '../../domain/reports/report.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, toPennies } from '../../domain/values/format.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { useOrganisationTypeAndSchemes } from '../budget/useOrganisationTypeAndSchemes.ts'
import { answerCache, api, type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { downloadReply } from '../shell/files/downloadReply.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { downloadFile, notifyFailure } from '../shell/notify.tsx'
import type { Screen } from '../shell/screens/screen.ts'
import { useSelection } from '../shell/selection.ts'
import { confirmDiscard } from '../shell/unsavedChanges.ts'
import { type SetUrlParameters, useUrlParameters } from '../shell/useAddressParameters.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { LayoutMenu } from './LayoutMenu.tsx'
import { LinesDrawer } from './LinesDrawer.tsx'
import { buildLayoutUrl } from './layouts.ts'
import { CellCommentThread, countCommentsByCell, ReportCommentsDialog, useReportComments } from './ReportComments.tsx'
import { ReportPdfButton } from './ReportPdfButton.tsx'
import { ReportScopeTools } from './ReportScopeTools.tsx'
import classes from './Reports.module.css'
import { ReportTable } from './ReportTable.tsx'
import {
  buildReportSearch,
  formatScope,
  parseReportParameters,
  type ReportParameters,
  type ReportScope,
  toReportRequest,
} from './reportParameters.ts'

function prepare(): void {
  void answerCache.reportLayouts.list.prefetch()
}

/** The page of all reports. Its URL contains the report, its budgets and its columns, so that a link opens the same report. */
export function ReportsPage({ screen }: { screen: Screen }) {
  const { budgetId } = useSelection()
  const [search, putAddress] = useUrlParameters()
  const isConsole = screen.area === 'Console'
  const fallback: ReportScope = isConsole || budgetId === null ? { kind: 'all' } : { kind: 'budget', id: budgetId }
  const parameters = parseReportParameters(search, fallback)
  // As soon as the user changes a parameter, the URL names the budgets. A link then shows the same budgets, whichever budget its reader has
  // selected.
  const setParameters: SetUrlParameters = (changes) => putAddress({ of: formatScope(parameters.of), ...changes })
  const addressOf = (report: ReportName | null): string => buildReportSearch(search, parameters, report)
  if (!parameters.report)
    return parameters.layoutId === null ? (
      <ReportIndex area={screen.area} open={fallback} addressOf={addressOf} />
    ) : (
      <LinkedLayout id={parameters.layoutId} open={fallback} allReports={addressOf(null)} />
    )
  return (
    <OneReport
      key={parameters.report}
      name={parameters.report}
      parameters={parameters}
      open={fallback}
      area={screen.area}
      put={setParameters}
      allReports={addressOf(null)}
    />
  )
}
ReportsPage.prepare = prepare

const isMapped = (report: ReportDeclaration): boolean => report.kind === 'money' && report.mapping !== null

const sections = [
  { title: 'Money', isOwn: (report: ReportDeclaration) => report.kind === 'money' && !isMapped(report) },
  { title: 'Staff', isOwn: (report: ReportDeclaration) => report.kind === 'staff' },
  { title: 'Pupils', isOwn: (report: ReportDeclaration) => report.kind === 'pupils' },
  { title: 'Measures', isOwn: (report: ReportDeclaration) => report.kind === 'measures' },
  { title: 'Returns and ledger', isOwn: isMapped },
]

interface ReportIndexProps {
  area: string
  /** The selected budgets. */
  open: ReportScope
  addressOf: (report: ReportName) => string
}

function ReportIndex({ area, open, addressOf }: ReportIndexProps) {
  const { data: layouts = [] } = trpc.reportLayouts.list.useQuery()
  const { isTrust } = useOrganisationTypeAndSchemes()
  // List first the return that the organisation submits: CFR is for maintained schools.
  const names = keysOf(reports).filter((name) => name !== 'cfrReturn')
  const all = (isTrust ? [...names, 'cfrReturn' as const] : ['cfrReturn' as const, ...names]).map(
    (name): [ReportName, ReportDeclaration] => [name, reports[name]],
  )
  return (
    <>
      <PageHead title="Reports" documentTitle={`Reports - ${area}`} facts="Choose a report, then set its scope and columns." />
      {layouts.length > 0 && (
        <section aria-label="Saved layouts">
          <h2 className={classes.kind}>Saved layouts</h2>
          <ul className={classes.index}>
            {layouts.map((layout) => (
              <li key={layout.id}>
                <Link className={classes.report} to={buildLayoutUrl(layout, open)}>
                  <b>{layout.name}</b>
                  <span>
                    {reports[layout.request.report].title}
                    {layout.isShared && ' · shared'}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {sections.map(({ title, isOwn }) => (
        <section key={title} aria-label={title}>
          <h2 className={classes.kind}>{title}</h2>
          <ul className={classes.index}>
            {all
              .filter(([, one]) => isOwn(one))
              .map(([name, one]) => (
                <li key={name}>
                  <Link className={classes.report} to={addressOf(name)}>
                    <b>{one.title}</b>
                    <span>{one.about}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** Opens the report of a saved layout to which a link leads. */
function LinkedLayout({ id, open, allReports }: { id: number; open: ReportScope; allReports: string }) {
  const layouts = trpc.reportLayouts.list.useQuery()
  const layout = layouts.data?.find((one) => one.id === id)
  if (layouts.isError) return <LoadFailed query={layouts} />
  if (!layouts.data) return <Skeleton height={420} />
  if (layout) return <Navigate to={buildLayoutUrl(layout, open)} replace />
  return (
    <Card>
      <EmptyState>
        <h2>Layout not found</h2>
        <p>It was deleted, or its owner no longer shares it.</p>
        <Button variant="default" component={Link} to={allReports}>
          All reports
        </Button>
      </EmptyState>
    </Card>
  )
}

type ShownReport = RouterOutputs['reports']['budgetAnalysis']

/** Converts the amounts of a report to whole pennies. */
function inPennies(shown: ShownReport): Report {
  const { columns } = shown
  return {
    ...shown,
    rows: shown.rows.map((row) => ({
      ...row,
      values: row.values.map((value, index) =>
        getCellType(row, assertDefined(columns[index])) === 'money' && typeof value === 'number' ? toPennies(value) : value,
      ),
    })),
    bases: shown.bases.map(({ income, pupils }) => ({ income: income === null ? null : toPennies(income), pupils })),
  }
}

function useReport(name: ReportName, parameters: ReportParameters) {
  const isComparison = name === 'budgetComparison'
  const options = { placeholderData: <T,>(before: T | undefined): T | undefined => before }
  const request = toReportRequest(parameters)
  const compared = trpc.reports.budgetComparison.useQuery(
    { budgetIds: parameters.budgetIds, yearNames: request.yearNames, scheme: parameters.scheme, includeEmpty: parameters.includeEmpty },
    { ...options, enabled: isComparison && parameters.budgetIds.length >= 2 },
  )
  const one = trpc.reports[isComparison ? 'budgetAnalysis' : name].useQuery(request, { ...options, enabled: !isComparison })
  return isComparison ? compared : one
}

interface OneReportProps {
  name: ReportName
  parameters: ReportParameters
  open: ReportScope
  area: string
  put: SetUrlParameters
  /** The URL of the list of reports for the same budgets. */
  allReports: string
}

function OneReport({ name, parameters, open, area, put, allReports }: OneReportProps) {
  const declared: ReportDeclaration = reports[name]
  const query = useReport(name, parameters)
  const [cell, setCell] = useState<{ row: number; column: number } | null>(null)
  const isComparison = name === 'budgetComparison'
  const isWaiting = isComparison && parameters.budgetIds.length < 2
  const hasColumns = declared.kind === 'money' && !declared.mapping && !name.startsWith('stakeHolder')
  // The URL may contain comparison columns that were chosen for another report. If this report has none, they are ignored.
  const comparisonColumns = hasColumns ? parameters.beside : noExtraColumns
  const ownReport = useMemo(() => query.data && inPennies(query.data), [query.data])
  const shown = ownReport && addExtraColumns(ownReport, comparisonColumns)
  const reportComments = useReportComments(name, parameters, ownReport)
  // Comments refer to the index of a column in the report itself. Comparison columns change the index on the screen.
  const shownColumn = (column: number): number => shown?.columns.findIndex(({ key }) => key === ownReport?.columns[column]?.key) ?? -1
  const ownColumn = (column: number): number => ownReport?.columns.findIndex(({ key }) => key === shown?.columns[column]?.key) ?? -1
  const marks = countCommentsByCell(reportComments?.comments ?? [], shownColumn)
  const takesComments = reportComments !== null
  const spokenColumns = useMemo(
    () => (takesComments && ownReport ? new Set(ownReport.columns.map(({ key }) => key)) : null),
    [takesComments, ownReport],
  )
  const [isListing, setListing] = useState(false)
  const linked = reportComments?.comments.find(({ comment }) => comment.id === parameters.commentId)
  // A link to a comment opens the comment's figure, or all comments if this figure is not shown.
  const isLinkLost =
    parameters.commentId !== null &&
    reportComments?.query.isSuccess === true &&
    !query.isPlaceholderData &&
    ownReport !== undefined &&
    !linked?.at
  const opened = cell ?? (linked?.at ? { row: linked.at.row, column: shownColumn(linked.at.column) } : null)
  const close = (): void => {
    setCell(null)
    setListing(false)
    if (!parameters.commentId) return
    put({ comment: null })
    // No element opened this dialog, so when it closes, focus the figure.
    const at = opened && `${opened.row} ${opened.column}`
    window.setTimeout(() => document.querySelector<HTMLElement>(`[data-cell="${at}"]`)?.focus())
  }
  const isOfYears = declared.spread === 'years' || declared.spread === 'eachLocation'
  const canPupils = shown?.bases.some((base) => base.pupils !== null) ?? false
  const canShare = shown?.bases.some((base) => base.income !== null) ?? false
  const chip = (
    field: 'pupil' | 'share' | 'change' | 'pence' | 'empty',
    { label, checked, disabled = false }: { label: string; checked: boolean; disabled?: boolean },
  ) => (
    <Chip checked={checked} disabled={disabled} onChange={(on) => put({ [field]: on ? '1' : null })}>
      {label}
    </Chip>
  )
  return (
    <>
      <PageHead
        title={declared.title}
        documentTitle={`Reports - ${area}`}
        pills={
          query.data &&
          query.data.notCalculated > 0 && <Pill tone="warn">{`${displayCount(query.data.notCalculated, 'item')} not calculated`}</Pill>
        }
        facts={query.data ? <Facts shown={query.data} /> : declared.about}
      >
        <Button variant="default" component={Link} to={allReports}>
          All reports
        </Button>
        <LayoutMenu parameters={parameters} open={open} put={put} />
        {reportComments && (
          <Button variant="default" onClick={() => setListing(true)}>
            Comments{reportComments.comments.length > 0 && ` (${reportComments.comments.length})`}
          </Button>
        )}
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <ReportPdfButton name={name} parameters={parameters} beside={comparisonColumns} isDisabled={!query.data} />
        <Downloads name={name} parameters={parameters} beside={comparisonColumns} isDisabled={!query.data} />
      </PageHead>
      {query.data?.olderCosts && (
        <Alert color="orange" role="status" mb="md">
          {query.data.olderCosts}
        </Alert>
      )}
      <ReportScopeTools name={name} declared={declared} parameters={parameters} put={put} />
      <Toolbar role="group" aria-label="Columns">
        {hasColumns && (
          <>
            {chip('pupil', { label: 'Per pupil', checked: parameters.beside.perPupil, disabled: !canPupils })}
            {chip('share', { label: '% of income', checked: parameters.beside.ofIncome, disabled: !canShare })}
            {isOfYears && !isComparison && chip('change', { label: 'Change on last year', checked: parameters.beside.change })}
          </>
        )}
        {declared.kind !== 'pupils' && chip('pence', { label: 'Pence', checked: parameters.hasPence })}
        {declared.kind === 'money' && hasColumns && chip('empty', { label: 'Codes without figures', checked: parameters.includeEmpty })}
      </Toolbar>
      {isWaiting ? (
        <Card>
          <EmptyState>
            <h2>Choose two to four budgets</h2>
            <p>They are shown side by side, with the difference from the first.</p>
          </EmptyState>
        </Card>
      ) : query.isError && toPublicError(query.error).code === 'notFound' ? (
        <Card>
          <EmptyState role="alert">
            <p>You do not have access to this report, or it no longer exists.</p>
            <Button variant="default" component={Link} to={allReports}>
              All reports
            </Button>
          </EmptyState>
        </Card>
      ) : query.isError ? (
        <LoadFailed query={query} />
      ) : !shown ? (
        <Skeleton height={420} />
      ) : (
        <ReportTable
          report={shown}
          hasPence={parameters.hasPence}
          isPrevious={query.isPlaceholderData}
          marks={marks}
          commentableColumns={spokenColumns}
          onOpen={(row, column) => setCell({ row, column })}
        />
      )}
      {shown && !query.isPlaceholderData && opened && shown.rows[opened.row] && shown.columns[opened.column] && (
        <LinesDrawer
          row={assertDefined(shown.rows[opened.row])}
          column={assertDefined(shown.columns[opened.column])}
          request={toReportRequest(parameters)}
          onClose={() => void confirmDiscard().then((go) => go && close())}
        >
          {reportComments && ownReport && ownColumn(opened.column) >= 0 && (
            <CellCommentThread
              reportComments={reportComments}
              report={ownReport}
              at={{ row: opened.row, column: ownColumn(opened.column) }}
              isSought={cell === null}
            />
          )}
        </LinesDrawer>
      )}
      {reportComments && (isListing || isLinkLost) && (
        <ReportCommentsDialog
          reportComments={reportComments}
          onOpen={(at) => {
            setListing(false)
            setCell({ row: at.row, column: shownColumn(at.column) })
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function Facts({ shown: { budgets, leftOut } }: { shown: ShownReport }) {
  const locationCount = new Set(budgets.map((one) => one.locationId)).size
  const [only] = budgets.length === 1 ? budgets : []
  return (
    <>
      {only ? `${only.location} · ${only.name}` : `${displayCount(budgets.length, 'budget')} of ${displayCount(locationCount, 'location')}`}
      {leftOut.length > 0 &&
        ` · excluding ${leftOut.map((one) => one.location).join(', ')}, which ${leftOut.length === 1 ? 'has' : 'have'} no budget for these years`}
    </>
  )
}

/** Downloads the figures as a workbook for people, or as CSV for programs. */
function Downloads({
  name,
  parameters,
  beside,
  isDisabled,
}: {
  name: ReportName
  parameters: ReportParameters
  beside: ExtraColumns
  isDisabled: boolean
}) {
  const [isBusy, setBusy] = useState(false)
  const request = {
    ...toReportRequest(parameters),
    ...beside,
    report: name,
    budgetIds: name === 'budgetComparison' ? parameters.budgetIds : null,
  }
  const runWithNotice = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  const fetched = (path: string, body: object): Promise<void> =>
    downloadReply(`/api/Reporting/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconDownload size={16} stroke={1.6} />} loading={isBusy} disabled={isDisabled}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void runWithNotice(() => fetched('Workbook', request))}>Excel, a tab for each location</Menu.Item>
        <Menu.Item onClick={() => void runWithNotice(() => fetched('Workbook', { ...request, formulas: true }))}>
          Excel with live formulas
        </Menu.Item>
        <Menu.Item onClick={() => void runWithNotice(async () => downloadFile(await api.reports.csv.query(request)))}>
          CSV of this report
        </Menu.Item>
        {name === 'profileBudgetAnalysis' && (
          <Menu.Item onClick={() => void runWithNotice(() => fetched('ProfileBudgetAnalysisExport', toReportRequest(parameters)))}>
            CSV, one for each location
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
