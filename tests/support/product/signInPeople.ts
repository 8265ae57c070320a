import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, setPasswordByLink, signInAs, signInByPassword } from './http.ts'
import { type Product, startProduct } from './product.ts'

/** The password that invited users choose. */
export const password = 'A long enough password'

/** The product with new users of Harbour, for testing how they sign in. */
export interface SignInPeople {
  product: Product
  administrator: Caller
  /** The headers that select Harbour. */
  own: { OrganisationId: OrganisationId }
  /** Creates a user with this email address and signs them in. */
  person: (email: string) => Promise<Caller>
  /** The user’s record in the list of users. */
  userNamed: (email: string) => Promise<Body>
}

/** Starts a product for this test file. */
export async function startSignInPeople(): Promise<SignInPeople> {
  const product = await startProduct()
  const administrator = await signInAs(product, 'admin@bursar.example')
  const organisationHeader = { OrganisationId: (await findTrustIds(await signInAs(product, 'finance@harbour.example'))).organisationId }
  const userNamed = async (email: string): Promise<Body> => {
    const list = await administrator.call('POST', '/api/Users/list', { search: email, pageSize: 10 })
    return list.body.rows.find((row: Body) => row.email === email)
  }
  return {
    product,
    administrator,
    own: organisationHeader,
    person: async (email) => {
      await inviteAndSignIn(product, administrator, email, ['ConsoleCostCentresRead'], organisationHeader.OrganisationId)
      await setPasswordByLink(product, administrator, (await userNamed(email)).id, password)
      return signInByPassword(product, email, password)
    },
    userNamed,
  }
}
