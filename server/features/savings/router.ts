import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { savingsProblem } from '../../../domain/savings/savings.ts'
import { solve } from '../../../domain/savings/solve.ts'
import { defineRestPaths, inOrganisation, router } from '../../core/calls/procedures.ts'
import * as replies from './replies.ts'
import { createSolver } from './solver.ts'

const at = defineRestPaths('/api/Savings', { term: { singular: 'Savings plan', plural: 'Savings plans' } })
/** How long the search for a plan may take. Problems of 60 options and 40 rules take a few seconds. */
const mostSeconds = 20

/** The least painful savings (rules.md §22). */
export const savingsRouter = router({
  solve: inOrganisation(
    listViewPermissions('BudgetingOverview'),
    'long',
    at('POST', '/solve', { summary: 'Find the least painful options that save enough' }),
  )
    .input(savingsProblem)
    .output(replies.answer)
    .query(async ({ input }) => solve(input, await createSolver(mostSeconds))),
})
