import { Menu, TextInput } from '@mantine/core'
import { IconGripVertical, IconPlus } from '@tabler/icons-react'
import clsx from 'clsx'
import { type KeyboardEvent, useState } from 'react'
import { type CalculatorRow, calculatorRowKind, type RowsCalculation } from '../../../domain/calculation/nonStaffing/calculator.ts'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayFigure } from '../../../domain/values/format.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import pillStyles from '../../ui/labels/Pill.module.css'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import { YearTotalCells } from '../budgetEntryState.tsx'
import rowsStyles from '../rows.module.css'
import { useRowKeys } from '../useRowKeys.ts'

/** The kinds of rows, most used first, with what each kind is for. */
const rowKinds: [number, string][] = [
  [calculatorRowKind.criteria, 'a number: pupils, days, staff, square metres'],
  [calculatorRowKind.amount, 'pounds, multiplied by the criteria above'],
  [calculatorRowKind.inflation, 'how the amounts increase, per cent a year'],
  [calculatorRowKind.fixedInput, 'a figure used as entered'],
  [calculatorRowKind.subtotal, 'the sum since the last subtotal'],
  [calculatorRowKind.total, 'the sum of everything'],
  [calculatorRowKind.period, 'twelve weights that spread the amount over the year'],
  [calculatorRowKind.description, 'text only'],
]

const hasYears = (kind: number): boolean =>
  kind === calculatorRowKind.criteria || kind === calculatorRowKind.fixedInput || kind === calculatorRowKind.inflation
const hasValue = (kind: number): boolean =>
  kind === calculatorRowKind.criteria || kind === calculatorRowKind.fixedInput || kind === calculatorRowKind.amount
/** Whether rows of a kind summarise or describe other rows and have no figure that a user enters. */
const isHeading = (kind: number): boolean =>
  kind === calculatorRowKind.subtotal || kind === calculatorRowKind.total || kind === calculatorRowKind.description

export function createCalculatorRow(kind: number): CalculatorRow {
  return { kind, description: null, value: null, years: [], periods: kind === calculatorRowKind.period ? Array<number>(12).fill(1) : [] }
}

