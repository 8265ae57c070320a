import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react'
import type { CalculatedFundingRow, FundingCalculation, FundingRow } from '../../../domain/calculation/nonStaffing/funding.ts'
import { findFundingCategory } from '../../../domain/calculation/nonStaffing/fundingCategories.ts'
import { getLookupName, lookups } from '../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayFigure, toPennies } from '../../../domain/values/format.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import pillStyles from '../../ui/labels/Pill.module.css'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import { YearTotalCells } from '../budgetEntryState.tsx'
import rowsStyles from '../rows.module.css'
import { useRowKeys } from '../useRowKeys.ts'

const kinds: [FundingRow['kind'], string][] = [
  ['Stream', 'pupils in a category multiplied by their rate'],
  ['Type', 'group heading'],
  ['SubTotal', 'group total'],
  ['Inflation', 'how rates increase in later years'],
  ['Description', 'text only'],
  ['Total', 'grand total'],
]
const categories = lookups.localAuthorityFundingRateCategories.map((item) => ({ value: String(item.id), label: item.name }))
const amountStyles = { input: { textAlign: 'right' as const, width: 82, marginLeft: 'auto' } }

/** Notes about the figures of a funding stream. */
function Remarks({ problem, isLeftOut }: FundingCalculation['rows'][number]) {
  return (
    <>
      {problem && <div className={textStyles.up}>{problem}</div>}
      {isLeftOut && <div className={textStyles.dim}>left out until a number is entered</div>}
    </>
  )
}

