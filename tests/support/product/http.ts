import { createHash, randomBytes } from 'node:crypto'
import { type BudgetGroupId, type BudgetId, type LocationId, type OrganisationId, toOrganisationId } from '../../../domain/values/ids.ts'
import { demoClients, demoPassword } from '../../../server/demo/access.ts'
import { checkReply } from '../samples/description.ts'
import type { Product } from './product.ts'
import { issueToken } from './tokens.ts'

/** A running product: one started by the test, or another that listens somewhere. */
type RunningProduct = Pick<Product, 'origin'> & Partial<Product> & { readonly isOlder?: boolean }

/** A JSON body. Each test states the shape that it expects. */
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies as the outside world does, by key
export type Body = any

export interface Reply<T = Body> {
  status: number
  body: T
  headers: Headers
}

export interface Caller {
  token: string
  /** Calls the REST API as this caller. */
  call<T = Body>(method: string, path: string, body?: unknown, selection?: Selection & Record<string, string | number>): Promise<Reply<T>>
}

export interface Selection {
  OrganisationId?: OrganisationId
  LocationId?: LocationId
  BudgetId?: BudgetId
}

export function createCaller({ origin, isOlder }: RunningProduct, token: string): Caller {
  return {
    token,
    async call(method, path, body, selection = {}) {
      const headers = new Headers({
        ApiVersion: '2',
        Authorization: `Bearer ${token}`,
        ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)])),
      })
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const reply = await fetch(origin + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
      const text = await reply.text()
      const isJson = reply.headers.get('content-type')?.includes('json')
      const read = text && isJson ? JSON.parse(text) : text
      // An older build follows its own OpenAPI document.
      if (!isOlder) checkReply(method, path, reply.status, reply.headers.get('content-type'), read)
      return { status: reply.status, body: read, headers: reply.headers }
    },
  }
}

/** Signs in an external system with its client id and secret. */
export async function asClient(product: Product, trust: 'harbour' | 'meadow'): Promise<Caller> {
  const client = demoClients.find((one) => one.trust === trust)!
  const reply = await fetch(`${product.origin}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.secret, scope: 'api' }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  return createCaller(product, token)
}

/** A sign-in as a browser makes it: authorization code flow with PKCE, through the issuer’s pages. */
export interface SigningIn {
  /** Requests a path of the sign-in in its browser. @param below path below the sign-in’s page, such as '/passkey' */
  ask(below: string): Promise<Response>
  /** Loads the current page of the sign-in. */
  read(): Promise<string>
  /** Submits the form of the page. @returns the next page; null once signed in */
  send(fields: Record<string, string>): Promise<{ status: number; text: string } | null>
  /**
   * Submits the form of the page and waits before following the redirect. @returns a function that follows it; its result is null if nobody
   * is signed in
   */
  hold(fields: Record<string, string>): Promise<() => Promise<Caller | null>>
  /** The signed-in caller. */
  caller(): Promise<Caller>
  /** Requests a new token without a page, as an open tab does. @returns null if the sign-in has ended */
  renew(): Promise<Caller | null>
  /** Opens the product again in the same browser, which is no longer signed in. */
  again(): Promise<void>
}

/** Requests a URL with the browser’s cookies, without following redirects. */
type Visit = (url: string, init?: RequestInit) => Promise<Response>

/** A browser with its own cookies, and the sign-in that the product’s page requests. */
function openBrowser(product: RunningProduct, headers: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const jar = new Map<string, string>()
  const visit: Visit = async (url, init = {}) => {
    const sent = new Headers({ ...headers, Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') })
    const reply = await fetch(new URL(url, product.origin), { ...init, headers: sent, redirect: 'manual' })
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair] = cookie.split(';')
      const at = pair!.indexOf('=')
      if (pair!.slice(at + 1)) jar.set(pair!.slice(0, at), pair!.slice(at + 1))
      else jar.delete(pair!.slice(0, at))
    }
    return reply
  }
  const redirect = `${product.origin}/auth/callback`
  const question = new URLSearchParams({
    client_id: 'bursar',
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile email api',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state',
  })
  const tokenFor = async (location: string): Promise<Caller | null> => {
    const code = new URL(location).searchParams.get('code')
    if (!code) return null
    const reply = await fetch(`${product.origin}/oidc/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'bursar',
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
      }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    return createCaller(product, token)
  }
  return { visit, begin: `/oidc/auth?${question}`, redirect, tokenFor }
}

