import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { toProductUrl } from './ownAddress.ts'

interface AuthConfig {
  issuer: string
  clientId: string
  /** Name of the installation's external identity provider; null if users have passwords here. */
  outside: string | null
}

let settings: Promise<AuthConfig> | undefined
function authConfig(): Promise<AuthConfig> {
  settings ??= fetch('/config.json').then((reply) => reply.json())
  // If reading failed, forget it, so that the next call tries again.
  settings.catch(() => (settings = undefined))
  return settings
}

/** Name of the installation's external identity provider; null if users have passwords here. */
export async function readIdentityProviderName(): Promise<string | null> {
  return (await authConfig()).outside
}

let manager: UserManager | undefined

/** Returns the sign-in of this tab. Tokens are in session storage, never in a cookie or local storage (behaviour B-017). */
export async function getUserManager(): Promise<UserManager> {
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

export async function getAccessToken(): Promise<string | null> {
  const user = await (await getUserManager()).getUser()
  return user && !user.expired ? user.access_token : null
}

/** Whether this tab has signed in before. The token may have expired since then. */
export function hasStoredSession(): boolean {
  return Object.keys(window.sessionStorage ?? {}).some((key) => key.startsWith('oidc.user:'))
}

/**
 * Whether a user is signed in, if necessary after a silent renewal.
 * @throws if the server cannot be reached
 */
export async function hasSession(): Promise<boolean> {
  return Boolean((await getAccessToken()) ?? ((await (await getUserManager()).getUser()) && (await renewToken())))
}

/** A silent renewal that is in progress. Simultaneous calls share it. */
let renewing: Promise<string | null> | undefined
export function renewToken(): Promise<string | null> {
  renewing ??= (async () => {
    try {
      return (await (await getUserManager()).signinSilent())?.access_token ?? null
    } catch {
      return null
    } finally {
      renewing = undefined
    }
  })()
  return renewing
}

/** Redirects to the sign-in, which afterwards returns to the given URL. */
export async function signIn(to: string = window.location.href.slice(window.location.origin.length)): Promise<void> {
  await (await getUserManager()).signinRedirect({ state: { to } })
}

/**
 * Signs in again in a pop-up window, so that this page keeps its content.
 * @returns whether the user has signed in
 */
export async function signInAgain(): Promise<boolean> {
  try {
    await (await getUserManager()).signinPopup()
    return true
  } catch {
    return false
  }
}

/**
 * Completes a sign-in.
 * @returns the URL at which to continue
 */
export async function finishSignIn(): Promise<string> {
  const user = await (await getUserManager()).signinCallback()
  const state = user?.state
  const to = toProductUrl(typeof state === 'object' && state && 'to' in state ? String(state.to) : null, window.location.origin)
  return new URL(to).pathname.startsWith('/auth') ? '/' : to
}

export async function signOut(): Promise<void> {
  await (await getUserManager()).signoutRedirect()
}

/** Removes the user from this tab without contacting the server, which has already ended all of the user's sessions. */
export async function clearSession(): Promise<void> {
  await (await getUserManager()).removeUser()
  window.location.assign((await readIdentityProviderName()) ? '/loggedout?elsewhere=1' : '/loggedout')
}
