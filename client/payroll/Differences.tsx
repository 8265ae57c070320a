import { Button, Checkbox, Chip, Group, Menu } from '@mantine/core'
import clsx from 'clsx'
import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { percentOfBase } from '../../domain/monitoring/figures.ts'
import { type PayCause, payCauses } from '../../domain/payroll/causes/causes.ts'
import { type PartPay, payParts } from '../../domain/payroll/employees.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, displayMoney, displayPercent, toPennies } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { useCore } from '../shell/core.ts'
import { failed, said } from '../shell/notify.tsx'
import { around } from '../ui/around.ts'
import { Empty } from '../ui/Empty.tsx'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Tools } from '../ui/layout/Tools.tsx'
import { rowAfter, useOneStop } from '../ui/rows/walked.ts'
import { CauseSearch } from './CauseSearch.tsx'
import { ActualDialog, CarryDialog, NoteDialog } from './Dialogs.tsx'
import classes from './Differences.module.css'
import { EmployeeCodes } from './EmployeeCodes.tsx'
import { filters as allFilters, type Employee, type Filter, nameOf, type PayrollRow, passes } from './employees.ts'
import type { Changes } from './level.ts'
import type { Search } from './useCauses.ts'

const statusNames: Record<Employee['status'], string> = {
  matched: 'Matched',
  different: 'Different',
  onlyInBudget: 'Only in budget',
  onlyInPayroll: 'Only in payroll',
}
/** Employees shown per page, largest differences first. */
const page = 100