/** Starts a sign-in. @param headers the browser’s headers, such as User-Agent */
export async function beginSignIn(product: RunningProduct, headers: Record<string, string> = {}): Promise<SigningIn> {
  const { visit, begin, tokenFor } = openBrowser(product, headers)
  const open = async (): Promise<string> => (await visit(begin)).headers.get('location')!
  let page = await open()
  let finished = ''
  return {
    ask: (below) => visit(page + below, { method: 'POST' }),
    read: async () => (await visit(page)).text(),
    async send(fields) {
      const answered = await visit(page, { method: 'POST', body: new URLSearchParams(fields) })
      const location = answered.headers.get('location')
      if (!location) return { status: answered.status, text: await answered.text() }
      if (new URL(location, product.origin).pathname === page) return { status: 200, text: await (await visit(page)).text() }
      finished = (await visit(location)).headers.get('location')!
      return null
    },
    async hold(fields) {
      const location = (await visit(page, { method: 'POST', body: new URLSearchParams(fields) })).headers.get('location')!
      return async () => {
        const onward = (await visit(location)).headers.get('location')
        return onward === null ? null : tokenFor(onward)
      }
    },
    caller: async () => (await tokenFor(finished))!,
    renew: async () => tokenFor((await visit(`${begin}&prompt=none`)).headers.get('location')!),
    again: async () => {
      page = await open()
    },
  }
}

/** The result of a sign-in through an outside issuer. */
export interface OutsideSignIn {
  /** The signed-in caller; null if a page says why nobody is signed in. */
  caller: Caller | null
  /** The text of the page at which it stopped. */
  page: string
  /** The URL with which the issuer sent the browser back. */
  answered: string
  visit: Visit
  /** Follows the page’s link to use another account. */
  again(): Promise<OutsideSignIn>
  /** Submits the form of the page. */
  send(fields: Record<string, string>): Promise<OutsideSignIn>
  /** Signs out. @returns the URL it leads to, or the page that leads there */
  signOut(): Promise<string>
}

/**
 * Signs in through a product’s outside issuer, as a browser does. @param tamper changes the URL with which the issuer sends the browser
 * back
 */
export async function signInThroughIssuer(product: Product, tamper: (answer: URL) => void = () => undefined): Promise<OutsideSignIn> {
  const { visit, begin, redirect, tokenFor } = openBrowser(product)
  const started = await visit(begin)
  const page = started.headers.get('location')!
  let answered = ''
  const follow = async (reply: Response, from: string): Promise<OutsideSignIn> => {
    const location = reply.headers.get('location')
    const here = location ? new URL(location, from) : null
    if (here && !here.href.startsWith(redirect)) {
      if (here.pathname === '/sign-in/callback') {
        tamper(here)
        answered = here.href
      }
      return follow(await visit(here.href), here.href)
    }
    return {
      caller: here && (await tokenFor(here.href)),
      page: here ? '' : await reply.text(),
      answered,
      visit,
      again: async () => follow(await visit(`${page}?choose=1`), product.origin),
      send: async (fields) => follow(await visit(page, { method: 'POST', body: new URLSearchParams(fields) }), product.origin),
      async signOut() {
        const parameters = new URLSearchParams({ client_id: 'bursar', post_logout_redirect_uri: `${product.origin}/loggedout` })
        const form = await (await visit(`/oidc/session/end?${parameters}`)).text()
        const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)![1]!
        const body = new URLSearchParams({ xsrf, logout: 'yes' })
        const ended = await visit('/oidc/session/end/confirm', { method: 'POST', body })
        return ended.headers.get('location') ?? ended.text()
      },
    }
  }
  return follow(started, product.origin)
}

/** Signs in a user. The pages are skipped if the test has the product’s signing key, because the sign-in itself is not under test. */
export async function signInAs(product: RunningProduct, email: string): Promise<Caller> {
  return product.config ? createCaller(product, await issueToken(product.config, email)) : signInByPassword(product, email)
}

/** Signs in a user with a password through the page. @throws Error if the page refuses it */
export async function signInByPassword(product: RunningProduct, email: string, password = demoPassword): Promise<Caller> {
  const signingIn = await beginSignIn(product)
  await signingIn.read()
  const refused = await signingIn.send({ email, password })
  if (refused) throw new Error(`Sign-in refused: ${refused.status} ${refused.text}`)
  return signingIn.caller()
}

