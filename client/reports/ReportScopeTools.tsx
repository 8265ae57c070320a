import { Button, Collapse } from '@mantine/core'
import { useState } from 'react'
import { findCommonYears } from '../../domain/reports/budgetYears.ts'
import type { ReportDeclaration, ReportName } from '../../domain/reports/registry.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { useOrganisationTypeAndSchemes } from '../budget/useOrganisationTypeAndSchemes.ts'
import { MultiRecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { trpc } from '../shell/api.ts'
import { useCoreData, useTerm } from '../shell/core.ts'
import type { SetUrlParameters } from '../shell/useAddressParameters.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import classes from './Reports.module.css'
import { formatScope, type ReportParameters } from './reportParameters.ts'

/** Chooses the budgets and filters of a report. When the user switches to another report, they stay the same. */
export function ReportScopeTools({
  name,
  declared,
  parameters,
  put,
}: {
  name: ReportName
  declared: ReportDeclaration
  parameters: ReportParameters
  put: SetUrlParameters
}) {
  const { budgets, locations } = useCoreData()
  const term = useTerm()
  const groups = trpc.groups.names.useQuery()
  const isComparison = name === 'budgetComparison'
  const { of } = parameters
  const years = trpc.reports.budgetYears.useQuery(
    {
      budgetId: of.kind === 'budget' ? of.id : null,
      budgetGroupId: of.kind === 'group' ? of.id : null,
      locationIds: of.kind !== 'budget' && parameters.locationIds.length ? parameters.locationIds : null,
    },
    { enabled: !isComparison },
  )
  // Budgets of all locations can be compared, whichever location is selected.
  const all = trpc.budgets.listByLocation.useQuery(
    { ids: locations.map((one) => one.id), payload: { pageNumber: 1, pageSize: 5000 } },
    { enabled: isComparison },
  )
  const compared = (all.data?.rows ?? []).filter((one) => parameters.budgetIds.includes(one.mongoId))
  const [isNarrowing, setNarrowing] = useState(false)
  const usedFilters = [parameters.costCentreIds, parameters.fundCodeIds, parameters.analysisTagIds, parameters.budgetCodeIds].filter(
    (ids) => ids.length,
  ).length
  const isOneYear = declared.spread === 'months' || declared.spread === 'locations'
  const yearNames = isComparison
    ? findCommonYears(compared).map((year) => formatBudgetYear(year, 0))
    : (years.data ?? []).map((year) => year.name)
  const { schemes: codings } = useOrganisationTypeAndSchemes()
  const owners = [
    ...budgets.map((one) => ({ value: `budget:${one.mongoId}`, label: one.name })),
    ...(of.kind === 'budget' && !budgets.some((one) => one.mongoId === of.id)
      ? [{ value: formatScope(of), label: 'The budget in the link' }]
      : []),
  ]
  const choices = [
    { group: 'Everything', items: [{ value: 'all', label: `All ${toMidSentence(term('Location').plural)}` }] },
    ...(groups.data?.length
      ? [{ group: term('BudgetGroup').plural, items: groups.data.map((group) => ({ value: `group:${group.id}`, label: group.name })) }]
      : []),
    ...(owners.length ? [{ group: term('Budget').plural, items: owners }] : []),
  ]
  const schemes = [{ value: '0', label: 'Budget codes' }, ...codings.map(({ grouping, label }) => ({ value: String(grouping), label }))]
  const narrow = (field: string) => (ids: number[]) => put({ [field]: ids.join(',') || null })
  return (
    <>
      <Toolbar role="group" aria-label="Scope of the report">
        {isComparison ? (
          <MultiChoice
            aria-label="Budgets to compare"
            placeholder="Two to four budgets"
            w={420}
            maw="100%"
            maximum={4}
            data={locations.flatMap((location) => {
              const locationBudgets = (all.data?.rows ?? []).filter((one) => one.locationId === location.id)
              // Repeat the location in each label, because the chosen value is shown without the heading of its group.
              const items = locationBudgets.map((one) => ({ value: one.mongoId, label: `${location.name}: ${one.name}` }))
              return items.length ? [{ group: location.name, items }] : []
            })}
            value={all.data ? parameters.budgetIds : []}
            onChange={(ids) => put({ compare: ids.join(',') || null, years: null })}
          />
        ) : (
          <Choice
            aria-label="Budgets"
            w={280}
            maw="100%"
            data={choices}
            value={formatScope(of)}
            onChange={(value) => put({ of: value, years: null, locations: null })}
          />
        )}
        {!isComparison && of.kind !== 'budget' && (
          <MultiChoice
            aria-label={term('Location').plural}
            placeholder={`All ${toMidSentence(term('Location').plural)}`}
            w={260}
            maw="100%"
            clearable
            data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
            value={parameters.locationIds.map(String)}
            onChange={(ids) => put({ locations: ids.join(',') || null, years: null })}
          />
        )}
        {isOneYear ? (
          <Choice
            aria-label="Year"
            w={130}
            data={yearNames}
            value={parameters.yearNames[0] ?? yearNames[0] ?? null}
            onChange={(value) => put({ years: value })}
          />
        ) : (
          <MultiChoice
            aria-label="Years"
            placeholder="All years"
            w={220}
            maw="100%"
            clearable
            data={yearNames}
            value={parameters.yearNames.filter((year) => yearNames.includes(year))}
            onChange={(chosen) => put({ years: chosen.join(',') || null })}
          />
        )}
        {declared.kind === 'money' && !declared.mapping && !name.startsWith('stakeHolder') && (
          <Choice
            aria-label="Group by"
            w={170}
            data={schemes}
            value={String(parameters.scheme)}
            onChange={(value) => put({ scheme: value === '0' ? null : value })}
          />
        )}
        {declared.kind !== 'pupils' && declared.kind !== 'measures' && !isComparison && (
          <Button variant="default" aria-expanded={isNarrowing} onClick={() => setNarrowing(!isNarrowing)}>
            {usedFilters ? `Filtered by ${usedFilters}` : 'Filter'}
          </Button>
        )}
      </Toolbar>
      <Collapse expanded={isNarrowing}>
        <div className={classes.narrow}>
          <MultiRecordPicker
            to="costCentre"
            label={term('CostCentre').plural}
            emptyText="All"
            value={parameters.costCentreIds}
            onChange={narrow('centres')}
          />
          <MultiRecordPicker
            to="fundCode"
            label={term('FundCode').plural}
            emptyText="All"
            value={parameters.fundCodeIds}
            onChange={narrow('funds')}
          />
          <MultiRecordPicker
            to="analysisTag"
            label={term('AnalysisTag').plural}
            emptyText="All"
            value={parameters.analysisTagIds}
            onChange={narrow('tags')}
          />
          <MultiRecordPicker
            to="budgetCode"
            label={term('BudgetCode').plural}
            emptyText="All"
            value={parameters.budgetCodeIds}
            onChange={narrow('codes')}
          />
        </div>
      </Collapse>
    </>
  )
}