/** The rows of a calculation with their results, reordered by dragging or with Alt and the arrow keys. */
export function CalculatorRows({
  rows,
  worked,
  years,
  startMonth,
  onChange,
  disabled = false,
  error,
}: {
  rows: CalculatorRow[]
  worked: RowsCalculation
  years: string[]
  startMonth: number
  onChange: (rows: CalculatorRow[]) => void
  disabled?: boolean
  error?: (field: string) => string | undefined
}) {
  const [dragged, setDragged] = useState<number | null>(null)
  const keys = useRowKeys(rows.length)
  const set = (index: number, part: Partial<CalculatorRow>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= rows.length || from === to) return
    const next = [...rows]
    const [row] = next.splice(from, 1)
    next.splice(to, 0, assertDefined(row))
    keys.move(from, to)
    onChange(next)
  }
  const remove = (index: number): void => {
    keys.remove(index)
    onChange(rows.filter((_row, at) => at !== index))
  }
  const press = (event: KeyboardEvent, index: number): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(index, index + (event.key === 'ArrowUp' ? -1 : 1))
  }
  const yearCell = (row: CalculatorRow, index: number, year: number) => {
    const label = `${getLookupName('budgetEntryTypes', row.kind)} ${years[year]}, row ${index + 1}`
    if (row.kind === calculatorRowKind.inflation && year === 0) return <span className={textStyles.dim}>as entered</span>
    if (hasYears(row.kind))
      return (
        <NumberField
          aria-label={label}
          size="xs"
          value={row.years[year]}
          placeholder={row.value === null ? undefined : String(row.value)}
          onChange={(value) => {
            const next = Array.from({ length: years.length }, (_unused, at) => row.years[at] ?? null)
            next[year] = value
            set(index, { years: next })
          }}
          suffix={row.kind === calculatorRowKind.inflation ? '%' : undefined}
          thousandSeparator=","
          decimalScale={row.kind === calculatorRowKind.fixedInput ? 2 : 6}
          hideControls
          disabled={disabled}
          styles={{ input: { textAlign: 'right' } }}
        />
      )
    const figures = worked.rows[index]?.years
    if (!figures) return null
    const amount = figures[year] ?? null
    return amount === null ? <span className={textStyles.missing}>not calculated</span> : displayFigure(amount)
  }
  return (
    <div className={rowsStyles.calculator}>
      <FieldTable
        headings={[
          { label: '', name: 'Order' },
          { label: 'Row' },
          { label: 'Value' },
          ...years.map((year) => ({ label: year, isFigure: true })),
          { label: '', name: 'Remove' },
        ]}
      >
        {rows.map((row, index) => (
          <tr
            key={keys.of(index)}
            className={row.kind === calculatorRowKind.subtotal || row.kind === calculatorRowKind.total ? rowsStyles.sum : undefined}
            data-dragged={dragged === index || undefined}
            onKeyDown={(event) => press(event, index)}
            onDragOver={(event) => {
              if (dragged === null) return
              event.preventDefault()
              if (dragged !== index) {
                move(dragged, index)
                setDragged(index)
              }
            }}
          >
            <td>
              {!disabled && (
                <span
                  className={rowsStyles.grip}
                  draggable
                  onDragStart={() => setDragged(index)}
                  onDragEnd={() => setDragged(null)}
                  title="Drag to move, or press Alt with an arrow key"
                >
                  <IconGripVertical size={15} />
                </span>
              )}
            </td>
            <td>
              <TextInput
                aria-label={`Description of row ${index + 1}`}
                size="xs"
                classNames={isHeading(row.kind) ? { input: rowsStyles.words } : undefined}
                value={row.description ?? ''}
                placeholder={getLookupName('budgetEntryTypes', row.kind)}
                onChange={(event) => set(index, { description: event.currentTarget.value || null })}
                maxLength={200}
                disabled={disabled}
                error={worked.rows[index]?.problem ?? error?.(`rows.${index}`)}
                description={row.description ? getLookupName('budgetEntryTypes', row.kind) : undefined}
                inputWrapperOrder={['input', 'description', 'error']}
              />
            </td>
            <td>
              {hasValue(row.kind) && (
                <NumberField
                  aria-label={`${getLookupName('budgetEntryTypes', row.kind)}, row ${index + 1}`}
                  size="xs"
                  value={row.value}
                  onChange={(value) => set(index, { value })}
                  prefix={row.kind === calculatorRowKind.criteria ? undefined : '£'}
                  thousandSeparator=","
                  decimalScale={row.kind === calculatorRowKind.criteria ? 6 : row.kind === calculatorRowKind.amount ? 6 : 2}
                  hideControls
                  disabled={disabled}
                  styles={{ input: { textAlign: 'right' } }}
                />
              )}
            </td>
            {row.kind === calculatorRowKind.period ? (
              <td colSpan={years.length}>
                <div className={rowsStyles.weights}>
                  {row.periods.map((weight, period) => (
                    <NumberField
                      key={period}
                      size="xs"
                      label={formatPeriodMonth(startMonth, period + 1).slice(0, 3)}
                      aria-label={`Weight of ${formatPeriodMonth(startMonth, period + 1)}`}
                      value={weight}
                      onChange={(value) =>
                        set(index, { periods: row.periods.map((one, at) => (at === period ? Number(value || 0) : one)) })
                      }
                      min={0}
                      hideControls
                      disabled={disabled}
                    />
                  ))}
                </div>
              </td>
            ) : (
              years.map((name, year) => (
                <td key={name} className={rowsStyles.num}>
                  {yearCell(row, index, year)}
                </td>
              ))
            )}
            <td>{!disabled && <RemoveButton label={`Remove row ${index + 1}`} onRemove={() => remove(index)} />}</td>
          </tr>
        ))}
        <tr className={rowsStyles.sum}>
          <td />
          <td colSpan={2}>Goes to the budget</td>
          <YearTotalCells years={years} total={worked.total} />
          <td />
        </tr>
      </FieldTable>
      {!disabled && (
        <div className={cardStyles.foot}>
          <Menu position="top-start" width={380}>
            <Menu.Target>
              <button type="button" className={clsx(pillStyles.pill, pillStyles.good)}>
                <IconPlus size={13} /> Add row
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              {rowKinds.map(([kind, purpose]) => (
                <Menu.Item key={kind} onClick={() => onChange([...rows, createCalculatorRow(kind)])}>
                  {getLookupName('budgetEntryTypes', kind)} <span className={textStyles.dim}>{purpose}</span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </div>
  )
}
