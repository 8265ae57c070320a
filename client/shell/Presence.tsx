import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import textStyles from '../ui/text.module.css'
import { api } from './api.ts'
import { presenceNews } from './hub.ts'
import classes from './Presence.module.css'
import { useSelection } from './selection.ts'

const beatMs = 15_000
/** This screen, as long as its page lives. */
const screenId = crypto.randomUUID()

function initials(name: string): string {
  return name
    .split(' ')
    .map((word) => word[0])
    .slice(0, 2)
    .join('')
}

/** The other people who have this budget open, and where; nobody else’s name is shown. */
export function Presence() {
  const { budgetId: selected } = useSelection()
  const { pathname } = useLocation()
  // In the console and the administrator area no budget is open, though one stays selected.
  const budgetId = /^\/(console|administrator)(\/|$)/.test(pathname) ? null : selected
  const news = presenceNews.use()
  const [others, setOthers] = useState<{ name: string; place: string }[]>([])
  const place = pathname.split('/').slice(1, 3).join(', ').replaceAll('-', ' ').slice(0, 100)
  const heard = news?.budgetId === budgetId ? news?.at : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: heard says that somebody came or went, so the others are asked for again
  useEffect(() => {
    if (budgetId === null) return
    let isOver = false
    // Not being able to say that one is here is no news to anybody.
    const beat = (): void =>
      void api.presence.here.mutate({ screenId, place }).then(
        (list) => isOver || setOthers(list),
        () => undefined,
      )
    beat()
    const timer = window.setInterval(beat, beatMs)
    return () => {
      isOver = true
      window.clearInterval(timer)
    }
  }, [budgetId, place, heard])
  useEffect(() => {
    if (budgetId === null) return
    return () => {
      setOthers([])
      void api.presence.gone.mutate({ screenId }).catch(() => undefined)
    }
  }, [budgetId])
  if (!others.length) return null
  return (
    <section className={classes.presence} aria-label="Also in this budget">
      {others.slice(0, 4).map((other) => (
        <Tooltip key={other.name} label={`${other.name}: ${other.place || 'home'}`}>
          <span className={classes.face}>
            <span aria-hidden>{initials(other.name)}</span>
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