/** Employees with budget beside actual, to work through from the largest difference down. */
export function Differences({
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
  employees: readonly Employee[]
  filters: readonly Filter[]
  /** Pounds up to which a row counts as matched. */
  tolerance: number
  hasFile: boolean
  changes: Changes
  isReadOnly: boolean
  causeSearch: Search
  isConsole: boolean
  onNext: () => void
}) {
  const { locations } = useCore()
  const shown = allFilters.filter(({ id }) => filters.includes(id))
  const [filter, setFilter] = useState<Filter>(
    () => filters.find((id) => employees.some((one) => passes(one, id))) ?? assertDefined(filters[0]),
  )
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [most, setMost] = useState(page)
  const [noting, setNoting] = useState<readonly Employee[] | null>(null)
  const [carrying, setCarrying] = useState<Employee | null>(null)
  const [typing, setTyping] = useState<PayrollRow | null>(null)
  const [isBusy, setBusy] = useState(false)
  const table = useRef<HTMLTableElement>(null)
  /** The focused employee and its index. */
  const at = useRef<{ key: string; index: number } | null>(null)
  const list = employees.filter((one) => passes(one, filter))
  const picked = list.filter((one) => chosen.has(one.key))
  const hidden = employees.filter((one) => one.status === 'matched' && one.difference !== 0)
  const hasPlaces = isConsole || new Set(employees.map((one) => one.locationId)).size > 1
  /** @param notice null if the action shows its own notice */
  const run = async (work: () => Promise<void>, notice: string | null): Promise<void> => {
    setBusy(true)
    try {
      await work()
      if (notice !== null) said(notice)
      setChosen(new Set())
    } catch (error) {
      failed(error)
    }
    setBusy(false)
  }
  const toggled = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
    const next = new Set(set)
    if (!next.delete(key)) next.add(key)
    return next
  }
  const accept = (of: readonly Employee[]): Promise<void> =>
    run(async () => {
      const bySentence = new Map<string, Employee[]>()
      for (const one of of) {
        const sentence = one.explained?.explanations[0]?.sentence
        if (sentence) bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), one])
      }
      for (const [sentence, own] of bySentence) await changes.saveNotes(own, sentence)
    }, notices.savedNote)
  const carry = (of: readonly Employee[]): Promise<void> =>
    run(() => changes.carryForward(of.map((one) => one.employeeNumber)), notices.carriedForward)
  const uncarry = (of: readonly Employee[]): Promise<void> =>
    run(async () => said(notices.clearedCarryForward, await changes.clearCarryForward(of.map((one) => one.employeeNumber))), null)
  const chooseAll = (): void => setChosen(picked.length === list.length ? new Set() : new Set(list.map((one) => one.key)))
  /** With the focus on a name, arrow keys move between employees and letters run the common actions. */
  const press = (event: KeyboardEvent): void => {
    const button = around(event.target, 'button[data-row]')
    if (!button || event.ctrlKey || event.altKey || event.metaKey) return
    // Moving past the last row shown loads the next page.
    const next = rowAfter(event.key, buttonsOf().indexOf(button), list.length)
    if (next !== undefined) {
      event.preventDefault()
      if (next >= most) flushSync(() => setMost(next + page))
      buttonsOf()[next]?.focus()
      return
    }
    const employee = list.find((one) => one.key === button.dataset.row)
    if (!employee || isReadOnly) return
    const does: Record<string, (() => void) | undefined> = {
      a: employee.explained?.explanations.length ? () => void accept([employee]) : undefined,
      c: () => void (employee.carriedForward === null ? carry([employee]) : uncarry([employee])),
      e: () => setNoting([employee]),
      p: () => setCarrying(employee),
      x: () => (event.shiftKey ? chooseAll() : setChosen(toggled(chosen, employee.key))),
    }
    const work = does[event.key.toLowerCase()]
    if (!work) return
    event.preventDefault()
    work()
  }
  const proposed = new Map<PayCause, Employee[]>()
  for (const one of list) {
    const cause = one.note ? undefined : one.explained?.explanations[0]?.cause
    if (cause) proposed.set(cause, [...(proposed.get(cause) ?? []), one])
  }
  const buttonsOf = (): HTMLElement[] => [...(table.current?.querySelectorAll<HTMLElement>('button[data-row]') ?? [])]
  const stopAt = useOneStop(table, 'button[data-row]')
  const notice = (event: FocusEvent): void => {
    const { target } = event
    if (around(target, 'button[data-row]')) stopAt(event)
    const row = around(target, 'tbody')?.querySelector<HTMLElement>('button[data-row]')
    at.current = row ? { key: assertDefined(row.dataset.row), index: buttonsOf().indexOf(row) } : null
  }
  // A resolved employee may leave the filtered list: then focus the next one.
  useLayoutEffect(() => {
    if (!at.current || document.activeElement !== document.body || list.some((one) => one.key === assertDefined(at.current).key)) return
    buttonsOf()[Math.min(at.current.index, list.length - 1)]?.focus()
  })
  if (!hasFile)
    return (
      <Card>
        <Empty>
          <h2>No payroll of this month yet</h2>
          <p>Import what your provider paid, in the step before. Until then there is nothing to compare the budget with.</p>
        </Empty>
      </Card>
    )
  return (
    <>
      <Tools>
        <Chip.Group value={filter} onChange={(value) => setFilter(value)}>
          <div className={classes.chips}>
            {shown.map(({ id, name }) => {
              const own = employees.filter((one) => passes(one, id))
              const sum = own.reduce((total, one) => total + (one.difference ?? 0), 0)
              return (
                <Chip key={id} value={id} disabled={!own.length && filter !== id}>
                  {`${name} ${own.length}${sum ? ` · ${displayMoney(sum)}` : ''}`}
                </Chip>
              )
            })}
          </div>
        </Chip.Group>
      </Tools>
      {!isReadOnly && (
        <Tools>
          {proposed.size > 0 && (
            <Menu position="bottom-start">
              <Menu.Target>
                <Button variant="default" disabled={isBusy}>
                  Accept reasons
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {payCauses.flatMap(({ id, name }) => {
                  const own = proposed.get(id)
                  return own
                    ? [
                        <Menu.Item key={id} onClick={() => void accept(own)}>
                          {name}: {displayCount(own.length, 'employee')}
                        </Menu.Item>,
                      ]
                    : []
                })}
              </Menu.Dropdown>
            </Menu>
          )}
          <Button variant="default" disabled={!picked.length || isBusy} onClick={() => setNoting(picked)}>
            Note on chosen
          </Button>
          <Button variant="default" disabled={!picked.length || isBusy} onClick={() => void carry(picked)}>
            Carry chosen forward
          </Button>
          {picked.length > 0 && <span className={textStyles.dim}>{displayCount(picked.length, 'employee')} chosen</span>}
        </Tools>
      )}
      <CauseSearch search={causeSearch} />
      <p className={textStyles.since} role="status">
        {tolerance > 0 && hidden.length > 0 && (
          <span>
            The tolerance of {displayMoney(toPennies(tolerance))} hides {displayCount(hidden.length, 'employee')},{' '}
            {displayMoney(hidden.reduce((sum, one) => sum + (one.difference ?? 0), 0))}.
          </span>
        )}
      </p>
      {list.length === 0 ? (
        <Card>
          <Empty>Nobody: choose another chip, or go on.</Empty>
        </Card>
      ) : (
        <Card className={clsx(scrollStyles.scroll, classes.frame)} aria-label="Employees">
          <Figures isTight ref={table} onKeyDown={press} onFocus={notice} className={classes.table}>
            <thead>
              <tr>
                <th scope="col">
                  {isReadOnly ? (
                    'Employee'
                  ) : (
                    <Checkbox
                      label="Employee"
                      aria-label="Choose all employees"
                      checked={picked.length === list.length}
                      indeterminate={picked.length > 0 && picked.length < list.length}
                      tabIndex={-1}
                      onChange={chooseAll}
                    />
                  )}
                </th>
                <th scope="col" className={figuresStyles.text} aria-label="Of, in pounds">
                  £
                </th>
                {payParts.map(({ id, name }) => (
                  <th key={id} scope="col" className={classes.part}>
                    {name}
                  </th>
                ))}
                <th scope="col">Total</th>
                <th scope="col" className={classes.part}>
                  Brought forward
                </th>
                <th scope="col">Difference</th>
                <th scope="col">Carried forward</th>
                <th scope="col" className={figuresStyles.text}>
                  Reason
                </th>
                <th scope="col" className={figuresStyles.text}>
                  Status
                </th>
              </tr>
            </thead>
            {list.slice(0, most).map((one) => {
              const isOpen = opened.has(one.key)
              const percent = one.difference === null || one.calculated === null ? null : percentOfBase(one.difference, one.calculated)
              const proposal = one.explained?.explanations[0]
              return (
                <tbody key={one.key}>
                  <tr>
                    <th scope="row">
                      <span className={classes.person}>
                        {!isReadOnly && (
                          <Checkbox
                            tabIndex={-1}
                            aria-label={`Choose ${nameOf(one)}`}
                            checked={chosen.has(one.key)}
                            onChange={() => setChosen(toggled(chosen, one.key))}
                          />
                        )}
                        <span>
                          <button
                            type="button"
                            className={figuresStyles.name}
                            data-row={one.key}
                            aria-expanded={isOpen}
                            onClick={() => setOpened(toggled(opened, one.key))}
                          >
                            {nameOf(one)} {one.name && <span className={textStyles.dim}>{one.employeeNumber}</span>}
                          </button>
                          {hasPlaces && (
                            <div className={textStyles.dim}>{locations.find((place) => place.id === one.locationId)?.name}</div>
                          )}
                        </span>
                      </span>
                    </th>
                    <td className={classes.sides}>
                      <div>Budget</div>
                      <div>Actual</div>
                    </td>
                    {payParts.map(({ id }) => (
                      <td key={id} className={classes.part}>
                        <BothSides {...one.parts[id]} />
                      </td>
                    ))}
                    <td>
                      <BothSides calculated={one.calculated} actual={one.actual} isTotal />
                    </td>
                    <td className={classes.part}>{one.broughtForward ? displayFigure(one.broughtForward) : ''}</td>
                    <td>
                      {one.difference !== null && <div>{`${one.difference > 0 ? '+' : ''}${displayFigure(one.difference)}`}</div>}
                      {percent !== null && <div className={textStyles.dim}>{displayPercent(percent)}</div>}
                    </td>
                    <td>{one.carriedForward === null ? '' : displayFigure(one.carriedForward)}</td>
                    <td className={classes.reason}>
                      {one.note ?? (proposal && <span className={textStyles.dim}>Proposed: {proposal.sentence}</span>)}
                      {one.explained?.findings.map(({ sentence }) => (
                        <div key={sentence}>Check: {sentence}</div>
                      ))}
                    </td>
                    <td className={figuresStyles.text}>{statusNames[one.status]}</td>
                  </tr>
                  {isOpen && (
                    <EmployeeCodes
                      employee={one}
                      isReadOnly={isReadOnly}
                      isBusy={isBusy}
                      onAccept={(sentence) => void run(() => changes.saveNotes([one], sentence), notices.savedNote)}
                      onNote={() => setNoting([one])}
                      onType={setTyping}
                      onCarryAmount={() => setCarrying(one)}
                      onCarry={() => void (one.carriedForward === null ? carry([one]) : uncarry([one]))}
                    />
                  )}
                </tbody>
              )
            })}
          </Figures>
        </Card>
      )}
      <p className={textStyles.since}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> from one to the next, <kbd>Enter</kbd> opens the codes
          {!isReadOnly && (
            <>
              , <kbd>A</kbd> accepts the reason, <kbd>C</kbd> carries forward, <kbd>P</kbd> a part, <kbd>E</kbd> writes a note, <kbd>X</kbd>{' '}
              chooses, with Shift all
            </>
          )}
          .
        </span>
      </p>
      <Group justify="space-between" mt="md">
        {list.length > most ? (
          <Button variant="default" onClick={() => setMost(most + page)}>
            Show {Math.min(page, list.length - most)} more of {list.length}
          </Button>
        ) : (
          <span />
        )}
        <Button onClick={onNext}>Next</Button>
      </Group>
      {noting && <NoteDialog employees={noting} changes={changes} onClose={() => setNoting(null)} />}
      {carrying && <CarryDialog employee={carrying} changes={changes} onClose={() => setCarrying(null)} />}
      {typing && <ActualDialog row={typing} changes={changes} onClose={() => setTyping(null)} />}
    </>
  )
}

/** Budget above actual. Blank if neither has a value for this component. */
function BothSides({ calculated, actual, isTotal = false }: PartPay & { isTotal?: boolean }) {
  const isNothing = !isTotal && actual === null && calculated === 0
  return (
    <>
      <div>
        {calculated === null ? (
          <span className={textStyles.missing}>not calculated</span>
        ) : isNothing ? (
          '\u00a0'
        ) : (
          displayFigure(calculated)
        )}
      </div>
      <div className={clsx(actual !== calculated && !isNothing && classes.other)}>{actual === null ? '\u00a0' : displayFigure(actual)}</div>
    </>
  )
}
