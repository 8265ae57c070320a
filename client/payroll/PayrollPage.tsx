import { Anchor, Button, Skeleton, Stepper } from '@mantine/core'
import { useMemo, useState } from 'react'
import { payrollMonthState } from '../../domain/lookups/lookupIds.ts'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayDateTime, displayMoney } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { BudgetOfRecordNotice } from '../budget/BudgetOfRecordNotice.tsx'
import { findOtherBudgetOfRecord } from '../budget/budgetOfRecord.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { findLatestMonth, getCurrentMonth, listBudgetMonths, listMonthsAround, parseMonth } from '../budget/months.ts'
import { trpc } from '../shell/api.ts'
import { type SelectableBudget, useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { BackPayStep } from './BackPayStep.tsx'
import { CompleteMonthStep } from './CompleteStep.tsx'
import { DifferencesTable } from './DifferencesTable.tsx'
import { differenceFilters, fileProblemFilters, groupRowsByEmployee, matchesEmployeeFilter } from './employees.ts'
import { PayrollFileStep } from './FileStep.tsx'
import { PayrollByLocationStep } from './LocationsStep.tsx'
import { PayrollHistoryDrawer } from './PayrollHistoryDrawer.tsx'
import classes from './PayrollPage.module.css'
import { useReconciliationChanges } from './reconciliationChanges.ts'
import { PayrollToleranceDialog } from './ToleranceDialog.tsx'
import { useCauseSearch } from './useCauseSearch.ts'
import type { WhatIfAssumptions } from './WhatIfDialog.tsx'

const WhatIfDialog = lazyComponent(() => import('./WhatIfDialog.tsx'), 'WhatIfDialog')

const steps = ['month', 'file', 'exceptions', 'differences', 'complete'] as const
type Step = (typeof steps)[number]

/** Payroll reconciliation of the open budget's group, or of the whole organisation (behaviours B-208 to B-210). */
export function PayrollPage({ screen }: { screen: { area: string } }) {
  const isConsole = screen.area === 'Console'
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const budget = isConsole ? null : (budgets.find((one) => one.mongoId === budgetId) ?? null)
  if (budget && budget.budgetGroupId === null)
    return (
      <>
        <PageHead title="Payroll reconciliation" documentTitle="Payroll reconciliation - Payroll" />
        <Card>
          <EmptyState>
            <h2>{budget.name} is not in a budget group</h2>
            <p>Payroll is reconciled for a budget group, or for the whole organisation in the console. Put the budget in a group first.</p>
          </EmptyState>
        </Card>
      </>
    )
  return <Reconciliation key={isConsole ? 'console' : budgetId} budget={budget} />
}

const asBudgeted: WhatIfAssumptions = { awards: true, teacherTableId: null, supportTableId: null }

/** Reads the what-if assumptions from the URL of the page. */
function readAssumptions(search: URLSearchParams): WhatIfAssumptions {
  const id = (name: string): number | null => Number(search.get(name)) || null
  return { awards: search.get('awards') !== 'off', teacherTableId: id('teachers'), supportTableId: id('support') }
}

function whatIfWords({ awards, teacherTableId, supportTableId }: WhatIfAssumptions): string {
  const parts = [
    awards ? null : 'without the assumed awards',
    teacherTableId === null ? null : 'teachers on a different pay table',
    supportTableId === null ? null : 'support staff on a different pay table',
  ]
  return parts.filter(Boolean).join(', ')
}

function Reconciliation({ budget }: { budget: SelectableBudget | null }) {
  const groupId = budget?.budgetGroupId ?? null
  const isConsole = budget === null
  const isAllowed = usePermissionCheck()
  const term = useTerm()
  const { locations, budgets } = useCoreData()
  const [search, setParameters] = useUrlParameters()
  const [open, setOpen] = useState<'history' | 'tolerance' | 'whatIf' | null>(null)
  const assume = ({ awards, teacherTableId, supportTableId }: WhatIfAssumptions): void =>
    setParameters({
      awards: awards ? null : 'off',
      teachers: teacherTableId?.toString() ?? null,
      support: supportTableId?.toString() ?? null,
    })
  const known = trpc.payroll.exists.useQuery({ id: groupId })
  const month = parseMonth(search.get('month')) ?? findLatestMonth(known.data?.months ?? [], budget)
  const level = { ...month, groupId }
  const record = budget && findOtherBudgetOfRecord(budgets, budget.mongoId, month)
  const assumed = readAssumptions(search)
  const isWhatIf = !assumed.awards || assumed.teacherTableId !== null || assumed.supportTableId !== null
  const request = {
    ...month,
    ...(groupId && { budgetGroupId: groupId }),
    useInflation: assumed.awards,
    payScaleTableIds: [assumed.teacherTableId, assumed.supportTableId].filter((id) => id !== null),
  }
  const isReady = known.data !== undefined
  const table = trpc.payroll.reconcile.useQuery(request, { enabled: isReady, placeholderData: (before) => before })
  const status = trpc.payroll.standing.useQuery({ ...month, group: groupId }, { enabled: isReady })
  const hasFile = Boolean(table.data?.importedAt)
  const figures = useMemo(
    () => table.data?.rows.map((row) => `${row.calculated} ${row.actual} ${row.broughtForward}`).join() ?? null,
    [table.data],
  )
  const { explained, search: causeSearch } = useCauseSearch(request, hasFile && !table.isPlaceholderData ? figures : null)
  const changes = useReconciliationChanges(level, table.dataUpdatedAt)
  const { over } = changes
  const allEmployees = useMemo(
    () => groupRowsByEmployee(over(table.data?.rows ?? []), explained, table.data?.tolerance ?? 0),
    [table.data, over, explained],
  )
  const employeeLocations = locations.filter(({ id }) => allEmployees.some((one) => one.locationId === id))
  // The page starts with the location of the open budget; the user can switch to the whole group.
  const requestedLocation = search.get('location') ?? String(budget?.locationId ?? 'all')
  const chosenLocation = employeeLocations.length > 1 ? employeeLocations.find(({ id }) => String(id) === requestedLocation) : undefined
  const employees = chosenLocation ? allEmployees.filter((one) => one.locationId === chosenLocation.id) : allEmployees
  const difference = employees.reduce((sum, one) => sum + (one.difference ?? 0), 0)
  const isComplete = table.data?.state === payrollMonthState.complete
  const mayEdit =
    !record && isAllowed(isConsole ? ['ConsolePayrollReconciliationReadUpdate'] : ['BudgetingPayrollReconciliationReadUpdate'])
  const isBackPay = search.get('view') === 'backPay'
  const requestedStep = search.get('step')
  const step: Step =
    steps.find((one) => one === requestedStep) ?? (!table.data ? 'month' : isComplete ? 'complete' : hasFile ? 'differences' : 'file')
  const monthName = formatMonth(month)
  const unexplained = employees.filter((one) => matchesEmployeeFilter(one, 'unexplained'))
  const exceptions = employees.filter((one) => fileProblemFilters.some((filter) => matchesEmployeeFilter(one, filter)))
  const differing = employees.filter((one) => matchesEmployeeFilter(one, 'different'))
  if (known.isLoadingError) return <LoadFailed query={known} />
  const shared = { level, changes, isReadOnly: !mayEdit || isComplete || isWhatIf, causeSearch, isConsole }
  return (
    <>
      <PageHead
        title="Payroll reconciliation"
        documentTitle={`Payroll reconciliation - ${isConsole ? 'Console' : 'Payroll'}`}
        pills={
          table.data && (
            <>
              <Pill tone={isComplete ? 'good' : undefined}>{isComplete ? 'Complete' : 'Open'}</Pill>
              {!isComplete && hasFile && unexplained.length > 0 && <Pill tone="warn">{unexplained.length} unexplained</Pill>}
            </>
          )
        }
        facts={
          table.data && (
            <>
              {monthName}
              {' · '}
              {table.data.importedAt ? `payroll imported ${displayDateTime(table.data.importedAt)}` : 'no payroll imported yet'}
              {' · '}
              {displayCount(employees.length, 'employee')}
              {hasFile && <> · difference {displayMoney(difference)}</>}
            </>
          )
        }
      >
        <Button variant="default" onClick={() => setParameters({ view: isBackPay ? null : 'backPay' })}>
          {isBackPay ? 'The month' : 'Back pay'}
        </Button>
        <Button variant="default" onClick={() => setOpen('history')}>
          History
        </Button>
        <Button variant="default" onClick={() => setOpen('whatIf')}>
          What if
        </Button>
        <Button variant="default" onClick={() => setOpen('tolerance')}>
          Tolerance
        </Button>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
      </PageHead>
      <Toolbar>
        <MonthSelect
          choices={budget ? listBudgetMonths(budget) : listMonthsAround(getCurrentMonth())}
          month={month}
          onChange={(value) => setParameters({ month: value })}
        />
        {employeeLocations.length > 1 && (
          <Choice
            aria-label={term('Location').singular}
            w={230}
            data={[
              {
                value: 'all',
                label: `All ${displayCount(employeeLocations.length, toMidSentence(term('Location').singular), toMidSentence(term('Location').plural))}`,
              },
              ...employeeLocations.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={chosenLocation ? String(chosenLocation.id) : 'all'}
            onChange={(value) => setParameters({ location: value })}
          />
        )}
      </Toolbar>
      {!isBackPay && (
        <Stepper
          active={steps.indexOf(step)}
          onStepClick={(index) => setParameters({ step: assertDefined(steps[index]) })}
          size="sm"
          mb="md"
          aria-label="Steps for the month"
          classNames={{ steps: classes.steps, separator: classes.separator }}
        >
          <Stepper.Step label="Month" description={monthName} />
          <Stepper.Step label="File" description={hasFile ? 'imported' : 'not yet'} />
          <Stepper.Step label="Exceptions" description={hasFile ? String(exceptions.length) : undefined} />
          <Stepper.Step label="Differences" description={hasFile ? String(differing.length) : undefined} />
          <Stepper.Step label="Complete" description={isComplete ? 'complete' : 'open'} />
        </Stepper>
      )}
      {record && <BudgetOfRecordNotice record={record} month={month} />}
      {isWhatIf && (
        <p className={textStyles.since} role="status">
          <span>
            A what-if: {whatIfWords(assumed)}. Nothing can be changed here while it is shown.{' '}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={() => assume(asBudgeted)}>
              Back to the budget
            </Anchor>
          </span>
        </p>
      )}
      {isComplete && (
        <p className={textStyles.since}>
          {monthName} is complete. To change anything, reopen the month in the last step and give a reason.
        </p>
      )}
      {table.isLoadingError ? (
        <LoadFailed query={table} />
      ) : !table.data ? (
        <Skeleton height={360} />
      ) : isBackPay ? (
        <BackPayStep key={formatIsoMonth(month)} level={level} isReadOnly={Boolean(record)} />
      ) : step === 'month' ? (
        <PayrollByLocationStep level={level} onNext={() => setParameters({ step: 'file' })} />
      ) : step === 'file' ? (
        <PayrollFileStep
          level={level}
          changes={changes}
          mayClear={
            status.data?.isWhole === true && (hasFile || allEmployees.some((one) => one.note !== null || one.carriedForward !== null))
          }
          location={chosenLocation}
          missing={employees.filter((one) => one.status === 'onlyInBudget')}
          proof={table.data.proof}
          importedAt={table.data.importedAt}
          isReadOnly={shared.isReadOnly}
          onStart={() => setParameters({ step: 'file' })}
          onNext={() => setParameters({ step: 'exceptions' })}
        />
      ) : step === 'complete' ? (
        <CompleteMonthStep
          level={level}
          changes={changes}
          isReadOnly={!mayEdit || isWhatIf}
          isWhatIf={isWhatIf}
          standing={status.data}
          totals={table.data.totals}
          broughtForward={allEmployees.reduce((sum, one) => sum + one.broughtForward, 0)}
          proof={table.data.proof}
          unexplained={allEmployees.filter((one) => matchesEmployeeFilter(one, 'unexplained')).length}
          remaining={allEmployees.filter((one) => one.difference !== 0 && one.difference !== null && one.carriedForward === null).length}
        />
      ) : (
        <DifferencesTable
          key={`${step} ${formatIsoMonth(month)} ${chosenLocation?.id}`}
          {...shared}
          employees={employees}
          filters={step === 'exceptions' ? fileProblemFilters : differenceFilters}
          tolerance={table.data.tolerance}
          hasFile={hasFile}
          onNext={() => setParameters({ step: step === 'exceptions' ? 'differences' : 'complete' })}
        />
      )}
      {open === 'history' && <PayrollHistoryDrawer onClose={() => setOpen(null)} />}
      {open === 'whatIf' && (
        <PageSection height={0}>
          <WhatIfDialog assumptions={assumed} onChange={assume} onClose={() => setOpen(null)} />
        </PageSection>
      )}
      {open === 'tolerance' && (
        <PayrollToleranceDialog isReadOnly={!isAllowed(['ConsolePayrollReconciliationReadUpdate'])} onClose={() => setOpen(null)} />
      )}
    </>
  )
}
