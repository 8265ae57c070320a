import { Alert } from '@mantine/core'
import { lookups } from '../../domain/lookups/lookups.ts'
import { type BudgetTableKind, budget, budgetTableKindNames, budgetTableKinds } from '../../domain/resources/entities/budget/budget.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayCount } from '../../domain/values/format.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { FactsTable } from '../ui/table/FactsTable.tsx'
import { type BudgetDraft, removeUnfinishedRows, toCreateBudgetInput } from './budgetDraft.ts'

/** A summary of the budgets to be created and of the settings that they lack. */
export function ReviewStep({ draft }: { draft: BudgetDraft }) {
  const { locations } = useCoreData()
  const types = useRecordNames('contractType', draft.contractTypeIds)
  const assumptions = useRecordNames('staffAssumptions', draft.staffAssumptionsId === null ? [] : [draft.staffAssumptionsId])
  const inflations = useRecordNames('inflation', draft.inflationId === null ? [] : [draft.inflationId])
  const rows = removeUnfinishedRows(draft)
  const review = trpc.budgetRound.review.useQuery(toCreateBudgetInput(draft), { gcTime: 0 })
  const facts: [string, string][] = [
    [budget.fields.locationIds.label, draft.locationIds.map((id) => locations.find((one) => one.id === id)?.name ?? '').join(', ')],
    [budget.fields.name.label, draft.name],
    [budget.fields.versionType.label, lookups.budgetVersionTypes.find((type) => type.id === draft.versionType)?.name ?? ''],
    ['Years', `${displayCount(draft.numberOfYears, 'year')}, starting with ${formatBudgetYear(draft.firstYear, 0)}`],
    [
      budget.fields.staffAssumptionsId.label,
      draft.staffAssumptionsId === null ? 'none' : (assumptions.get(draft.staffAssumptionsId)?.name ?? '…'),
    ],
    [budget.fields.inflationId.label, draft.inflationId === null ? 'none' : (inflations.get(draft.inflationId)?.name ?? '…')],
    [budget.fields.contractTypeIds.label, draft.contractTypeIds.map((id) => types.get(id)?.name ?? '…').join(', ') || 'none'],
    ['Tables', budgetTableKindNames.map((kind: BudgetTableKind) => `${budgetTableKinds[kind].label} ${rows[kind].length}`).join(' · ')],
  ]
  return (
    <>
      {review.isError && <LoadFailed query={review} />}
      {review.data && (
        <Alert
          color={review.data.some((warning) => warning.blocks) ? 'red' : review.data.length ? 'orange' : 'teal'}
          title={review.data.length ? `${displayCount(review.data.length, 'thing')} to check` : 'No problems found'}
          role="status"
        >
          {review.data.length ? (
            <ul className={textStyles.warnings}>
              {review.data.map((warning) => (
                <li key={warning.text}>
                  {warning.blocks && <b>Correct this first: </b>}
                  {warning.text}
                </li>
              ))}
            </ul>
          ) : (
            'Every pay scale has a table from the first day, and every contract type has a pension rate.'
          )}
        </Alert>
      )}
      <Card className={scrollStyles.scroll}>
        <CardHead>
          {displayCount(draft.locationIds.length, 'budget')} will be created <CardNote>if one cannot be created, none are</CardNote>
        </CardHead>
        <FactsTable facts={facts} />
      </Card>
    </>
  )
}
