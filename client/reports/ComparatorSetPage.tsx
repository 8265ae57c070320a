import { Alert, Button, Checkbox, Group, Skeleton, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { minimumComparators } from '../../domain/reports/measures/comparators.ts'
import { displayCount } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { useOrganisationWideCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifySuccess } from '../shell/notify.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import classes from './Comparators.module.css'
import { comparatorsPath } from './comparatorsPath.ts'
import { UnusedRows } from './UnusedRows.tsx'

type ComparatorSet = RouterOutputs['comparators']['get']

const listLink = { to: comparatorsPath, label: 'Back to the comparators' }

/** A set of comparators: which schools it includes, and whether reports use it. */
export function ComparatorSetPage() {
  const id = Number(useParams().id)
  const isNumber = Number.isSafeInteger(id) && id > 0
  const set = trpc.comparators.get.useQuery({ id }, { enabled: isNumber })
  if (!isNumber || (set.isError && toPublicError(set.error).kind === 'notFound')) return <NotFound back={listLink} />
  if (set.isError) return <LoadFailed query={set} />
  if (!set.data) return <Skeleton height={420} />
  return <Editor key={set.data.version} set={set.data} />
}

function Editor({ set }: { set: ComparatorSet }) {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const navigate = useNavigate()
  const savedKeys = set.schools.filter(({ isChosen }) => isChosen).map(({ key }) => key)
  const [name, setName] = useState(set.name)
  const [year, setYear] = useState(set.year ?? '')
  const [isUsed, setUsed] = useState(set.isUsed)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(savedKeys))
  const [problem, setProblem] = useState<string | null>(null)
  const { mutateAsync, isPending } = trpc.comparators.update.useMutation()
  const { mutateAsync: remove } = trpc.comparators.delete.useMutation()
  const isChanged =
    name.trim() !== set.name ||
    year.trim() !== (set.year ?? '') ||
    isUsed !== set.isUsed ||
    chosen.size !== savedKeys.length ||
    savedKeys.some((key) => !chosen.has(key))
  const forget = useUnsavedChanges(isChanged)
  const save = async (): Promise<void> => {
    setProblem(null)
    try {
      await mutateAsync({ id: set.id, version: set.version, name: name.trim(), year: year.trim() || null, chosen: [...chosen], isUsed })
      notifySuccess(notices.saved)
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
  }
  const toggle = (key: string): void =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return (
    <>
      <PageHead
        title={set.name}
        documentTitle="Comparators - Console"
        pills={set.isUsed && <Pill tone="good">In reports</Pill>}
        facts={`${displayCount(set.schools.length, 'school')} of ${set.source}${set.year ? `, figures of ${set.year}` : ''}`}
      >
        <Button variant="default" component={Link} to={comparatorsPath}>
          All comparators
        </Button>
        {mayEdit && (
          <>
            <Button
              variant="default"
              onClick={() =>
                confirmDelete({
                  term: { singular: 'Set of comparators', plural: 'Sets of comparators' },
                  count: 1,
                  one: true,
                  lost: 'You would have to import its schools again.',
                  run: () => remove({ id: set.id }),
                  after: () => {
                    forget()
                    return navigate(comparatorsPath)
                  },
                })
              }
            >
              Delete
            </Button>
            <Button onClick={() => void save()} loading={isPending} disabled={!isChanged || !name.trim()}>
              Save
            </Button>
          </>
        )}
      </PageHead>
      <SectionStack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Card>
          <CardBody>
            <Group grow align="start">
              <TextInput
                label="Name"
                maxLength={100}
                required
                readOnly={!mayEdit}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <TextInput
                label="Year of the figures"
                placeholder="2024/25"
                maxLength={20}
                readOnly={!mayEdit}
                value={year}
                onChange={({ currentTarget }) => setYear(currentTarget.value)}
              />
            </Group>
            <Switch
              mt="md"
              label="Compare our schools with this set in reports"
              description="Only one set at a time: choosing this one replaces the other."
              checked={isUsed}
              disabled={!mayEdit}
              onChange={({ currentTarget }) => setUsed(currentTarget.checked)}
            />
          </CardBody>
        </Card>
        <Card aria-label="Schools">
          <CardHead>
            Schools{' '}
            <CardNote>{`${chosen.size} of ${set.schools.length} in the set. A rank is shown where at least ${minimumComparators} have a figure for the measure.`}</CardNote>
          </CardHead>
          <CardBody>
            {mayEdit && (
              <Group gap="xs" mb="sm">
                <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set(set.schools.map(({ key }) => key)))}>
                  Choose all
                </Button>
                <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
                  Choose none
                </Button>
              </Group>
            )}
            <div className={classes.schools}>
              {set.schools.map(({ key, name: school, measures }) => (
                <Checkbox
                  key={key}
                  label={school}
                  description={`${key === school ? '' : `URN ${key} · `}${displayCount(measures, 'measure')}`}
                  checked={chosen.has(key)}
                  disabled={!mayEdit}
                  onChange={() => toggle(key)}
                />
              ))}
            </div>
            <UnusedRows rows={set.unused} />
          </CardBody>
        </Card>
      </SectionStack>
    </>
  )
}
