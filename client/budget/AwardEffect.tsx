import clsx from 'clsx'
import { displayMoney, displaySignedPounds, toPennies } from '../../domain/values/format.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures, YearHead } from '../ui/figures/Figures.tsx'
import textStyles from '../ui/labels/text.module.css'

/**
 * What an award changes for the contracts of one type: pounds by year, plus sentences on where it would apply and what
 * it leaves alone.
 */
export interface TypeEffect {
  contractTypeId: number
  name: string
  sentences: readonly string[]
  years: readonly { year: string; before: number; after: number }[]
}

/** A table of what an award changes: a row per contract type, a column per year. */
export function AwardEffect({ types, years }: { types: readonly TypeEffect[]; years: readonly string[] }) {
  return (
    <Figures>
      <YearHead label="Contract type" years={years} />
      <tbody>
        {types.map((type) => (
          <tr key={type.contractTypeId}>
            <th scope="row">
              {type.name}
              {type.sentences.map((sentence) => (
                <div className={clsx(textStyles.dim, figuresStyles.explanation)} key={sentence}>
                  {sentence}
                </div>
              ))}
            </th>
            {years.map((year) => {
              const own = type.years.find((one) => one.year === year)
              if (!own) return <td key={year}>–</td>
              const change = toPennies(own.after) - toPennies(own.before)
              return (
                <td
                  key={year}
                  title={displayMoney(change)}
                  className={change > 0 ? textStyles.up : change < 0 ? textStyles.down : textStyles.dim}
                >
                  {change === 0 ? 'no change' : displaySignedPounds(change)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </Figures>
  )
}
