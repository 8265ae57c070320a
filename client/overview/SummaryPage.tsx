import { Skeleton, Tabs } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { budgetState } from '../../domain/lookups/lookupIds.ts'
import { displayDate, formatRelativeTime } from '../../domain/values/format.ts'
import { answerCache, trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../shell/selection.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { AssumptionsTab } from './AssumptionsTab.tsx'
import { BudgetTree } from './BudgetTree.tsx'
import { ByCodingTab } from './ByCodingTab.tsx'
import { ContractTypesTab } from './ContractTypesTab.tsx'
import { HeadlineFigures } from './HeadlineFigures.tsx'
import { TablesTab } from './TablesTab.tsx'

function prepare(): void {
  void answerCache.budgets.summary.prefetch()
  void answerCache.overview.summary.prefetch()
}

/** A summary of the budget: its years, its problems, the tree down to single lines, and its assumptions. */
export function SummaryPage() {
  const [search, setSearch] = useSearchParams()
  const { locations } = useCoreData()
  const { locationId } = useSelection()
  const school = locations.find((one) => one.id === locationId)?.name
  const head = trpc.budgets.summary.useQuery()
  const overview = trpc.overview.summary.useQuery()
  if (overview.isError) return <LoadFailed query={overview} />
  if (head.isError) return <LoadFailed query={head} />
  if (!overview.data || !head.data) return <Skeleton height={320} />
  const { budget, savedBy } = head.data
  const tab = search.get('tab') ?? 'totals'
  return (
    <>
      <PageHead
        title={school ? `${school}: ${budget.name}` : budget.name}
        documentTitle="Summary - Overview"
        pills={
          <>
            <Pill>{budget.startMonth === 9 ? 'September to August' : 'April to March'}</Pill>
            {budget.state === budgetState.locked && <Pill tone="warn">Locked {displayDate(budget.lockedAt)}</Pill>}
          </>
        }
        facts={
          <>
            Saved {formatRelativeTime(budget.savedAt, new Date())}
            {savedBy && <> by {savedBy}</>}
          </>
        }
      />
      <Tabs
        value={tab}
        onChange={(value) => setSearch(value === 'totals' || !value ? {} : { tab: value }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="totals">Totals</Tabs.Tab>
          <Tabs.Tab value="coding">By centre and fund</Tabs.Tab>
          <Tabs.Tab value="assumptions">Budget assumptions</Tabs.Tab>
          <Tabs.Tab value="types">Contract types</Tabs.Tab>
          <Tabs.Tab value="tables">Effective tables</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="totals">
          <HeadlineFigures overview={overview.data} school={school ?? budget.name} />
          <BudgetTree overview={overview.data} />
        </Tabs.Panel>
        <Tabs.Panel value="coding">
          <ByCodingTab />
        </Tabs.Panel>
        <Tabs.Panel value="assumptions">
          <AssumptionsTab budget={budget} />
        </Tabs.Panel>
        <Tabs.Panel value="types">
          <ContractTypesTab />
        </Tabs.Panel>
        <Tabs.Panel value="tables">
          <TablesTab budget={budget} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
SummaryPage.prepare = prepare
