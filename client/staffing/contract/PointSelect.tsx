import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import { Choice, type ChoiceProps } from '../../ui/fields/Choice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import type { CostingInputs } from './costingInputs.ts'
import classes from './PointSelect.module.css'
import { createScalePointOptions, findPointSalaries } from './scalePoints.ts'

/** A select with the scale points that a contract can use, each with its annual salary. */
export function PointSelect({
  inputs,
  type,
  value,
  onChange,
  ...more
}: {
  inputs: CostingInputs
  /** The pay scale of the contract. */
  type: number
  value: number | null
  onChange: (value: number | null) => void
} & Omit<ChoiceProps, 'data' | 'value' | 'onChange' | 'type'>) {
  const salaries = findPointSalaries(inputs)
  return (
    <Choice
      {...more}
      data={createScalePointOptions(inputs.points, type, value)}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
      renderOption={(option) => {
        const salary = salaries.get(Number(option.value))
        return (
          <span className={classes.point}>
            {option.label}{' '}
            {salary && (
              <span className={textStyles.dim}>
                {displayFigure(toPennies(salary.rate))} from {displayDate(salary.from)}
              </span>
            )}
          </span>
        )
      }}
      clearable
      nothingFoundMessage="No point matches."
      isWide
    />
  )
}
