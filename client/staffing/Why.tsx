import { CloseButton } from '@mantine/core'
import type { Step } from '../../domain/calculation/inputs.ts'
import textStyles from '../ui/text.module.css'
import classes from './why.module.css'

/** The derivation of one figure, line by line, each with the section of the calculation rules it follows. */
export function Why({ title, steps, figure, onClose }: { title: string; steps: readonly Step[]; figure: string; onClose: () => void }) {
  const own = steps.filter((step) => step.figure === figure || step.figure === 'run')
  return (
    <section className={classes.why} aria-label={title}>
      <div style={{ display: 'flex', gap: 8, justifyContent: 'space-between' }}>
        <b>{title}</b>
        <CloseButton size="sm" onClick={onClose} aria-label="Close the derivation" />
      </div>
      <ol>
        {own.map((step, index) => (
          <li key={index} className={step.figure === 'run' ? textStyles.dim : undefined}>
            <span>{step.label}</span>
            <span>
              {step.value} <span className={textStyles.dim}>{step.rule}</span>
            </span>
          </li>
        ))}
      </ol>
      {figure === 'ni' && (
        <p className={textStyles.dim} style={{ margin: '6px 0 0' }}>
          One person's contracts in this budget share one threshold; those in another budget are not added.
        </p>
      )}
      {!own.some((step) => step.figure === figure) && (
        <p className={textStyles.dim} style={{ margin: '6px 0 0' }}>
          Nothing is paid in this month.
        </p>
      )}
    </section>
  )
}
