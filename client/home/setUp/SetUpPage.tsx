import { Skeleton, Stepper } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { trpc } from '../../shell/api.ts'
import { useCoreData, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { useSelection } from '../../shell/selection.ts'
import { confirmDiscard } from '../../shell/unsavedChanges.ts'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { LocationsStep } from './LocationsStep.tsx'
import { type OrganisationUser, PeopleStep } from './PeopleStep.tsx'
import { SetUpFinished } from './SetUpFinished.tsx'

const OrganisationStep = lazyComponent(() => import('./OrganisationStep.tsx'), 'OrganisationStep')

const allUsersRequest = { pageNumber: 1, pageSize: 5000, sort: 'surname', sortDirection: 'asc' as const }

/** Sets up a new installation in steps: organisation, locations, people. The saved data decides which steps are complete. */
export function SetUpPage() {
  const { organisationId } = useSelection()
  return organisationId === null ? <Steps people={[]} /> : <WithPeople />
}

function WithPeople() {
  const people = trpc.users.own.list.useQuery(allUsersRequest)
  if (people.isLoadingError) return <LoadFailed query={people} />
  return people.data ? <Steps people={people.data.rows} /> : <Skeleton height={240} />
}

function Steps({ people }: { people: readonly OrganisationUser[] }) {
  const { organisations, locations, user } = useCoreData()
  const { organisationId } = useSelection()
  const term = useTerm()
  const organisation = organisations.find(({ id }) => id === organisationId)
  const isDone = [organisation !== undefined, locations.length > 0, people.some(({ id }) => id !== user.id)]
  const next = isDone.indexOf(false)
  const last = isDone.length
  // The page opens at the first incomplete step. After that, only the user changes the step.
  const [step, setStep] = useState(next < 0 ? last : next)
  const go = async (to: number): Promise<void> => {
    if (await confirmDiscard()) setStep(to)
  }
  const goToNextStep = (): void => setStep(step + 1)
  const stepContents: ReactNode[] = [
    <PageSection key="organisation" height={240}>
      <OrganisationStep organisationId={organisationId} onDone={goToNextStep} />
    </PageSection>,
    organisation && <LocationsStep key="locations" organisation={organisation} onDone={goToNextStep} />,
    organisation && <PeopleStep key="people" people={people} onDone={goToNextStep} />,
    organisation && <SetUpFinished key="finished" name={organisation.name} people={people.length} />,
  ]
  const titles = [term('Organisation').singular, term('Location').plural, term('User').plural, 'Next steps']
  return (
    <>
      <PageHead
        title={organisation ? `Set up ${organisation.name}` : 'Set up an organisation'}
        documentTitle="Set up an organisation - Administrator"
        facts="A few short steps. Each is saved separately, so you can leave and continue later."
      />
      <Stepper active={step} onStepClick={(to) => void go(to)} size="sm" mb="lg">
        {titles.map((title, at) => (
          <Stepper.Step
            key={title}
            label={title}
            icon={isDone[at] ? <IconCheck size={16} aria-label="Done" /> : undefined}
            completedIcon={isDone[at] ? undefined : <span>{at + 1}</span>}
            disabled={at > 0 && !organisation}
          />
        ))}
      </Stepper>
      <div style={{ maxWidth: 1180 }}>{stepContents[step]}</div>
    </>
  )
}
