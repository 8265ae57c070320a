import type { OrganisationId } from '../../../domain/values/ids.ts'
import { Workers } from '../running/worker.ts'
import { type Ids, idsFor } from '../samples/contract.ts'
import { atEnd } from './endings.ts'
import { type Body, type Caller, findTrustIds, type Reply, signInAs, type TrustIds } from './http.ts'
import { connect, type HubListener } from './hub.ts'
import { type Product, startProduct } from './product.ts'

/** Harbour’s budget group, ready to be recalculated: a user who starts it, workers that can be killed, and a connection to the hub. */
export interface Recalculating {
  product: Product
  finance: Caller
  places: TrustIds
  own: { OrganisationId: OrganisationId }
  ids: Ids
  hub: HubListener
  workers: Workers
  /** Starts a recalculation of the group. */
  recalculate: () => Promise<Reply>
  locked: () => Promise<Body>
  /** The last recalculation. */
  event: () => Promise<Body>
  /** The number of times that the hub announced recalculated budgets. */
  recalculatedNotices: () => number
}

/** Starts a product for this test file, without a worker. */
export async function startRecalculating(): Promise<Recalculating> {
  const product = await startProduct()
  const finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  const organisationHeader = { OrganisationId: places.organisationId }
  const ids = await idsFor(finance, places.at('Northgate'))
  const hub = await connect(product, finance, places.organisationId)
  const workers = new Workers()
  atEnd(async () => {
    await hub.connection.stop()
    await workers.killAll()
  })
  const application = async (path: string): Promise<Body> =>
    (await finance.call('GET', `/api/Application/staffcontracts/recalculation/${path}`, undefined, organisationHeader)).body
  return {
    product,
    finance,
    places,
    own: organisationHeader,
    ids,
    hub,
    workers,
    recalculate: () =>
      finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, organisationHeader),
    locked: () => application('locked'),
    event: () => application('event'),
    recalculatedNotices: () => hub.messages.filter((message) => message.target === 'BudgetsRecalculated').length,
  }
}
