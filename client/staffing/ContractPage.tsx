import { useLocation, useParams, useSearchParams } from 'react-router'
import { isMongoId } from '../budget/isMongoId.ts'
import { putRightOf } from '../budget/putRight.ts'
import { problemOf, trpc } from '../shell/api.ts'
import { useCore } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../shell/selection.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { ContractEditor } from './ContractEditor.tsx'
import { ContractNotFound } from './ContractNotFound.tsx'
import { draftOf, draftOfQuick, emptyDraft } from './draft.ts'

/** A contract by its id; somebody who comes to put it right finds the change made, and saves it. */
function EditContractPage() {
  const { id } = useParams()
  const putRight = putRightOf(useLocation().state)
  const contract = trpc.contracts.get.useQuery({ id: id! }, { enabled: isMongoId(id), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  if (!isMongoId(id) || (contract.isError && problemOf(contract.error).kind === 'notFound')) return <ContractNotFound />
  if (contract.isError) return <LoadFailed query={contract} />
  if (!contract.data) return <Spinner />
  return <ContractEditor key={id} loaded={contract.data} start={draftOf(contract.data)} putRight={putRight} />
}

/** A new contract: empty, for an employee, as a copy of another (behaviour B-182), or from a quick calculation. */
function AddContractPage() {
  const [search] = useSearchParams()
  const { budgets } = useCore()
  const { budgetId } = useSelection()
  const copyOf = search.get('copy')
  const copy = trpc.contracts.duplicate.useQuery(
    { id: copyOf! },
    { enabled: isMongoId(copyOf), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
  const quickId = search.get('quick')
  const quick = trpc.quickCalculator.get.useQuery({ id: quickId! }, { enabled: isMongoId(quickId), gcTime: 0 })
  const budget = budgets.find((one) => one.mongoId === budgetId)!
  const firstDay = `${budget.firstYear}-${String(budget.startMonth).padStart(2, '0')}-01`
  if (isMongoId(quickId)) {
    if (quick.isError) return <ContractNotFound />
    return quick.data ? <ContractEditor key={quickId} loaded={null} start={draftOfQuick(quick.data, firstDay)} isCopy /> : <Spinner />
  }
  if (!isMongoId(copyOf)) return <ContractEditor key="add" loaded={null} start={emptyDraft(firstDay, search.get('employee'))} />
  if (copy.isError) return <ContractNotFound />
  if (!copy.data) return <Spinner />
  return <ContractEditor key={copyOf} loaded={null} start={draftOf(copy.data)} isCopy />
}

/** A contract: a new one, or one by its id. */
export function ContractPage() {
  return useParams().id === undefined ? <AddContractPage /> : <EditContractPage />
}
