import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { selectBudget, useCore } from '../core.ts'
import { mayDiscard } from '../unsaved.ts'
import { useScreens, useTitle } from '../useScreens.ts'

/**
 * Finds screens and budgets by their names.
 * @param asked how often somebody asked for it: each time it opens, or closes when it is open
 */
export function Palette({ asked }: { asked: number }) {
  const screens = useScreens()
  const title = useTitle()
  const navigate = useNavigate()
  const { budgets } = useCore()
  useEffect(() => {
    if (asked > 0) spotlight.toggle()
  }, [asked])
  const go = screens.map((screen) => ({
    id: screen.path,
    label: title(screen),
    description: screen.section ? `${screen.area}, ${screen.section.toLowerCase()}` : screen.area,
    onClick: () => void navigate(screen.path),
  }))
  const choose = budgets.map((budget) => ({
    id: budget.mongoId,
    label: budget.name,
    description: 'Open this budget',
    onClick: async () => void ((await mayDiscard()) && selectBudget(budget.mongoId)),
  }))
  return (
    <Spotlight
      actions={[
        { group: 'Screens', actions: go },
        { group: 'Budgets', actions: choose },
      ]}
      nothingFound="Nothing matches."
      highlightQuery
      shortcut={null}
      searchProps={{
        placeholder: 'Search or jump to a screen or budget',
        'aria-label': 'Search or jump to',
        leftSection: <IconSearch size={18} />,
      }}
    />
  )
}
