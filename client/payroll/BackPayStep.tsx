import { Button, Checkbox, Group, Skeleton } from '@mantine/core'
import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import { monitoringNoteType } from '../../domain/lookups/lookupIds.ts'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, displayMoney, toPennies } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './Differences.module.css'
import type { ReconciliationScope } from './reconciliationChanges.ts'

type Ledger = RouterOutputs['payroll']['backPay']['ledger']
type Line = Ledger['lines'][number]

const partNames = { basic: 'Basic', allowance: 'Allowances', leavePay: 'Leave pay', ni: 'NI', pension: 'Pension' } as const
const { versusActuals, versusForecast } = monitoringNoteType

const keyOf = ({ locationId, staffId, employeeNumber, component }: Line): string =>
  `${locationId} ${staffId ?? employeeNumber} ${component}`
const partOf = ({ component }: Line): string => partNames[component]
const sumOf = (pounds: readonly number[]): number => pounds.reduce((sum, one) => sum + toPennies(one), 0)

/** A row of the table: an amount owed, or one month of an amount owed. */
interface BackPayRow {
  /** The amount owed; null for a row of a month. */
  line: Line | null
  name: ReactNode
  since?: string
  short?: string
  paid: string
  open?: string
  why?: ReactNode
}

/** Back pay at a month end: who is owed how much, since when and why, what has been paid, and the accrual (rules.md §18). */
export function BackPayStep({ level: { groupId, ...month }, isReadOnly }: { level: ReconciliationScope; isReadOnly: boolean }) {
  const term = useTerm()
  const { locations } = useCoreData()
  const ledger = trpc.payroll.backPay.ledger.useQuery({ ...month, group: groupId })
  const [showsSettled, setShowsSettled] = useState(false)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  /** The school and code whose lines are shown; null for all lines. */
  const [filter, setFilter] = useState<{ locationId: LocationId; budgetCodeId: number | null } | null>(null)
  const lines = ledger.data?.lines ?? []
  const names = useRecordNames('budgetCode', [...new Set(lines.flatMap((line) => line.codes.flatMap((code) => code.budgetCodeId ?? [])))])
  const monthName = formatMonth(month)
  const placeOf = (id: number): string => locations.find((one) => one.id === id)?.name ?? ''
  const codeOf = (id: number | null): string => {
    const record = id === null ? undefined : names.get(id)
    return id === null ? 'Unknown code' : [record?.name, record?.description].filter(Boolean).join(' ')
  }
  if (ledger.isError) return <LoadFailed query={ledger} />
  if (!ledger.data) return <Skeleton height={320} />
  const { months, notCalculated, taken } = ledger.data
  const mayTake = ledger.data.mayTake && !isReadOnly
  const shown = lines
    .filter((line) => showsSettled || line.open !== 0)
    .filter(
      (line) => !filter || (line.locationId === filter.locationId && line.codes.some((code) => code.budgetCodeId === filter.budgetCodeId)),
    )
    .sort((a, b) => Math.abs(b.open) - Math.abs(a.open) || a.employeeNumber.localeCompare(b.employeeNumber))
  const settled = lines.filter((line) => line.open === 0).length
  const codes = sumByCode(lines).sort(
    (a, b) => placeOf(a.locationId).localeCompare(placeOf(b.locationId)) || codeOf(a.budgetCodeId).localeCompare(codeOf(b.budgetCodeId)),
  )
  const open = sumOf(lines.map((line) => line.open))
  const hasPlaces = new Set(lines.map((line) => line.locationId)).size > 1
  const toggle = (key: string): void =>
    setOpened((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]))
  const listRows = (line: Line): BackPayRow[] => {
    const isOpen = opened.has(keyOf(line))
    const outstandingMonth = line.months.find((one) => one.open !== 0) ?? assertDefined(line.months[0])
    return [
      {
        line,
        name: (
          <button type="button" className={tableStyles.name} aria-expanded={isOpen} onClick={() => toggle(keyOf(line))}>
            {line.name ?? (line.employeeNumber || 'No number')} {line.name && <span className={textStyles.dim}>{line.employeeNumber}</span>}
          </button>
        ),
        since: formatMonth(outstandingMonth),
        short: displayFigure(-sumOf(line.months.map((one) => one.difference))),
        paid: displayFigure(-sumOf(line.months.flatMap((one) => one.settled.map((part) => part.amount)))),
        open: displayFigure(toPennies(line.open)),
        why: outstandingMonth.cause ?? <span className={textStyles.dim}>no reason noted</span>,
      },
      ...(isOpen ? line.months : []).flatMap((one) => [
        {
          line: null,
          name: formatMonth(one),
          short: displayFigure(-toPennies(one.difference)),
          paid: displayFigure(-sumOf(one.settled.map((part) => part.amount))),
          open: displayFigure(-toPennies(one.open)),
          why: one.cause,
        },
        ...one.settled.map((part) => ({
          line: null,
          name: <span className={textStyles.dim}>paid in {formatMonth(part)}</span>,
          paid: displayFigure(-toPennies(part.amount)),
        })),
      ]),
    ]
  }
  return (
    <>
      <Toolbar>
        {settled > 0 && (
          <Checkbox
            label={`Show ${displayCount(settled, 'settled line')}`}
            checked={showsSettled}
            onChange={(event) => setShowsSettled(event.currentTarget.checked)}
          />
        )}
        {filter && (
          <Button variant="subtle" onClick={() => setFilter(null)}>
            Show all
          </Button>
        )}
      </Toolbar>
      <p className={textStyles.since} role="status">
        {months.length
          ? `At the end of ${monthName}, ${displayMoney(open)} is still to be paid, from ${months.map((one) => formatMonth(one)).join(', ')}.`
          : `No payroll has been imported for ${monthName} or the eleven months before it.`}
        {notCalculated > 0 &&
          ` ${displayCount(notCalculated, 'row')} could not be calculated and ${notCalculated === 1 ? 'is' : 'are'} not included.`}
      </p>
      <SectionStack>
        {codes.length > 0 && (
          <Card className={scrollStyles.scroll} aria-label="Outstanding by code">
            <CardHead>Outstanding by {toMidSentence(term('Location').singular)} and code</CardHead>
            <DataTable
              isTight
              columns={[
                { id: 'location', label: term('Location').singular, cell: (one) => placeOf(one.locationId) },
                { id: 'code', label: term('BudgetCode').singular, cell: (one) => codeOf(one.budgetCodeId) },
                {
                  id: 'open',
                  label: 'Outstanding £',
                  isFigure: true,
                  cell: (one) => (
                    <button
                      type="button"
                      className={tableStyles.name}
                      aria-label={`Lines of ${codeOf(one.budgetCodeId)} at ${placeOf(one.locationId)}`}
                      onClick={() => setFilter({ locationId: one.locationId, budgetCodeId: one.budgetCodeId })}
                    >
                      {displayFigure(one.open)}
                    </button>
                  ),
                },
              ]}
              rows={codes}
            />
            {mayTake && <CopyToAdjustmentsDialog level={{ groupId, ...month }} codes={codes} taken={taken} />}
          </Card>
        )}
        {codes.length === 0 && taken.length > 0 && (
          <Card aria-label="Outstanding by code">
            <CopyToAdjustmentsDialog level={{ groupId, ...month }} codes={codes} taken={taken} />
          </Card>
        )}
        {shown.length === 0 ? (
          <Card>
            <EmptyState>
              <h2>Nothing is owed</h2>
              <p>Underpayments against the budget are listed here until a later month pays them.</p>
            </EmptyState>
          </Card>
        ) : (
          <Card className={scrollStyles.scroll} aria-label="Back pay">
            <DataTable
              isTight
              className={classes.table}
              columns={[
                { id: 'employee', label: 'Employee', cell: ({ name }) => name },
                ...(hasPlaces
                  ? [{ id: 'location', label: term('Location').singular, cell: ({ line }: BackPayRow) => line && placeOf(line.locationId) }]
                  : []),
                { id: 'part', label: 'Part', cell: ({ line }) => line && partOf(line) },
                { id: 'since', label: 'Since', cell: ({ since }) => since },
                { id: 'short', label: 'Underpaid £', isFigure: true, cell: ({ short }) => short },
                { id: 'paid', label: 'Paid since £', isFigure: true, cell: ({ paid }) => paid },
                { id: 'open', label: 'Outstanding £', isFigure: true, cell: ({ open }) => open },
                { id: 'why', label: 'Reason', cellProps: () => ({ className: classes.reason }), cell: ({ why }) => why },
              ]}
              rows={shown.flatMap(listRows)}
              rowProps={({ line }) => ({ className: clsx(!line && classes.code) })}
            />
          </Card>
        )}
      </SectionStack>
    </>
  )
}

