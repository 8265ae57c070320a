import { Fragment } from 'react'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { type Field, type FieldKind, getNumberUnit } from '../../../domain/resources/fields.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { requireShares } from '../../../domain/resources/shares.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDate, displayDateTime, displayFigure, displayWithUnit, formatRelativeDay } from '../../../domain/values/format.ts'
import { requireNumber, requireNumbers, requireRecords, requireText } from '../../../domain/values/unknownValues.ts'
import { Chip } from '../../ui/labels/Chip.tsx'
import textStyles from '../../ui/labels/text.module.css'
import type { TableColumn } from '../../ui/table/columns.ts'
import { useRecordNames } from '../resourceApi.ts'
import { RecordTag } from '../Tag.tsx'

/** Shows the names of referenced records in a cell. */
export function RecordNames({ to, ids, chips }: { to: string; ids: number[]; chips?: boolean }) {
  const names = useRecordNames(to, ids)
  const called = ids.map((id) => names.get(id)?.name ?? '…')
  return chips ? <Chips names={called} /> : called.join(', ')
}

/** Shows the first few names as chips, and the number of other names. */
function Chips({ names }: { names: readonly string[] }) {
  return (
    <span title={names.join(', ')}>
      {names.slice(0, 2).map((name, index) => (
        <Chip key={index}>{name}</Chip>
      ))}
      {names.length > 2 && <span className={textStyles.dim}>and {names.length - 2} more</span>}
    </span>
  )
}

const widths: Record<FieldKind, Partial<TableColumn<AnyRecord>>> = {
  text: { minWidth: 110, flex: 1.4 },
  longText: { flex: 2 },
  richText: { flex: 2 },
  integer: { minWidth: 90, flex: 0.6 },
  money: { minWidth: 110, flex: 0.8 },
  percent: { minWidth: 90, flex: 0.6 },
  decimal: { minWidth: 90, flex: 0.7 },
  date: { minWidth: 124, flex: 0.8 },
  dateTime: { minWidth: 166, flex: 0.9 },
  flag: { width: 100, flex: 0.6 },
  choice: { minWidth: 110, flex: 0.9 },
  flags: { minWidth: 180, flex: 1.2 },
  choices: { minWidth: 180, flex: 2 },
  rates: { minWidth: 220, flex: 1.4 },
  image: { width: 100 },
  reference: { minWidth: 130, flex: 1 },
  references: { minWidth: 180, flex: 1.3 },
  point: { minWidth: 130, flex: 1 },
  shares: { minWidth: 140, flex: 1.3 },
  rows: { width: 100 },
  colour: { width: 120 },
}

/** An email address that can break before its @ if the column is narrow. */
function EmailAddress({ email: address }: { email: string }) {
  const [name, ...domain] = address.split('@')
  return (
    <>
      {name}
      {domain.map((part) => (
        <Fragment key={part}>
          @<wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

const email: Partial<TableColumn<AnyRecord>> = { minWidth: 140, flex: 1.8 }

/** The column with the description of a code. */
const descriptionColumn: Partial<TableColumn<AnyRecord>> = { minWidth: 200, flex: 2.6 }

const numeric: FieldKind[] = ['integer', 'money', 'percent', 'decimal']

function renderFieldValue(field: Field, value: unknown, record: Readonly<Record<string, unknown>>) {
  if (value === null || value === undefined || value === '') return null
  switch (field.kind) {
    case 'money':
      return displayFigure(Math.round(Number(value) * 100))
    case 'percent':
      return `${value}%`
    case 'decimal': {
      const unit = getNumberUnit(field, record)
      return unit ? displayWithUnit(Number(value), unit) : String(value)
    }
    case 'date':
      return displayDate(String(value))
    case 'flag':
      return value ? 'Yes' : 'No'
    case 'choice':
      return <Chip>{lookups[field.lookup].find((item) => item.id === value)?.name}</Chip>
    case 'flags':
      return lookups[field.lookup].filter((item) => Number(value) & item.id).map((item) => <Chip key={item.id}>{item.name}</Chip>)
    case 'dateTime':
      return displayDateTime(String(value))
    case 'choices':
      return <Chips names={requireRecords(value).map((item) => requireText(item.name))} />
    case 'rates':
      return requireNumbers(value)
        .map((rate) => `${rate}%`)
        .join(', ')
    case 'point':
    case 'reference':
      return <RecordNames to={field.to} ids={[requireNumber(value)]} />
    case 'shares':
      return <RecordNames to={field.to} ids={requireShares(value).map((share) => share.fundCodeId)} chips />
    case 'references':
      return requireNumbers(value).length ? (
        <RecordNames to={field.to} ids={requireNumbers(value)} chips />
      ) : (
        <span className={textStyles.dim}>{field.to === 'location' ? 'All' : ''}</span>
      )
    case 'colour':
      return (
        <>
          <span
            aria-hidden
            style={{
              display: 'inline-block',
              width: 12,
              height: 12,
              borderRadius: 3,
              background: `#${value}`,
              border: '1px solid var(--line)',
              marginRight: 6,
            }}
          />
          {String(value)}
        </>
      )
    case 'text':
      return field.format === 'email' ? <EmailAddress email={String(value)} /> : String(value)
    default:
      return String(value)
  }
}

/**
 * Creates the list columns of a resource in declared order, without hidden coding schemes and with the creation date last (behaviours B-078
 * and B-098).
 */
export function createListColumns(
  resource: AnyResource,
  isHidden: (field: Field) => boolean,
  fixed: readonly string[],
): TableColumn<AnyRecord>[] {
  const columns = resource.grid
    .filter((name) => !isHidden(assertDefined(resource.fields[name])) && !fixed.includes(name))
    .map((name): TableColumn<AnyRecord> => {
      const field = assertDefined(resource.fields[name])
      const right = numeric.includes(field.kind)
      return {
        id: name,
        label: field.short ?? field.label,
        ...widths[field.kind],
        ...(field.kind === 'text' && field.format === 'email' ? email : {}),
        ...(name === resource.naming[1] ? descriptionColumn : {}),
        ...(name === resource.naming[0] && field.kind === 'text' && field.max >= 100 ? { minWidth: 190, flex: 2 } : {}),
        isFigure: right,
        cell: (row) => renderFieldValue(field, row[name], row),
      }
    })
  const tag = resource.fields.textColor && columns.find((column) => column.id === resource.naming[0])
  if (tag) tag.cell = (row) => <RecordTag record={row} name={String(row[resource.naming[0]])} />
  return [
    ...columns,
    {
      id: 'created',
      label: 'Created',
      width: 120,
      flex: 0.7,
      cell: ({ created }) => <span title={displayDate(String(created))}>{formatRelativeDay(String(created), new Date())}</span>,
    },
  ]
}
