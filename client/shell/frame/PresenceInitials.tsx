import { Tooltip } from '@mantine/core'
import textStyles from '../../ui/labels/text.module.css'
import type { RouterOutputs } from '../api.ts'
import { getInitials } from './fieldMarks.ts'
import classes from './Presence.module.css'

/** The initials of other users, with their names and screens. */
export function PresenceInitials({ others }: { others: RouterOutputs['presence']['others'] }) {
  return (
    <section className={classes.presence} aria-label="Also in this budget">
      {others.slice(0, 4).map((other) => (
        <Tooltip key={other.name} label={`${other.name}: ${other.place || 'home'}`}>
          <span className={classes.face}>
            <span aria-hidden>{getInitials(other.name)}</span>
            <span className={textStyles.hiddenWords}>
              {other.name}, {other.place || 'home'}
            </span>
          </span>
        </Tooltip>
      ))}
      {others.length > 4 && <span className={classes.face}>+{others.length - 4}</span>}
    </section>
  )
}
