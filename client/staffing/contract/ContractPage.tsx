import { skipToken } from '@tanstack/react-query'
import { useLocation, useParams, useSearchParams } from 'react-router'
import { isMongoId } from '../../budget/isMongoId.ts'
import { RecordLoader } from '../../budget/RecordLoader.tsx'
import { getSuggestedPayChange } from '../../budget/suggestedPayChange.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { type api, trpc } from '../../shell/api.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { ContractNotFound } from '../ContractNotFound.tsx'
import { ContractEditor } from './ContractEditor.tsx'
import { buildDraftFromQuickCalculation, createEmptyContract, toContractDraft } from './contractDraft.ts'

type ShownContract = Awaited<ReturnType<typeof api.contracts.get.query>>

/**
 * The page of a contract. It shows a saved contract, which may have a suggested change filled in, or a new contract: empty, for an
 * employee, as a copy (behaviour B-182), or from a quick calculation.
 */
export function ContractPage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const putRight = getSuggestedPayChange(useLocation().state)
  const budget = useSelectedBudget()
  const form = useStableForm<ShownContract>('/staffing/staff-contracts', id, search.toString())
  const contract = trpc.contracts.get.useQuery(isMongoId(id) ? { id } : skipToken, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const [copyOf, quickId] = [search.get('copy'), search.get('quick')]
  const isQuick = isMongoId(quickId)
  const isCopied = isMongoId(copyOf) && !isQuick
  const copy = trpc.contracts.duplicate.useQuery(isCopied ? { id: copyOf } : skipToken, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const quick = trpc.quickCalculator.get.useQuery(isQuick ? { id: quickId } : skipToken, { gcTime: 0 })
  if ((isCopied && copy.isLoadingError) || (isQuick && quick.isLoadingError)) return <ContractNotFound />
  if ((isCopied && !copy.data) || (isQuick && !quick.data)) return <Spinner />
  const firstDay = `${budget.firstYear}-${String(budget.startMonth).padStart(2, '0')}-01`
  const start = copy.data
    ? toContractDraft(copy.data)
    : quick.data
      ? buildDraftFromQuickCalculation(quick.data, firstDay)
      : createEmptyContract(firstDay, search.get('employee'))
  return (
    <RecordLoader form={form} query={contract} missing={<ContractNotFound />}>
      {(loaded) => (
        <ContractEditor
          key={form.key}
          loaded={loaded}
          onMade={form.moveToUrlOf}
          start={loaded ? toContractDraft(loaded) : start}
          isCopy={!loaded && (isCopied || isQuick)}
          suggestion={putRight}
        />
      )}
    </RecordLoader>
  )
}
