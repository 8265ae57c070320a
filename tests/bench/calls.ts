import { serve } from '../../server/serve.ts'
import { listCommonCalls } from '../support/product/commonCalls.ts'
import { findTrustIds, signInAs } from '../support/product/http.ts'
import { openCountingProxy } from '../support/product/statements.ts'
import { withDemo } from './withDemo.ts'

/**
 * `npm run bench -- calls`: counts the statements and transactions of the commonest calls. @returns whether every call is within its limits
 */
export function calls(): Promise<boolean> {
  return withDemo('calls', async ({ config }) => {
    const line = await openCountingProxy(config.databaseUrl)
    const product = { config: { ...config, databaseUrl: line.url }, origin: config.origin }
    const server = await serve(product.config)
    try {
      const finance = await signInAs(product, 'finance@harbour.example')
      let holds = true
      console.log(`${''.padEnd(42)} statements   at most  transactions   at most`)
      for (const { name, most, make } of await listCommonCalls(product, finance, await findTrustIds(finance))) {
        await make()
        await make()
        const { statements, transactions } = await line.count(make)
        const isOver = statements.length > most.statements || transactions > most.transactions
        if (isOver) holds = false
        const figures = [statements.length, most.statements, transactions, most.transactions].map((figure) => String(figure).padStart(10))
        console.log(`${name.padEnd(42)} ${figures.join('')}${isOver ? '  more than it may' : ''}`)
      }
      return holds
    } finally {
      await server.close()
      await line.close()
    }
  })
}
