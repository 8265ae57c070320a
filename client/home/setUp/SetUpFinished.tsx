import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { displayCount } from '../../../domain/values/format.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useOpenBudgetScreen } from '../../shell/BudgetLink.tsx'
import { useCoreData, useTerm } from '../../shell/core.ts'
import { useSelection } from '../../shell/selection.ts'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { FirstSteps } from '../FirstSteps.tsx'

/** Confirms that set-up is complete, and links to the next tasks. */
export function SetUpFinished({ name, people }: { name: string; people: number }) {
  const { locations } = useCoreData()
  const { locationId } = useSelection()
  const term = useTerm()
  const openBudgetScreen = useOpenBudgetScreen()
  const displayTermCount = (key: 'Location' | 'User', count: number): string =>
    displayCount(count, toMidSentence(term(key).singular), toMidSentence(term(key).plural))
  // Budgets and codes need a selected location. The user can select another one in the selection bar.
  const [first] = locations
  const isReady = locations.length > 0
  return (
    <>
      <Card style={{ marginBottom: 16 }}>
        <CardHead>{isReady ? `${name} is set up` : `${name} has no ${toMidSentence(term('Location').plural)} yet`}</CardHead>
        <CardBody>
          <p style={{ marginTop: 0 }}>
            {displayTermCount('Location', locations.length)} and {displayTermCount('User', people)}.{' '}
            {isReady
              ? 'Next, set up what a first budget needs: codes, contract types and assumptions, then the budget itself. Your colleagues can continue from here too.'
              : 'Add them in the second step: each budget belongs to one of them.'}
          </p>
          {first && (
            <Button onClick={() => void openBudgetScreen({ locationId: locationId ?? first.id, budgetId: null }, '/')}>
              Go to the home page
            </Button>
          )}{' '}
          <Button component={Link} to="/administrator/users" variant="default">
            {term('User').plural}
          </Button>
        </CardBody>
      </Card>
      {isReady && <FirstSteps />}
    </>
  )
}
