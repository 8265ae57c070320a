import { CloseButton, Loader } from '@mantine/core'
import type { DerivationStep } from '../../../domain/calculation/inputs.ts'
import type { CostLine } from '../../../domain/calculation/staffing/lines.ts'
import { requireItemAt } from '../../../domain/values/assertDefined.ts'
import { displayFigure } from '../../../domain/values/format.ts'
import textStyles from '../../ui/labels/text.module.css'
import classes from './why.module.css'

/** The derivation of a figure, step by step, each with the section of the calculation rules that it follows. */
export function CalculationSteps({
  line,
  month,
  when,
  steps,
  onClose,
}: {
  line: CostLine
  /** Index of the month, from the start of the line. */
  month: number
  when: string
  /** Undefined while they are being fetched. */
  steps: readonly DerivationStep[] | undefined
  onClose: () => void
}) {
  const pennies = requireItemAt(line.months, month)
  const title = `How ${line.label} in ${when} is calculated: ${pennies === null ? 'not calculated' : displayFigure(pennies)}`
  const lineSteps = steps?.filter((step) => step.figure === line.figure || step.figure === 'run')
  return (
    <section className={classes.why} aria-label={title}>
      <div style={{ display: 'flex', gap: 8, justifyContent: 'space-between' }}>
        <b>{title}</b>
        <CloseButton size="sm" onClick={onClose} aria-label="Close the calculation" />
      </div>
      {!lineSteps && <Loader size="sm" role="status" aria-label="Loading" />}
      <ol>
        {lineSteps?.map((step, index) => (
          <li key={index} className={step.figure === 'run' ? textStyles.dim : undefined}>
            <span>{step.label}</span>
            <span>
              {step.value} <span className={textStyles.dim}>{step.rule}</span>
            </span>
          </li>
        ))}
      </ol>
      {line.figure === 'ni' && (
        <p className={textStyles.dim} style={{ margin: '6px 0 0' }}>
          One person’s contracts in this budget share one threshold. Contracts in other budgets are not counted.
        </p>
      )}
      {lineSteps && !lineSteps.some((step) => step.figure === line.figure) && (
        <p className={textStyles.dim} style={{ margin: '6px 0 0' }}>
          Nothing is paid in this month.
        </p>
      )}
    </section>
  )
}
