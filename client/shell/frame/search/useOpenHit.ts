import { useNavigate } from 'react-router'
import type { Answers } from '../../api.ts'
import { useOpenAt } from '../../BudgetLink.tsx'
import { openBudget, useMay } from '../../core.ts'
import { help } from '../../help.ts'
import { failed } from '../../notify.tsx'
import { placeOfComment } from '../../placeOfComment.ts'
import { hasBelow, type Screen } from '../../screens/screen.ts'
import { useScreens } from '../../screens/useScreens.ts'
import { useSelection } from '../../selection.ts'
import { mayDiscard } from '../../unsaved.ts'

export type Hit = Answers['search']['find'][number]

const contracts = '/staffing/staff-contracts'
const entries = '/non-staffing/budget-entries'
const allComments = '/overview/approval'

/**
 * Opens a search result on its own page or, if the user can only read it there, in its list; null if the user can open
 * neither.
 */
export function useOpenHit(): (hit: Hit) => (() => Promise<void>) | null {
  const screens = useScreens()
  const may = useMay()
  const navigate = useNavigate()
  const openAt = useOpenAt()
  const { budgetId } = useSelection()
  const mayEdit = (screen: Screen): boolean => hasBelow(screen, ':id') && screen.edit !== 'nobody' && may(screen.edit)
  const screenOf = (entity: string): Screen | undefined => {
    const own = screens.filter((screen) => screen.resource === entity && (screen.needs !== 'budget' || budgetId !== null))
    return own.find(mayEdit) ?? own[0]
  }
  return ({ entity, id, place, about, monitored }) => {
    if (entity === 'budget' && place)
      return async () => {
        if (await mayDiscard()) await openBudget(place).catch(failed)
      }
    if (monitored) {
      const path = `${place ? '' : '/console'}/monitoring/budget-${monitored.versus}`
      if (!screens.some((one) => one.path === path)) return null
      const to = `${path}?month=${monitored.month}`
      return async () => {
        if (!place) await navigate(to)
        else if (await mayDiscard()) await openAt(place, to)
      }
    }
    if (place && about) {
      const to = placeOfComment({ id, about }, place.budgetId, may) ?? allComments
      if (!screens.some(({ path }) => to.startsWith(path))) return null
      return async () => {
        if (await mayDiscard()) await openAt(place, to)
      }
    }
    if (place) {
      const path = entity === 'staffContract' ? contracts : entries
      const screen = screens.find((one) => one.path === path)
      if (!screen) return null
      const ofReaders = entity === 'staffContract' ? `${path}/${id}/cost` : path
      return async () => {
        if (await mayDiscard()) await openAt(place, mayEdit(screen) ? `${path}/${id}` : ofReaders)
      }
    }
    if (entity === 'assist') return async () => help.set(id)
    const screen = screenOf(entity)
    if (!screen) return null
    return async () => {
      await navigate(mayEdit(screen) ? `${screen.path}/${id}` : screen.path)
    }
  }
}
