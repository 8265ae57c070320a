import { Alert, Button, Group, Radio, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { pensionSource, teachersPension } from '../../domain/startKits/staffing.ts'
import {
  buildStartKit,
  isKitFor,
  type StartKit,
  type StartKitName,
  startKitNames,
  startKitPermissions,
} from '../../domain/startKits/startKits.ts'
import { displayCount, displayDate, displayList } from '../../domain/values/format.ts'
import { type TermKey, toMidSentence } from '../../domain/words/terms.ts'
import { useOrganisationTypeAndSchemes } from '../budget/useOrganisationTypeAndSchemes.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { DateField } from '../ui/fields/DateField.tsx'
import fieldsStyles from '../ui/fields/fields.module.css'
import { NumberField } from '../ui/fields/NumberField.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'

type AddedPart = Awaited<ReturnType<typeof api.startKits.add.mutate>>[number]

const kitTexts: Record<StartKitName, { label: string; about: string }> = {
  academy: { label: 'Academy trust', about: 'The academies chart of accounts, for primary and secondary schools.' },
  maintainedPrimary: { label: 'Maintained primary', about: 'The CFR lines for a primary school.' },
  maintainedSecondary: { label: 'Maintained secondary', about: 'All CFR lines, including sixth form and examinations.' },
  special: {
    label: 'Special school',
    about: 'The codes for academies or maintained schools, plus residential childcare staff and passenger escorts.',
  },
}

/** The lists that a kit adds to, by resource: their term and the path of their screen. */
const lists: Record<string, { term: TermKey; path: string }> = {
  budgetCode: { term: 'BudgetCode', path: '/console/coding/budget-codes' },
  serviceTerm: { term: 'ServiceTerm', path: '/console/staffing/service-terms' },
  contractType: { term: 'ContractType', path: '/console/staffing/contract-types' },
  staffAssumptions: { term: 'StaffAssumptions', path: '/console/staffing/assumptions' },
  staffErPensionRate: { term: 'StaffErPensionRate', path: '/console/staffing/pension-rates' },
  profileTemplate: { term: 'ProfileTemplate', path: '/console/income-and-expenditure/profile-templates' },
}

/** Offers a new organisation a chart of accounts and the records that go with it, shows what the kit contains, and adds it. */
export function StartKitPage() {
  const { isTrust } = useOrganisationTypeAndSchemes()
  const may = usePermissionCheck()
  const [kitName, setKitName] = useState<StartKitName>(isTrust ? 'academy' : 'maintainedPrimary')
  const [rate, setRate] = useState<number | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const add = trpc.startKits.add.useMutation()
  const problem = add.error ? toPublicError(add.error) : null
  const hasAll = startKitPermissions.every((permission) => may([permission]))
  const [isIncomplete, setIncomplete] = useState(false)
  const submit = (): void => {
    const isHalfGiven = (rate === null) !== (from === null)
    setIncomplete(isHalfGiven)
    if (!isHalfGiven) add.mutate({ kit: kitName, lgps: rate !== null && from !== null ? { rate, from } : null })
  }
  const at = (field: string): string | undefined => problem?.fields.find((one) => one.field === field)?.message
  return (
    <>
      <PageHead
        title="Start kit"
        documentTitle="Start kit - Budget codes - Console"
        facts="Codes, contract types and profiles for a new organisation. You can change or delete each of them afterwards."
      />
      {add.data ? (
        <Added parts={add.data} hasRate={rate !== null} />
      ) : hasAll ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <SectionStack>
            <Card>
              <CardBody>
                <Radio.Group
                  label="Type of school"
                  value={kitName}
                  onChange={(value) => setKitName(startKitNames.find((name) => name === value) ?? kitName)}
                  error={at('kit')}
                >
                  <Stack gap={10} mt={8}>
                    {startKitNames.map((name) => {
                      const isOffered = isKitFor(name, isTrust)
                      const { label, about } = kitTexts[name]
                      const other = isTrust ? 'For local authorities and maintained schools.' : 'For academy trusts.'
                      return <Radio key={name} value={name} label={label} description={isOffered ? about : other} disabled={!isOffered} />
                    })}
                  </Stack>
                </Radio.Group>
              </CardBody>
            </Card>
            <Card>
              <CardHead>Your pension fund</CardHead>
              <CardBody>
                <p className={textStyles.dim} style={{ marginTop: 0 }}>
                  Each fund of the Local Government Pension Scheme (LGPS) sets its own employer rate, which is on your fund’s rates and
                  adjustments certificate. Leave both boxes empty if you do not know the rate. Support staff pensions are not calculated
                  until you add the rate.
                </p>
                <div className={fieldsStyles.fields}>
                  <NumberField
                    label="LGPS employer rate (%)"
                    value={rate}
                    onChange={setRate}
                    min={0}
                    max={100}
                    clampBehavior="none"
                    decimalScale={4}
                    error={isIncomplete && rate === null ? 'Enter the rate, or clear both boxes.' : at('lgps.rate')}
                  />
                  <DateField
                    label="From"
                    value={from}
                    onChange={setFrom}
                    error={isIncomplete && from === null ? 'Enter the date from which the rate applies.' : at('lgps.from')}
                  />
                </div>
              </CardBody>
            </Card>
            {problem && !problem.fields.length && (
              <Alert color="red" role="alert">
                {problem.message}
              </Alert>
            )}
            <Group>
              <Button type="submit" loading={add.isPending}>
                Add start kit
              </Button>
              <span className={textStyles.dim}>Codes and names you already have are not changed.</span>
            </Group>
            <Preview kit={buildStartKit(kitName, isTrust)} />
          </SectionStack>
        </form>
      ) : (
        <Alert>A start kit adds codes, contract types, assumptions and profiles. Ask someone who can change all of these to add it.</Alert>
      )}
    </>
  )
}

