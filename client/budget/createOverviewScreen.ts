import { listViewPermissions } from '../../domain/people/permissions.ts'
import type { Screen } from '../shell/screens/screen.ts'

/** Declares a screen of the budget overview. It needs an open budget, and most of these screens are read-only. */
export function createOverviewScreen(
  path: string,
  {
    title,
    icon,
    pages,
    isEdited = false,
  }: { title: Screen['title']; icon: Screen['icon']; pages: Pick<Screen, 'page' | 'subPages'>; isEdited?: boolean },
): Screen {
  return {
    path: `/overview/${path}`,
    title,
    area: 'Overview',
    icon,
    view: listViewPermissions('BudgetingOverview'),
    edit: isEdited ? ['BudgetingOverviewReadUpdate'] : 'nobody',
    needs: 'budget',
    ...pages,
  }
}
