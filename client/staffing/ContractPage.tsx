import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { api, problemOf } from '../api/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { useCore } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { ContractEditor, ContractNotFound } from './ContractEditor.tsx'
import { draftOf, draftOfQuick, emptyDraft } from './draft.ts'

export const isMongoId = (id: string | null | undefined): id is string => Boolean(id && /^[0-9a-f]{24}$/.test(id))

/** A contract by its id. */
export function EditContractPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const contract = useQuery({
    queryKey: ['contracts', 'one', budgetId, id],
    queryFn: () => api.contracts.get.query({ id: id! }),
    enabled: isMongoId(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (!isMongoId(id) || (contract.isError && problemOf(contract.error).kind === 'notFound')) return <ContractNotFound />
  if (contract.isError) return <LoadFailed query={contract} />
  if (!contract.data) return <Spinner />
  return <ContractEditor key={id} start={draftOf(contract.data)} />
}

/** A new contract: empty, for an employee, as a copy of another (behaviour B-182), or from a quick calculation. */
export function AddContractPage() {
  const [search] = useSearchParams()
  const { budgets } = useCore()
  const { budgetId } = useSelection()
  const copyOf = search.get('copy')
  const copy = useQuery({
    queryKey: ['duplicate', budgetId, copyOf],
    queryFn: () => api.contracts.duplicate.query({ id: copyOf! }),
    enabled: isMongoId(copyOf),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const quickId = search.get('quick')
  const quick = useQuery({
    queryKey: ['quick', 'forContract', budgetId, quickId],
    queryFn: () => api.quickCalculator.get.query({ id: quickId! }),
    enabled: isMongoId(quickId),
    gcTime: 0,
  })
  const budget = budgets.find((one) => one.mongoId === budgetId)!
  const firstDay = `${budget.firstYear}-${String(budget.startMonth).padStart(2, '0')}-01`
  if (isMongoId(quickId)) {
    if (quick.isError) return <ContractNotFound />
    return quick.data ? <ContractEditor key={quickId} start={draftOfQuick(quick.data, firstDay)} isCopy /> : <Spinner />
  }
  if (!isMongoId(copyOf)) return <ContractEditor key="add" start={emptyDraft(firstDay, search.get('employee'))} />
  if (copy.isError) return <ContractNotFound />
  if (!copy.data) return <Spinner />
  return <ContractEditor key={copyOf} start={draftOf(copy.data)} isCopy />
}
