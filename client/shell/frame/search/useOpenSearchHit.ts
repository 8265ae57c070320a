import { useNavigate } from 'react-router'
import type { RouterOutputs } from '../../api.ts'
import { useOpenBudgetScreen } from '../../BudgetLink.tsx'
import { usePermissionCheck } from '../../core.ts'
import { findCommentPath } from '../../findCommentPath.ts'
import { helpArticle } from '../../help.ts'
import { hasSubPage, type Screen } from '../../screens/screen.ts'
import { useScreens } from '../../screens/useScreens.ts'
import { useSelection } from '../../selection.ts'
import { useChooseSelection } from '../../useChooseSelection.ts'

export type SearchHit = RouterOutputs['search']['find'][number]

const contracts = '/staffing/staff-contracts'
const entries = '/non-staffing/budget-entries'
const allComments = '/overview/approval'

/**
 * Returns a function that finds out how to open a search result: on its own page or, if the user can only read it in its list, in the list;
 * null if the user can open neither.
 */
export function useOpenSearchHit(): (hit: SearchHit) => (() => Promise<void>) | null {
  const screens = useScreens()
  const may = usePermissionCheck()
  const navigate = useNavigate()
  const openBudgetScreen = useOpenBudgetScreen()
  const choose = useChooseSelection()
  const { organisationId, budgetId } = useSelection()
  const mayEdit = (screen: Screen): boolean => hasSubPage(screen, ':id') && screen.edit !== 'nobody' && may(screen.edit)
  const screenOf = (entity: string): Screen | undefined => {
    const entityScreens = screens.filter((screen) => screen.resource === entity && (screen.needs !== 'budget' || budgetId !== null))
    return entityScreens.find(mayEdit) ?? entityScreens[0]
  }
  return ({ entity, id, place, about, monitored }) => {
    if (entity === 'budget' && place) return () => choose({ ...place, organisationId })
    if (monitored) {
      const path = `${place ? '' : '/console'}/monitoring/budget-${monitored.versus}`
      if (!screens.some((one) => one.path === path)) return null
      const to = `${path}?month=${monitored.month}`
      return async () => {
        if (place) await openBudgetScreen(place, to)
        else await navigate(to)
      }
    }
    if (place && about) {
      const to = findCommentPath({ id, about }, place.budgetId, may) ?? allComments
      if (!screens.some(({ path }) => to.startsWith(path))) return null
      return () => openBudgetScreen(place, to)
    }
    if (place) {
      const path = entity === 'staffContract' ? contracts : entries
      const screen = screens.find((one) => one.path === path)
      if (!screen) return null
      const readerPath = entity === 'staffContract' ? `${path}/${id}/cost` : path
      return () => openBudgetScreen(place, mayEdit(screen) ? `${path}/${id}` : readerPath)
    }
    if (entity === 'assist') return async () => helpArticle.set(id)
    const screen = screenOf(entity)
    if (!screen) return null
    return async () => {
      await navigate(mayEdit(screen) ? `${screen.path}/${id}` : screen.path)
    }
  }
}
