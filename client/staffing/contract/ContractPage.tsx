import { skipToken } from '@tanstack/react-query'
import { useLocation, useParams, useSearchParams } from 'react-router'
import { isMongoId } from '../../budget/isMongoId.ts'
import { OpenedRecord } from '../../budget/OpenedRecord.tsx'
import { putRightOf } from '../../budget/putRight.ts'
import { useBudget } from '../../budget/useBudget.ts'
import { useSameForm } from '../../resources/editor/useSameForm.ts'
import { type api, trpc } from '../../shell/api.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { ContractNotFound } from '../ContractNotFound.tsx'
import { ContractEditor } from './ContractEditor.tsx'
import { draftOf, draftOfQuick, emptyDraft } from './draft.ts'

type ShownContract = Awaited<ReturnType<typeof api.contracts.get.query>>

/**
 * A saved contract, possibly with a suggested change filled in, or a new one: empty, for an employee, as a copy
 * (behaviour B-182), or from a quick calculation.
 */
export function ContractPage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const putRight = putRightOf(useLocation().state)
  const budget = useBudget()
  const form = useSameForm<ShownContract>('/staffing/staff-contracts', id, search.toString())
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
    ? draftOf(copy.data)
    : quick.data
      ? draftOfQuick(quick.data, firstDay)
      : emptyDraft(firstDay, search.get('employee'))
  return (
    <OpenedRecord form={form} query={contract} missing={<ContractNotFound />}>
      {(loaded) => (
        <ContractEditor
          key={form.key}
          loaded={loaded}
          onMade={form.goOnAt}
          start={loaded ? draftOf(loaded) : start}
          isCopy={!loaded && (isCopied || isQuick)}
          putRight={putRight}
        />
      )}
    </OpenedRecord>
  )
}
