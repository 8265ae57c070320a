import { allResources } from '../../domain/resources/all.ts'
import { createCallerFactory, router } from '../trpc/procedures.ts'
import { budgetRouter } from './budgets.ts'
import { contractRouter } from './contracts.ts'
import { groupRouter } from './groups.ts'
import { resourceRouter } from './resourceRouter.ts'
import { staffRouter } from './staff.ts'
import { startupRouter } from './startup.ts'
import { termRouter } from './terms.ts'

/** A router for each declared entity, by its name. */
const resources = Object.fromEntries(allResources.map((resource) => [resource.name, resourceRouter(resource)])) as Record<
  string,
  ReturnType<typeof resourceRouter>
>

export const appRouter = router({
  startup: startupRouter,
  resources: router(resources),
  budgets: budgetRouter,
  contracts: contractRouter,
  groups: groupRouter,
  staff: staffRouter,
  terms: termRouter,
})

export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