/** The rows of a prediction by year: the pupil numbers, and below them the amounts. */
export function FundingRows({
  rows,
  worked,
  years,
  tableYear,
  rates,
  onChange,
  disabled,
}: {
  rows: FundingRow[]
  worked: FundingCalculation
  years: string[]
  tableYear: number
  rates: Readonly<Record<number, number>>
  onChange: (rows: FundingRow[]) => void
  disabled: boolean
}) {
  const keys = useRowKeys(rows.length)
  const set = (index: number, part: Partial<FundingRow>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  const move = (index: number, by: number): void => {
    const next = [...rows]
    const [row] = next.splice(index, 1)
    next.splice(index + by, 0, assertDefined(row))
    keys.move(index, index + by)
    onChange(next)
  }
  const remove = (index: number): void => {
    keys.remove(index)
    onChange(rows.filter((_row, at) => at !== index))
  }
  const setYear = (index: number, year: number, value: number | null): void => {
    const next = Array.from({ length: years.length }, (_unused, at) => assertDefined(rows[index]).years[at] ?? null)
    next[year] = value
    set(index, { years: next })
  }
  const nameOf = (row: FundingRow): string =>
    row.description ?? getLookupName('localAuthorityFundingRateCategories', row.category ?? 0) ?? row.kind
  const rateOf = ({ category }: FundingRow): string => {
    const rate = rates[category ?? 0]
    return rate === undefined ? 'none' : displayFigure(toPennies(rate))
  }
  /** Whether any year has another rate than the rates column shows. */
  const hasOtherRates = (row: FundingRow, { rates: ofYears, isLeftOut }: CalculatedFundingRow): boolean => {
    const base = row.rate ?? rates[row.category ?? 0]
    return !isLeftOut && base !== undefined && (ofYears ?? []).some((rate) => rate !== toPennies(base))
  }
  const cell = (row: FundingRow, index: number, year: number) => {
    const calculatedRow = assertDefined(worked.rows[index])
    if (row.kind === 'Inflation')
      return year <= tableYear ? (
        <span className={textStyles.dim}>table</span>
      ) : (
        <NumberField
          size="xs"
          aria-label={`${nameOf(row)} ${years[year]}`}
          value={row.years[year]}
          onChange={(value) => setYear(index, year, value)}
          suffix="%"
          decimalScale={6}
          hideControls
          disabled={disabled}
          styles={amountStyles}
        />
      )
    if (row.kind === 'Stream') {
      const isTopUp = row.category !== null && findFundingCategory(row.category).counted === 'top-up'
      const number = calculatedRow.numbers?.[year] ?? null
      return (
        <>
          {!isTopUp && (
            <NumberField
              size="xs"
              aria-label={`${nameOf(row)} ${years[year]}`}
              value={row.years[year]}
              placeholder={number === null ? '' : String(number)}
              onChange={(value) => setYear(index, year, value)}
              decimalScale={6}
              min={0}
              hideControls
              disabled={disabled}
              styles={amountStyles}
            />
          )}
          {hasOtherRates(row, calculatedRow) && calculatedRow.rates?.[year] != null && (
            <div className={textStyles.dim}>
              {isTopUp ? 'up to' : '×'} {displayFigure(calculatedRow.rates[year])}
            </div>
          )}
          {!calculatedRow.isLeftOut &&
            (calculatedRow.years?.[year] == null ? (
              <span className={textStyles.missing}>not calculated</span>
            ) : (
              <div>{displayFigure(calculatedRow.years[year])}</div>
            ))}
        </>
      )
    }
    if (!calculatedRow.years) return null
    return calculatedRow.years[year] == null ? (
      <span className={textStyles.missing}>not calculated</span>
    ) : (
      displayFigure(calculatedRow.years[year])
    )
  }
  return (
    <div className={`${rowsStyles.calculator} ${rowsStyles.funding}`}>
      <FieldTable
        headings={[
          { label: 'Row' },
          { label: 'Rate', isFigure: true },
          ...years.map((year) => ({ label: year, isFigure: true })),
          { label: '', name: 'Order and remove' },
        ]}
      >
        {rows.map((row, index) => (
          <tr
            key={keys.of(index)}
            className={row.kind === 'Type' ? rowsStyles.head : row.kind === 'SubTotal' || row.kind === 'Total' ? rowsStyles.sum : undefined}
          >
            <td>
              {row.kind === 'Stream' ? (
                <>
                  <Choice
                    size="xs"
                    title={nameOf(row)}
                    aria-label={`Category of row ${index + 1}`}
                    data={categories}
                    value={row.category === null ? null : String(row.category)}
                    onChange={(value) => set(index, { category: value === null ? null : Number(value) })}
                    disabled={disabled}
                  />
                  <Remarks {...assertDefined(worked.rows[index])} />
                </>
              ) : disabled ? (
                (row.description ?? row.kind)
              ) : (
                <TextInput
                  size="xs"
                  classNames={{ input: rowsStyles.words }}
                  aria-label={`Description of row ${index + 1}`}
                  value={row.description ?? ''}
                  placeholder={row.kind}
                  onChange={(event) => set(index, { description: event.currentTarget.value || null })}
                  maxLength={200}
                />
              )}
            </td>
            <td className={rowsStyles.num}>
              {row.kind === 'Stream' && (
                <NumberField
                  size="xs"
                  aria-label={`Rate for ${nameOf(row)}`}
                  value={row.rate}
                  placeholder={rateOf(row)}
                  onChange={(value) => set(index, { rate: value })}
                  thousandSeparator=","
                  decimalScale={2}
                  hideControls
                  disabled={disabled}
                  styles={{ input: { textAlign: 'right', width: 96, marginLeft: 'auto' } }}
                />
              )}
            </td>
            {years.map((name, year) => (
              <td key={name} className={rowsStyles.num}>
                {cell(row, index, year)}
              </td>
            ))}
            <td>
              {!disabled && (
                <span style={{ display: 'inline-flex' }}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Move row ${index + 1} up`}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Move row ${index + 1} down`}
                    disabled={index === rows.length - 1}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={14} />
                  </ActionIcon>
                  <RemoveButton size="sm" label={`Remove row ${index + 1}`} onRemove={() => remove(index)} />
                </span>
              )}
            </td>
          </tr>
        ))}
        <tr className={rowsStyles.sum}>
          <td colSpan={2}>Goes to the budget</td>
          <YearTotalCells years={years} total={worked.total} />
          <td />
        </tr>
      </FieldTable>
      {!disabled && (
        <div className={cardStyles.foot}>
          <Menu position="top-start" width={320}>
            <Menu.Target>
              <button type="button" className={`${pillStyles.pill} ${pillStyles.good}`}>
                <IconPlus size={13} /> Add row
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              {kinds.map(([kind, purpose]) => (
                <Menu.Item
                  key={kind}
                  onClick={() =>
                    onChange([...rows, { kind, category: kind === 'Stream' ? 40 : null, description: null, years: [], rate: null }])
                  }
                >
                  {kind} <span className={textStyles.dim}>{purpose}</span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </div>
  )
}
