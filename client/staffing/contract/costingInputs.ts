import { getQueryKey } from '@trpc/react-query'
import type { ContractId } from '../../../domain/values/ids.ts'
import { type api, type RouterOutputs, trpc } from '../../shell/api.ts'

type Answer = RouterOutputs['contracts']['inputs']
type OfBudget = NonNullable<Answer['budget']>

export type CostingInputs = Omit<Answer, 'budget' | 'digest' | 'people'> &
  Omit<OfBudget, 'frozen'> & { frozen: OfBudget['frozen'] & Pick<Answer, 'people'> }

/**
 * The part of the inputs that all contracts of a budget share, as last received. It is large, so the server sends it
 * again only when it has changed.
 */
let cachedBudget: { digest: string; budget: OfBudget } | null = null

/** The query for the inputs that cost a contract during editing: the current rates and the employee’s other contracts. */
export function createCostingInputsQuery(client: typeof api, input: { contractId: ContractId | null; employeeNumber: string | null }) {
  return {
    queryKey: getQueryKey(trpc.contracts.inputs, input, 'query'),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<CostingInputs> => {
      const before = cachedBudget
      const answer = await client.contracts.inputs.query({ ...input, known: before?.digest ?? null }, { signal })
      const { budget = before?.budget, digest, people, ...employeeInputs } = { ...answer, budget: answer.budget ?? undefined }
      if (!budget) throw new Error('The inputs of the budget are missing from the answer.')
      cachedBudget = { digest, budget }
      return { ...employeeInputs, ...budget, frozen: { ...budget.frozen, people } }
    },
    staleTime: 30_000,
  }
}
