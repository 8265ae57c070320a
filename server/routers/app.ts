import { allResources } from '../../domain/resources/all.ts'
import { createCallerFactory, router } from '../trpc/procedures.ts'
import { altDescriptionRouter, codeWordRouter } from './altDescriptions.ts'
import { approvalRouter } from './approval.ts'
import { budgetRoundRouter } from './budgetRound.ts'
import { budgetSummaryRouter } from './budgetSummaries.ts'
import { budgetRouter } from './budgets.ts'
import { calculationRouter } from './calculations.ts'
import { communicationRouter } from './communications.ts'
import { contractFileRouter } from './contractFiles.ts'
import { contractRouter } from './contracts.ts'
import { entryRouter } from './entries.ts'
import { entryFileRouter } from './entryFiles.ts'
import { fundingRouter } from './funding.ts'
import { groupRouter } from './groups.ts'
import { imageRouter } from './images.ts'
import { incomeAndExpenditureRouter } from './incomeAndExpenditure.ts'
import { leaveRouter } from './leave.ts'
import { lineRouter } from './lines.ts'
import { lookupRouter } from './lookups.ts'
import { momentRouter } from './moments.ts'
import { openingBalanceRouter } from './openingBalances.ts'
import { overviewRouter } from './overview.ts'
import { presenceRouter } from './presence.ts'
import { pupilRouter } from './pupils.ts'
import { quickCalculatorRouter } from './quickCalculator.ts'
import { reminderRouter } from './reminders.ts'
import { resourceRouter } from './resourceRouter.ts'
import { scenarioRouter } from './scenarios.ts'
import { staffRouter } from './staff.ts'
import { startupRouter } from './startup.ts'
import { termRouter } from './terms.ts'
import { userRouter } from './users.ts'
import { whatIfRouter } from './whatIf.ts'

/** A router for each declared entity, by its name. */
const resources = Object.fromEntries(allResources.map((resource) => [resource.name, resourceRouter(resource)])) as Record<
  string,
  ReturnType<typeof resourceRouter>
>

export const appRouter = router({
  startup: startupRouter,
  resources: router(resources),
  budgets: budgetRouter,
  budgetRound: budgetRoundRouter,
  moments: momentRouter,
  presence: presenceRouter,
  scenarios: scenarioRouter,
  approval: approvalRouter,
  budgetSummaries: budgetSummaryRouter,
  contracts: contractRouter,
  contractFiles: contractFileRouter,
  entries: entryRouter,
  entryFiles: entryFileRouter,
  calculations: calculationRouter,
  funding: fundingRouter,
  pupils: pupilRouter,
  openingBalances: openingBalanceRouter,
  overview: overviewRouter,
  groups: groupRouter,
  staff: staffRouter,
  terms: termRouter,
  lines: lineRouter,
  lookups: lookupRouter,
  codes: altDescriptionRouter,
  codeWords: codeWordRouter,
  incomeAndExpenditure: incomeAndExpenditureRouter,
  leave: leaveRouter,
  quickCalculator: quickCalculatorRouter,
  images: imageRouter,
  reminders: reminderRouter,
  communications: communicationRouter,
  users: userRouter,
  whatIf: whatIfRouter,
})

export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
