import { ActionIcon, Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import type { FirstStep } from '../../domain/people/firstSteps.ts'
import { setUpPermissions } from '../../domain/people/permissions.ts'
import { trpc } from '../shell/api.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { helpArticle, hiddenFirstStepsStorageKey, tourStep } from '../shell/help.ts'
import { useScreens } from '../shell/screens/useScreens.ts'
import { useSelection } from '../shell/selection.ts'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

interface StepText {
  what: string
  why: string
  /** Paths of the screens where this step can be done. The link goes to the first screen that the user can open. */
  at: readonly string[]
  /** Slug of the help page that explains the step. */
  help: string
  /** A second way to do the step, for users who can open its screen. */
  also?: { label: string; path: string }
}

const stepTexts: Record<FirstStep, StepText> = {
  locations: {
    what: 'Add your schools',
    why: 'A budget belongs to a location: a school, or the central team.',
    at: ['/administrator/set-up', '/console/general/locations'],
    help: 'organisation',
  },
  codes: {
    what: 'Add your budget codes',
    why: 'Your chart of accounts, with the CFR, ACOA and BFR codes the returns need.',
    at: ['/console/coding/budget-codes'],
    help: 'start-kit',
    also: { label: 'Use a start kit', path: '/console/coding/budget-codes/start-kit' },
  },
  contractTypes: {
    what: 'Set up contract types',
    why: 'Contract types set full-time hours and pay scales, for teachers and support staff.',
    at: ['/console/staffing/contract-types'],
    help: 'contract-types',
  },
  payrollCodes: {
    what: 'Set up payroll codes',
    why: 'A payroll code for each kind of staff: one budget code for pay, one for NI, one for pensions.',
    at: ['/console/staffing/service-terms'],
    help: 'contract-types',
  },
  assumptions: {
    what: 'Set pay awards and pension rates',
    why: 'Start with one set for all budgets, then add the pension rate of each contract type. The national pay scales are already loaded.',
    at: ['/console/staffing/assumptions'],
    help: 'assumptions',
  },
  users: {
    what: 'Invite your colleagues',
    why: 'You choose which schools each person sees and what they can do. A second person approves what the first submits.',
    at: ['/administrator/set-up', '/console/general/users'],
    help: 'people',
  },
  budget: {
    what: 'Create your first budget',
    why: 'For one school or for all of them.',
    at: ['/console/budget-management/create', '/console/budget-management'],
    help: 'first-budget',
  },
  group: {
    what: 'Put the budgets of the year into a group',
    why: 'The apprenticeship levy is calculated for a group, even if it has only one budget.',
    at: ['/console/budget-management/groups'],
    help: 'budget-groups',
  },
  contracts: {
    what: 'Import staff and their contracts',
    why: 'An export from your HR or payroll system is enough: people and contracts come from one file.',
    at: ['/staffing/staff-contracts'],
    help: 'import-contracts',
  },
  entries: {
    what: 'Enter other income and expenditure',
    why: 'Type or paste it into a sheet. Funding is predicted from pupil numbers.',
    at: ['/non-staffing/budget-entries'],
    help: 'entries',
  },
  balances: {
    what: 'Enter the opening balances',
    why: 'The reserves at the start of the first year.',
    at: ['/overview/opening-balances'],
    help: 'opening-balances',
  },
  recalculation: {
    what: 'Recalculate the group',
    why: 'A budget can be submitted once its figures and its levy are up to date.',
    at: ['/console/budget-management/groups'],
    help: 'budget-groups',
  },
  approval: {
    what: 'Submit a budget for approval',
    why: 'Someone else reviews it, then approves or returns it.',
    at: ['/overview/approval'],
    help: 'approval',
  },
}

/** If at most this many steps remain, completed steps are hidden. */
const hidesDoneBelow = 3

/**
 * The first steps of a new organisation. They are ticked off as data appears. The card is shown until all are complete or the user hides
 * it.
 */
export function FirstSteps() {
  const { organisationId } = useSelection()
  const may = usePermissionCheck()
  const [away, setAway] = useLocalStorage<number[]>({ key: hiddenFirstStepsStorageKey, defaultValue: [], getInitialValueInEffect: false })
  const isWanted = organisationId !== null && may(setUpPermissions) && !away.includes(organisationId)
  const steps = trpc.home.firstSteps.useQuery(undefined, { enabled: isWanted })
  const left = steps.data?.filter(({ isDone }) => !isDone).length ?? 0
  // The card is optional, so nothing is shown if loading fails.
  if (!isWanted || !steps.data || !left) return null
  const shown = left > hidesDoneBelow ? steps.data : steps.data.filter(({ isDone }) => !isDone)
  return (
    <Card aria-label="First steps" style={{ marginBottom: 16 }}>
      <CardHead>
        First steps
        <CardNote>
          {steps.data.length - left} of {steps.data.length} done
        </CardNote>
        <span style={{ flex: 1 }} />
        <Button size="compact-sm" variant="default" onClick={() => tourStep.set(0)}>
          Take the tour
        </Button>
        <ActionIcon variant="subtle" color="gray" aria-label="Hide the first steps" onClick={() => setAway([...away, organisationId])}>
          <IconX size={17} />
        </ActionIcon>
      </CardHead>
      <ol className={classes.steps}>
        {shown.map(({ step, isDone }) => (
          <Step key={step} words={stepTexts[step]} isDone={isDone} />
        ))}
      </ol>
    </Card>
  )
}

function Step({ words: { what, why, at, help: slug, also }, isDone }: { words: StepText; isDone: boolean }) {
  const screens = useScreens()
  const { isAdministrator, locations } = useCoreData()
  const { locationId } = useSelection()
  const canOpen = (one: string): boolean =>
    screens.some((screen) => one === screen.path || (one.startsWith(`${screen.path}/`) && screen.edit !== 'nobody'))
  const path = at.find(canOpen)
  // Most steps need a location. Until the user selects a location, the first one is used.
  const budget = { locationId: locationId ?? locations[0]?.id ?? null, budgetId: null }
  return (
    <li>
      {isDone ? <IconCircleCheck size={19} stroke={1.6} aria-label="Done" /> : <IconCircle size={19} stroke={1.6} aria-label="To do" />}
      <span>
        {path && !isDone ? (
          <BudgetLink budget={budget} to={path}>
            {what}
          </BudgetLink>
        ) : (
          what
        )}
        {!isDone && (
          <span className={textStyles.dim}>
            {' '}
            {why} {!path && !isAdministrator && 'An administrator does this. '}
            {also && canOpen(also.path) && (
              <>
                <BudgetLink budget={budget} to={also.path}>
                  {also.label}
                </BudgetLink>{' '}
                ·{' '}
              </>
            )}
            <button type="button" onClick={() => helpArticle.set(slug)} aria-label={`How to: ${what}`}>
              How
            </button>
          </span>
        )}
      </span>
    </li>
  )
}
