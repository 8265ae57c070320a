import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'

interface AuthConfig {
  issuer: string
  clientId: string
  /** What the sign-in is called that the installation brings itself; null where people have a password here. */
  outside: string | null
}

let settings: Promise<AuthConfig> | undefined
function authConfig(): Promise<AuthConfig> {
  settings ??= fetch('/config.json').then((reply) => reply.json())
  // What could not be read is asked for again.
  settings.catch(() => (settings = undefined))
  return settings
}

/** What the sign-in is called that the installation brings itself; null where people have a password here. */
export async function outsideSignIn(): Promise<string | null> {
  return (await authConfig()).outside
}

let manager: UserManager | undefined

/** The sign-in of this tab. Tokens stay in session storage, never in a cookie or local storage (behaviour B-017). */
export async function session(): Promise<UserManager> {
  if (manager) return manager
  const config = await authConfig()
  const { origin } = window.location
  manager = new UserManager({
    authority: config.issuer,
    client_id: config.clientId,
    redirect_uri: `${origin}/auth/callback`,
    silent_redirect_uri: `${origin}/auth/silent-renew`,
    post_logout_redirect_uri: `${origin}/loggedout`,
    scope: 'openid profile email api',
    automaticSilentRenew: true,
    accessTokenExpiringNotificationTimeInSeconds: 90,
    userStore: new WebStorageStateStore({ store: window.sessionStorage ?? new InMemoryWebStorage() }),
  })
  return manager
}

export async function accessToken(): Promise<string | null> {
  const user = await (await session()).getUser()
  return user && !user.expired ? user.access_token : null
}

/** Whether somebody is signed in here, if need be after a renewal without anything to see. @throws when the server cannot be reached */
export async function hasSession(): Promise<boolean> {
  return Boolean((await accessToken()) ?? ((await (await session()).getUser()) && (await renew())))
}

/** One renewal without anything to see; several calls share it. */
let renewing: Promise<string | null> | undefined
export function renew(): Promise<string | null> {
  renewing ??= (async () => {
    try {
      return (await (await session()).signinSilent())?.access_token ?? null
    } catch {
      return null
    } finally {
      renewing = undefined
    }
  })()
  return renewing
}

/** Off to sign in, and back to the address that was asked for. */
export async function signIn(to: string = window.location.pathname + window.location.search): Promise<void> {
  await (await session()).signinRedirect({ state: { to } })
}

/** Signs in again in a window of its own, so that what stands on this page stays. */
export async function signInAgain(): Promise<boolean> {
  try {
    await (await session()).signinPopup()
    return true
  } catch {
    return false
  }
}

/** Where a finished sign-in goes on. */
export async function finishSignIn(): Promise<string> {
  const user = await (await session()).signinCallback()
  const state = user?.state
  const to = typeof state === 'object' && state && 'to' in state ? String(state.to) : '/'
  return to.startsWith('/') && !to.startsWith('//') && !to.startsWith('/auth') ? to : '/'
}

export async function signOut(): Promise<void> {
  await (await session()).signoutRedirect()
}

/** Leaves this page where the server has ended every sign-in already: it knows none any more that it could be asked to end. */
export async function leave(): Promise<void> {
  await (await session()).removeUser()
  window.location.assign((await outsideSignIn()) ? '/loggedout?elsewhere=1' : '/loggedout')
}