/** Outstanding back pay in whole pennies, by school and code. */
interface CodeSum {
  locationId: LocationId
  budgetCodeId: number | null
  open: number
}

function sumByCode(lines: readonly Line[]): CodeSum[] {
  const sums = new Map<string, CodeSum>()
  for (const { locationId, codes } of lines)
    for (const { budgetCodeId, open } of codes) {
      const key = `${locationId} ${budgetCodeId}`
      const codeSum = sums.get(key) ?? { locationId, budgetCodeId, open: 0 }
      codeSum.open += toPennies(open)
      sums.set(key, codeSum)
    }
  return [...sums.values()]
}

/** Copies outstanding back pay to the month's adjustments, and shows the adjustments that already contain it. */
function CopyToAdjustmentsDialog({
  level: { groupId, ...month },
  codes,
  taken,
}: {
  level: ReconciliationScope
  codes: readonly CodeSum[]
  taken: Ledger['taken']
}) {
  const isAllowed = usePermissionCheck()
  const copyToAdjustments = trpc.payroll.backPay.take.useMutation()
  const isInForecast = taken.some((one) => one.type === versusForecast)
  const [asksForecast, setAsksForecast] = useState(false)
  // An adjustment that is already in the forecast is updated together with the one in the ledger.
  const wantsForecast = asksForecast || isInForecast
  const monthName = formatMonth(month)
  const accrual = codes.reduce((sum, one) => sum + (one.budgetCodeId === null ? 0 : one.open), 0)
  const openByCode = new Map<number, number>()
  for (const { budgetCodeId, open } of codes)
    if (budgetCodeId !== null) openByCode.set(budgetCodeId, (openByCode.get(budgetCodeId) ?? 0) + open)
  const isCopied = (type: number): boolean => {
    const ofType = taken.filter((one) => one.type === type)
    return (
      ofType.length === [...openByCode].filter(([, open]) => open !== 0).length &&
      ofType.every((one) => openByCode.get(one.budgetCodeId) === toPennies(one.value))
    )
  }
  const isInLedger = taken.length > 0
  const isCurrent = isInLedger && isCopied(versusActuals) && (!wantsForecast || isCopied(versusForecast))
  const mayCopy = isAllowed(
    groupId
      ? ['BudgetingMonitoringBudgetActualsReadUpdate', 'ConsoleMonitoringBudgetActualsReadUpdate']
      : ['ConsoleMonitoringBudgetActualsReadUpdate'],
  )
  const mayForecast = isAllowed(listViewPermissions('ConsoleMonitoringBudgetForecast', 'BudgetingMonitoringBudgetForecast'))
  const run = async (): Promise<void> => {
    try {
      const types: (1 | 2)[] = wantsForecast ? [versusActuals, versusForecast] : [versusActuals]
      await copyToAdjustments.mutateAsync({ ...month, group: groupId, types })
      notifySuccess(`${displayMoney(accrual)} added to the adjustments for ${monthName}`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <CardBody>
      <Group gap="sm">
        <span>
          Accrual for {monthName}: <b>{displayMoney(accrual)}</b>
        </span>
        <Pill tone={isCurrent ? 'good' : isInLedger ? 'warn' : undefined}>
          {isCurrent ? 'in the adjustments' : isInLedger ? 'changed since it was added' : 'not in monitoring yet'}
        </Pill>
        {mayCopy && (
          <>
            {mayForecast && (
              <Checkbox
                label="Also in the forecast"
                checked={wantsForecast}
                disabled={isInForecast}
                onChange={(event) => setAsksForecast(event.currentTarget.checked)}
              />
            )}
            <Button disabled={isCurrent} loading={copyToAdjustments.isPending} onClick={() => void run()}>
              {isInLedger ? 'Update it' : 'Add to monitoring'}
            </Button>
          </>
        )}
      </Group>
    </CardBody>
  )
}
