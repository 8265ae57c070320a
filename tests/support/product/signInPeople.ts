import type { OrganisationId } from '../../../domain/values/ids.ts'
import { asInvited, asUser, type Body, type Caller, passwordOf, placesOf, signInByPassword } from './http.ts'
import { type Product, startProduct } from './product.ts'

/** The password that people who are invited choose. */
export const password = 'A long enough password'

/** The product with new people of Harbour in it, for how they sign in. */
export interface SignInPeople {
  product: Product
  administrator: Caller
  /** The selection of Harbour. */
  own: { OrganisationId: OrganisationId }
  /** Somebody new, by what they type. */
  person: (email: string) => Promise<Caller>
  /** Somebody as the list of users has them. */
  userNamed: (email: string) => Promise<Body>
}

/** Starts a product of the test file's own. */
export async function startSignInPeople(): Promise<SignInPeople> {
  const product = await startProduct()
  const administrator = await asUser(product, 'admin@bursar.example')
  const own = { OrganisationId: (await placesOf(await asUser(product, 'finance@harbour.example'))).organisationId }
  const userNamed = async (email: string): Promise<Body> => {
    const list = await administrator.call('POST', '/api/Users/list', { search: email, pageSize: 10 })
    return list.body.rows.find((row: Body) => row.email === email)
  }
  return {
    product,
    administrator,
    own,
    person: async (email) => {
      await asInvited(product, administrator, email, ['ConsoleCostCentresRead'], own.OrganisationId)
      await passwordOf(product, administrator, (await userNamed(email)).id, password)
      return signInByPassword(product, email, password)
    },
    userNamed,
  }
}
