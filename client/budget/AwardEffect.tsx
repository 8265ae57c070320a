import clsx from 'clsx'
import { displayMoney, displaySignedPounds, toPennies } from '../../domain/values/format.ts'
import textStyles from '../ui/labels/text.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'

/**
 * The effect of an award on the cost of contracts of one type: pounds by year, and sentences about where the award would apply and what it
 * leaves unchanged.
 */
export interface ContractTypeEffect {
  contractTypeId: number
  name: string
  sentences: readonly string[]
  years: readonly { year: string; before: number; after: number }[]
}

/** A table of what an award changes: a row per contract type, a column per year. */
export function AwardEffectTable({ types, years }: { types: readonly ContractTypeEffect[]; years: readonly string[] }) {
  return (
    <DataTable
      columns={[
        {
          id: 'type',
          label: 'Contract type',
          cell: (type) => (
            <>
              {type.name}
              {type.sentences.map((sentence) => (
                <div className={clsx(textStyles.dim, tableStyles.explanation)} key={sentence}>
                  {sentence}
                </div>
              ))}
            </>
          ),
        },
        ...createFigureColumns<(typeof types)[number]>(years, (type, at) => {
          const yearEffect = type.years.find((one) => one.year === years[at])
          if (!yearEffect) return '–'
          const change = toPennies(yearEffect.after) - toPennies(yearEffect.before)
          return (
            <span title={displayMoney(change)} className={change > 0 ? textStyles.up : change < 0 ? textStyles.down : textStyles.dim}>
              {change === 0 ? 'no change' : displaySignedPounds(change)}
            </span>
          )
        }),
      ]}
      rows={types}
      keyOf={({ contractTypeId }) => contractTypeId}
    />
  )
}
