import { viewPermissions } from '../../domain/people/permissions.ts'
import type { Screen } from '../shell/screens/screen.ts'

/** A screen of the overview: it shows the open budget as a whole, most of them for reading only. */
export function overviewScreen(
  path: string,
  {
    title,
    icon,
    pages,
    isEdited = false,
  }: { title: Screen['title']; icon: Screen['icon']; pages: Pick<Screen, 'page' | 'below'>; isEdited?: boolean },
): Screen {
  return {
    path: `/overview/${path}`,
    title,
    area: 'Overview',
    icon,
    view: viewPermissions('BudgetingOverview'),
    edit: isEdited ? ['BudgetingOverviewReadUpdate'] : 'nobody',
    needs: 'budget',
    ...pages,
  }
}