/** Shows every record of a kit, with the source of each list. */
function Preview({ kit }: { kit: StartKit }) {
  const term = useTerm()
  const heading = (key: TermKey, count: number): string =>
    displayCount(count, toMidSentence(term(key).singular), toMidSentence(term(key).plural))
  return (
    <>
      <Section title={heading('BudgetCode', kit.budgetCodes.length)} source={kit.sources.budgetCodes}>
        <DataTable
          isTight
          isHeadSticky
          minWidth={620}
          maxHeight={320}
          label={term('BudgetCode').plural}
          columns={[
            { id: 'code', label: 'Code' },
            { id: 'description', label: 'Description' },
            { id: 'type', label: 'Type', cell: ({ type }) => typeNames[type] },
            { id: 'category', label: 'Category', cell: ({ category }) => categoryNames[category] },
            { id: 'reportsTo', label: kit.scheme === 'acoa' ? 'ACOA code' : 'CFR code' },
            ...(kit.scheme === 'acoa' ? [{ id: 'bfr', label: 'Main BFR code' }] : []),
          ]}
          rows={kit.budgetCodes}
          keyOf={({ code }) => code}
        />
      </Section>
      <Section title={heading('ServiceTerm', kit.payrollCodes.length)} source={kit.sources.payrollCodes}>
        <DataTable
          isTight
          minWidth={460}
          label={term('ServiceTerm').plural}
          columns={[
            { id: 'code', label: 'Code' },
            { id: 'description', label: 'Description' },
            { id: 'basic', label: 'Pay' },
            { id: 'ni', label: 'NI' },
            { id: 'pension', label: 'Pension' },
          ]}
          rows={kit.payrollCodes}
          keyOf={({ code }) => code}
        />
      </Section>
      <Section title={heading('ContractType', kit.contractTypes.length)} source={`${kit.sources.contractTypes} ${pensionSource}`}>
        <DataTable
          isTight
          isWrapped
          label={term('ContractType').plural}
          columns={[
            { id: 'name', label: 'Name' },
            { id: 'description', label: 'Description' },
            { id: 'fullTimeHours', label: 'Full-time hours', isFigure: true },
            {
              id: 'scheme',
              label: 'Employer pension',
              cell: ({ scheme }) =>
                scheme === 'TPS' ? `${teachersPension.rate}% from ${displayDate(teachersPension.from)}` : 'Your fund’s rate',
            },
          ]}
          rows={kit.contractTypes}
          keyOf={({ name }) => name}
        />
      </Section>
      <Section title={heading('ProfileTemplate', kit.profiles.length)} source={kit.sources.profiles}>
        <DataTable
          isTight
          isWrapped
          label={term('ProfileTemplate').plural}
          columns={[
            { id: 'name', label: 'Name' },
            { id: 'description', label: 'Description' },
            { id: 'weights', label: 'Weights of periods 1 to 12', cell: ({ weights }) => weights.join(' · ') },
          ]}
          rows={kit.profiles}
          keyOf={({ name }) => name}
        />
      </Section>
    </>
  )
}

const typeNames = { income: 'Income', expenditure: 'Expenditure' }
const categoryNames = { staffing: 'Staffing', nonStaffing: 'Non-staffing', capital: 'Capital' }

function Section({ title, source, children }: { title: string; source: string; children: ReactNode }) {
  return (
    <Card aria-label={title}>
      <CardHead>
        {title}
        <CardNote>{source}</CardNote>
      </CardHead>
      {children}
    </Card>
  )
}

/** Shows what was added to each list, and what was not changed. */
function Added({ parts, hasRate }: { parts: readonly AddedPart[]; hasRate: boolean }) {
  const term = useTerm()
  return (
    <SectionStack>
      <Card aria-label="What was added">
        <CardHead>
          {parts.some(({ added }) => added) ? 'The start kit was added' : 'Nothing was added: you already have everything in this kit'}
        </CardHead>
        <DataTable
          isWrapped
          label="What was added"
          columns={[
            {
              id: 'resource',
              label: 'List',
              cell: ({ resource }) => {
                const list = lists[resource]
                return list && <Link to={list.path}>{term(list.term).plural}</Link>
              },
            },
            { id: 'added', label: 'Added', isFigure: true },
            { id: 'left', label: 'Not changed', cell: ({ left }) => (left.length ? displayList(left) : 'None') },
          ]}
          rows={parts}
          keyOf={({ resource }) => resource}
        />
      </Card>
      {!hasRate && (
        <Alert color="orange">
          Support staff have no employer pension rate yet. Add your fund’s rate under{' '}
          <Link to="/console/staffing/pension-rates">{toMidSentence(term('StaffErPensionRate').plural)}</Link>.
        </Alert>
      )}
      <Group>
        <Button component={Link} to="/">
          Continue with the first steps
        </Button>
      </Group>
    </SectionStack>
  )
}
