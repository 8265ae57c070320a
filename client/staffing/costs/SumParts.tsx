import { CloseButton } from '@mantine/core'
import clsx from 'clsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import tableStyles from '../../ui/table/DataTable.module.css'
import classes from './why.module.css'

interface Part {
  label: string
  pennies: number | null
  /** Opens the derivation of this part. */
  onSelect: () => void
}

/** The parts of a sum, each of which opens its own parts, down to the derivation of one month. */
export function SumParts({ title, parts, onClose }: { title: string; parts: readonly Part[]; onClose: () => void }) {
  return (
    <section className={classes.why} aria-label={title}>
      <div style={{ display: 'flex', gap: 8, justifyContent: 'space-between' }}>
        <b>{title}</b>
        <CloseButton size="sm" onClick={onClose} aria-label="Close the breakdown" />
      </div>
      <ol>
        {parts.map(({ label, pennies, onSelect }) => (
          <li key={label}>
            <button type="button" className={clsx(tableStyles.name, classes.part)} onClick={onSelect}>
              {label}
            </button>
            <span>
              <Amount pennies={pennies} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