/** Creates a user with exactly these permissions in an organisation, as the administrator, and signs in. */
export async function inviteAndSignIn(
  product: Product,
  administrator: Caller,
  email: string,
  permissions: readonly string[],
  organisationId: OrganisationId,
  locationIds: readonly LocationId[] = [],
): Promise<Caller> {
  const group = await administrator.call('POST', '/api/UserGroups', {
    name: `Group of ${email}`,
    permissions: permissions.map((name) => ({ name })),
  })
  const user = await administrator.call('POST', '/api/Users', {
    email,
    forename: 'Sample',
    surname: email.split('@')[0],
    active: true,
    organisationIds: [organisationId],
    locationIds,
    userGroupIds: [group.body.id],
  })
  if (user.status !== 201) throw new Error(`Not created: ${user.body}`)
  return signInAs(product, email)
}

/** Sets a password through the one-time link that the administrator sees. @returns the password */
export async function setPasswordByLink(
  product: Product,
  administrator: Caller,
  userId: number,
  password = 'A long enough password',
): Promise<string> {
  const { link } = await browserCall<{ link: string }>(product, administrator, 'users.invite', { id: userId })
  const page = new URL(link).pathname
  const reply = await fetch(product.origin + page, {
    method: 'POST',
    body: new URLSearchParams({ password, again: password }),
    redirect: 'manual',
  })
  if (reply.status !== 303) throw new Error(`The link was refused: ${reply.status} ${await reply.text()}`)
  return password
}

/** Makes a mutation that only the browser uses, as the browser does. @throws Error with the server’s message */
export async function browserCall<T = Body>(
  { origin }: Product,
  caller: Caller,
  procedure: string,
  input: unknown,
  selection: Selection = {},
): Promise<T> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${caller.token}`,
    ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)])),
  }
  const reply = await fetch(`${origin}/trpc/${procedure}`, { method: 'POST', headers, body: JSON.stringify({ json: input }) })
  const body = (await reply.json()) as { result?: { data: { json: T } }; error?: { json: { message: string } } }
  if (!body.result) throw new Error(body.error?.json.message ?? `status ${reply.status}`)
  return body.result.data.json
}

/** Makes a query that only the browser uses, as the browser does. */
export async function browserAsk(
  { origin }: Product,
  caller: Caller,
  procedure: string,
  input: unknown,
  selection: Selection = {},
): Promise<{ status: number; data: Body; text: string }> {
  const headers = {
    Authorization: `Bearer ${caller.token}`,
    ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)])),
  }
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`
  const reply = await fetch(`${origin}/trpc/${procedure}${query}`, { headers })
  const text = await reply.text()
  return { status: reply.status, data: JSON.parse(text).result?.data.json, text }
}

/** The ids of a demo trust, its locations and their budgets, by name. */
export interface TrustIds {
  organisationId: OrganisationId
  /** By the location’s alias. */
  locations: Record<string, LocationId>
  budgets: Record<string, BudgetId>
  groupId: BudgetGroupId
  /** The selection headers of a location and its budget. */
  at(alias: string): Required<Selection>
}

const everything = { pageNumber: 1, pageSize: 5000 }

/** Looks up the ids of an organisation. @param organisation one of the caller’s; by default the first */
export async function findTrustIds(caller: Caller, organisation?: OrganisationId): Promise<TrustIds> {
  const organisations = await caller.call('POST', '/api/Organisations/list', everything)
  const organisationId = organisation ?? toOrganisationId(organisations.body.rows[0].id)
  const locations = await caller.call('POST', '/api/Locations/list', everything, { OrganisationId: organisationId })
  const budgets = await caller.call('POST', '/api/Budget/paginated', everything, { OrganisationId: organisationId })
  const groups = await caller.call('GET', '/api/BudgetGroup/list', undefined, { OrganisationId: organisationId })
  const byAlias = Object.fromEntries(locations.body.rows.map((row: { alias: string; id: LocationId }) => [row.alias, row.id])) as Record<
    string,
    LocationId
  >
  const byLocation = Object.fromEntries(
    Object.entries(byAlias).map(([alias, id]) => [
      alias,
      budgets.body.rows.find((row: { locationId: LocationId }) => row.locationId === id)?.mongoId,
    ]),
  ) as Record<string, BudgetId>
  return {
    organisationId,
    locations: byAlias,
    budgets: byLocation,
    groupId: groups.body[0]?.id,
    at: (alias) => ({ OrganisationId: organisationId, LocationId: byAlias[alias]!, BudgetId: byLocation[alias]! }),
  }
}
