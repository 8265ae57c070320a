import { Button, Checkbox, Chip, Group, Menu, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import clsx from 'clsx'
import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { calculatePercentOfBase } from '../../domain/monitoring/figures.ts'
import { type PayCause, payCauses } from '../../domain/payroll/causes/causes.ts'
import { type ColumnPay, payColumns } from '../../domain/payroll/employees.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, displayMoney, displayPercent, toPennies } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { useCoreData } from '../shell/core.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { findClosestElement } from '../ui/closestElement.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import type { TableColumn } from '../ui/table/columns.ts'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { findRowAfterKey } from '../ui/table/keys.ts'
import { usePrinting } from '../ui/table/usePrinting.ts'
import { CauseSearchProgress } from './CauseSearchProgress.tsx'
import classes from './Differences.module.css'
import { EmployeePayrollCodes } from './EmployeePayrollCodes.tsx'
import { CarryForwardDialog, EmployeeNoteDialog, ReplaceActualDialog } from './employeeDialogs.tsx'
import {
  employeeFilters as allFilters,
  type EmployeeDifference,
  type EmployeeFilter,
  formatEmployeeNames,
  getEmployeeName,
  matchesEmployeeFilter,
  type PayrollRow,
} from './employees.ts'
import type { ReconciliationChanges } from './reconciliationChanges.ts'
import type { CauseSearch } from './useCauseSearch.ts'

const statusNames: Record<EmployeeDifference['status'], string> = {
  matched: 'Matched',
  different: 'Different',
  onlyInBudget: 'Only in budget',
  onlyInPayroll: 'Only in payroll',
}
/** Employees shown per page. The largest differences come first. */
const pageSize = 100

/** The employees, with budget next to actual, from the largest difference to the smallest. */
export function DifferencesTable({
  employees,
  filters,
  tolerance,
  hasFile,
  changes,
  isReadOnly,
  causeSearch,
  isConsole,
  onNext,
}: {
  employees: readonly EmployeeDifference[]
  filters: readonly EmployeeFilter[]
  /** The difference in pounds up to which a row counts as matched. */
  tolerance: number
  hasFile: boolean
  changes: ReconciliationChanges
  isReadOnly: boolean
  causeSearch: CauseSearch
  isConsole: boolean
  onNext: () => void
}) {
  const { locations } = useCoreData()
  const shown = allFilters.filter(({ id }) => filters.includes(id))
  const [filter, setFilter] = useState<EmployeeFilter>(
    () => filters.find((id) => employees.some((one) => matchesEmployeeFilter(one, id))) ?? assertDefined(filters[0]),
  )
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [shownCount, setMost] = useState(pageSize)
  const most = usePrinting() ? employees.length : shownCount
  const [noting, setNoting] = useState<readonly EmployeeDifference[] | null>(null)
  const [carrying, setCarrying] = useState<EmployeeDifference | null>(null)
  const [typing, setTyping] = useState<PayrollRow | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** The focused employee and its index. */
  const focused = useRef<{ key: string; index: number } | null>(null)
  const list = employees.filter((one) => matchesEmployeeFilter(one, filter))
  const picked = list.filter((one) => chosen.has(one.key))
  const hidden = employees.filter((one) => one.status === 'matched' && one.difference !== 0)
  const hasPlaces = isConsole || new Set(employees.map((one) => one.locationId)).size > 1
  /** @param notice the notice of success; null if the action shows its own notice */
  const run = async (work: () => Promise<void>, notice: string | null): Promise<void> => {
    setBusy(true)
    try {
      await work()
      if (notice !== null) notifySuccess(notice)
      setChosen(new Set())
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  const toggled = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
    const next = new Set(set)
    if (!next.delete(key)) next.add(key)
    return next
  }
  const accept = (of: readonly EmployeeDifference[]): Promise<void> =>
    run(async () => {
      const bySentence = new Map<string, EmployeeDifference[]>()
      for (const one of of) {
        const sentence = one.explained?.explanations[0]?.sentence
        if (sentence) bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), one])
      }
      for (const [sentence, noted] of bySentence) await changes.saveNotes(noted, sentence)
    }, notices.savedNote)
  /**
   * Asks for confirmation if several people are missing from the file, because the file may be incomplete and the people may not have left.
   */
  const acceptAll = (of: readonly EmployeeDifference[]): void => {
    const missing = of.filter((one) => one.status === 'onlyInBudget')
    if (missing.length < 2) return void accept(of)
    modals.openConfirmModal({
      title: 'Is the payroll file complete?',
      children: (
        <Text size="sm">
          {displayCount(missing.length, 'employee is', 'employees are')} missing from the file: {formatEmployeeNames(missing)}. If the rest
          of the payroll is in another file, import that first. Accept the reasons only if none of them was paid this month.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'The file is complete: accept' },
      onConfirm: () => void accept(of),
    })
  }
  const carry = (of: readonly EmployeeDifference[]): Promise<void> =>
    run(() => changes.carryForward(of.map((one) => one.employeeNumber)), notices.carriedForward)
  const clearCarryForward = (of: readonly EmployeeDifference[]): Promise<void> =>
    run(async () => notifySuccess(notices.clearedCarryForward, await changes.clearCarryForward(of.map((one) => one.employeeNumber))), null)
  const chooseAll = (): void => setChosen(picked.length === list.length ? new Set() : new Set(list.map((one) => one.key)))
  /** If the focus is on a name, arrow keys move between employees and letters run the most common actions. */
  const press = (event: KeyboardEvent): void => {
    const button = findClosestElement(event.target, '[data-stop]')
    const key = button && employeeKeyAt(button)
    if (!key || event.ctrlKey || event.altKey || event.metaKey) return
    // Moving past the last row shown loads the next page.
    const next = findRowAfterKey(
      event.key,
      list.findIndex((one) => one.key === key),
      list.length,
    )
    if (next !== undefined && next >= most) flushSync(() => setMost(next + pageSize))
    if (next !== undefined) return
    const employee = list.find((one) => one.key === key)
    if (!employee || isReadOnly) return
    const does: Record<string, (() => void) | undefined> = {
      a: employee.explained?.explanations.length ? () => void accept([employee]) : undefined,
      c: () => void (employee.carriedForward === null ? carry([employee]) : clearCarryForward([employee])),
      e: () => setNoting([employee]),
      p: () => setCarrying(employee),
      x: () => (event.shiftKey ? chooseAll() : setChosen(toggled(chosen, employee.key))),
    }
    const work = does[event.key.toLowerCase()]
    if (!work) return
    event.preventDefault()
    work()
  }
  const proposed = new Map<PayCause, EmployeeDifference[]>()
  for (const one of list) {
    const cause = one.note ? undefined : one.explained?.explanations[0]?.cause
    if (cause) proposed.set(cause, [...(proposed.get(cause) ?? []), one])
  }
  const tableFrame = useRef<HTMLElement>(null)
  const notice = ({ target }: FocusEvent): void => {
    const key = employeeKeyAt(target)
    focused.current = key === undefined ? null : { key, index: list.findIndex((one) => one.key === key) }
  }
  // A resolved employee may leave the filtered list. If so, focus the next employee.
  useLayoutEffect(() => {
    if (!focused.current || document.activeElement !== document.body || list.some((one) => one.key === assertDefined(focused.current).key))
      return
    const buttons = tableFrame.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? []
    buttons[Math.min(focused.current.index, list.length - 1)]?.focus()
  })
  if (!hasFile)
    return (
      <Card>
        <EmptyState>
          <h2>No payroll for this month yet</h2>
          <p>Import your provider’s file in the previous step, to compare it with the budget.</p>
        </EmptyState>
      </Card>
    )
  const columns: TableColumn<EmployeeDifference>[] = [
    {
      id: 'employee',
      label: 'Employee',
      head: isReadOnly ? undefined : (
        <Checkbox
          label="Employee"
          aria-label="Choose all employees"
          checked={picked.length === list.length}
          indeterminate={picked.length > 0 && picked.length < list.length}
          tabIndex={-1}
          onChange={chooseAll}
        />
      ),
      cell: (one) => (
        <span className={classes.person}>
          {!isReadOnly && (
            <Checkbox
              tabIndex={-1}
              aria-label={`Choose ${getEmployeeName(one)}`}
              checked={chosen.has(one.key)}
              onChange={() => setChosen(toggled(chosen, one.key))}
            />
          )}
          <span>
            <button
              type="button"
              className={tableStyles.name}
              data-stop
              aria-expanded={opened.has(one.key)}
              onClick={() => setOpened(toggled(opened, one.key))}
            >
              {getEmployeeName(one)} {one.name && <span className={textStyles.dim}>{one.employeeNumber}</span>}
            </button>
            {hasPlaces && <div className={textStyles.dim}>{locations.find((location) => location.id === one.locationId)?.name}</div>}
          </span>
        </span>
      ),
    },
    {
      id: 'sides',
      label: '£',
      headProps: { 'aria-label': 'Budget or actual, in pounds' },
      cellProps: () => ({ className: classes.sides }),
      cell: () => (
        <>
          <div>Budget</div>
          <div>Actual</div>
        </>
      ),
    },
    ...payColumns.map(
      ({ id, name }): TableColumn<EmployeeDifference> => ({
        id,
        label: name,
        isFigure: true,
        className: classes.part,
        cell: ({ parts }) => <BothSides {...parts[id]} />,
      }),
    ),
    {
      id: 'total',
      label: 'Total',
      isFigure: true,
      cell: ({ calculated, actual }) => <BothSides calculated={calculated} actual={actual} isTotal />,
    },
    {
      id: 'broughtForward',
      label: 'Brought forward',
      isFigure: true,
      className: classes.part,
      cell: ({ broughtForward }) => (broughtForward ? displayFigure(broughtForward) : ''),
    },
    {
      id: 'difference',
      label: 'Difference',
      isFigure: true,
      cell: ({ difference, calculated }) => {
        const percent = difference === null || calculated === null ? null : calculatePercentOfBase(difference, calculated)
        return (
          <>
            {difference !== null && <div>{`${difference > 0 ? '+' : ''}${displayFigure(difference)}`}</div>}
            {percent !== null && <div className={textStyles.dim}>{displayPercent(percent)}</div>}
          </>
        )
      },
    },
    {
      id: 'carriedForward',
      label: 'Carried forward',
      isFigure: true,
      cell: ({ carriedForward }) => (carriedForward === null ? '' : displayFigure(carriedForward)),
    },
    {
      id: 'reason',
      label: 'Reason',
      cellProps: () => ({ className: classes.reason }),
      cell: ({ note, explained }) => {
        const proposal = explained?.explanations[0]
        return (
          <>
            {note ?? (proposal && <span className={textStyles.dim}>Proposed: {proposal.sentence}</span>)}
            {explained?.findings.map(({ sentence }) => (
              <div key={sentence}>Check: {sentence}</div>
            ))}
          </>
        )
      },
    },
    { id: 'status', label: 'Status', cell: ({ status }) => statusNames[status] },
  ]
  return (
    <>
      <Toolbar>
        <Chip.Group value={filter} onChange={(value) => setFilter(value)}>
          <div className={classes.chips}>
            {shown.map(({ id, name }) => {
              const matching = employees.filter((one) => matchesEmployeeFilter(one, id))
              const sum = matching.reduce((total, one) => total + (one.difference ?? 0), 0)
              return (
                <Chip key={id} value={id} disabled={!matching.length && filter !== id}>
                  {`${name} ${matching.length}${sum ? ` · ${displayMoney(sum)}` : ''}`}
                </Chip>
              )
            })}
          </div>
        </Chip.Group>
      </Toolbar>
      {!isReadOnly && (
        <Toolbar>
          {proposed.size > 0 && (
            <Menu position="bottom-start">
              <Menu.Target>
                <Button variant="default" disabled={isBusy}>
                  Accept reasons
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {payCauses.flatMap(({ id, name }) => {
                  const explained = proposed.get(id)
                  return explained
                    ? [
                        <Menu.Item key={id} onClick={() => acceptAll(explained)}>
                          {name}: {displayCount(explained.length, 'employee')}
                        </Menu.Item>,
                      ]
                    : []
                })}
              </Menu.Dropdown>
            </Menu>
          )}
          <Button variant="default" disabled={!picked.length || isBusy} onClick={() => setNoting(picked)}>
            Add note to selected
          </Button>
          <Button variant="default" disabled={!picked.length || isBusy} onClick={() => void carry(picked)}>
            Carry selected forward
          </Button>
          {picked.length > 0 && <span className={textStyles.dim}>{displayCount(picked.length, 'employee')} chosen</span>}
        </Toolbar>
      )}
      <CauseSearchProgress search={causeSearch} />
      <p className={textStyles.since} role="status">
        {tolerance > 0 && hidden.length > 0 && (
          <span>
            The tolerance of {displayMoney(toPennies(tolerance))} hides {displayCount(hidden.length, 'employee')} with a total difference of{' '}
            {displayMoney(hidden.reduce((sum, one) => sum + (one.difference ?? 0), 0))}.
          </span>
        )}
      </p>
      {list.length === 0 ? (
        <Card>
          <EmptyState>No employees here. Choose another filter or continue.</EmptyState>
        </Card>
      ) : (
        <Card ref={tableFrame} className={clsx(scrollStyles.scroll, classes.frame)} aria-label="Employees">
          <DataTable
            isTight
            isHeadSticky
            className={classes.table}
            arrowKeyStops="rows"
            onKeyDown={press}
            onFocus={notice}
            columns={columns}
            rows={list.slice(0, most)}
            keyOf={({ key }) => key}
            rowProps={({ key }) => ({ 'data-employee': key })}
            below={(one) =>
              opened.has(one.key) && (
                <EmployeePayrollCodes
                  employee={one}
                  isReadOnly={isReadOnly}
                  isBusy={isBusy}
                  onAccept={(sentence) => void run(() => changes.saveNotes([one], sentence), notices.savedNote)}
                  onNote={() => setNoting([one])}
                  onType={setTyping}
                  onCarryAmount={() => setCarrying(one)}
                  onCarry={() => void (one.carriedForward === null ? carry([one]) : clearCarryForward([one]))}
                />
              )
            }
          />
        </Card>
      )}
      <p className={textStyles.since}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> opens the codes
          {!isReadOnly && (
            <>
              , <kbd>A</kbd> accepts the reason, <kbd>C</kbd> carries forward, <kbd>P</kbd> carries a part forward, <kbd>E</kbd> adds a
              note, <kbd>X</kbd> selects, with Shift all
            </>
          )}
          .
        </span>
      </p>
      <Group justify="space-between" mt="md">
        {list.length > most ? (
          <Button variant="default" onClick={() => setMost(most + pageSize)}>
            Show {Math.min(pageSize, list.length - most)} more of {list.length}
          </Button>
        ) : (
          <span />
        )}
        <Button onClick={onNext}>Next</Button>
      </Group>
      {noting && <EmployeeNoteDialog employees={noting} changes={changes} onClose={() => setNoting(null)} />}
      {carrying && <CarryForwardDialog employee={carrying} changes={changes} onClose={() => setCarrying(null)} />}
      {typing && <ReplaceActualDialog row={typing} changes={changes} onClose={() => setTyping(null)} />}
    </>
  )
}

/** Returns the key of the employee whose row, or whose payroll codes, contain an element. */
const employeeKeyAt = (target: EventTarget): string | undefined =>
  findClosestElement(target, 'tbody')?.querySelector<HTMLElement>('[data-employee]')?.dataset.employee

/** Shows the budgeted amount above the actual amount. The cell is blank if the component has neither. */
function BothSides({ calculated, actual, isTotal = false }: ColumnPay & { isTotal?: boolean }) {
  const isEmpty = !isTotal && actual === null && calculated === 0
  return (
    <>
      <div>
        {calculated === null ? <span className={textStyles.missing}>not calculated</span> : isEmpty ? '\u00a0' : displayFigure(calculated)}
      </div>
      <div className={clsx(actual !== calculated && !isEmpty && classes.other)}>{actual === null ? '\u00a0' : displayFigure(actual)}</div>
    </>
  )
}
