import { createTRPCClient, httpLink } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from '../../../server/features/appRouter.ts'
import type { Caller, Selection } from './http.ts'
import type { Product } from './product.ts'

/** A tRPC client that calls the procedures as the browser does. */
export function proceduresOf({ origin }: Pick<Product, 'origin'>, { token }: Caller, selection: Selection, key?: string) {
  const headers = {
    ApiVersion: '2',
    Authorization: `Bearer ${token}`,
    ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)])),
    ...(key ? { 'Idempotency-Key': key } : {}),
  }
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${origin}/trpc`, transformer: superjson, headers })] })
}
