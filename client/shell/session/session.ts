import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { toOwnAddress } from './ownAddress.ts'

interface AuthConfig {
  issuer: string
  clientId: string
  /** Name of the installation's external identity provider; null if users have passwords here. */
  outside: string | null
}

let settings: Promise<AuthConfig> | undefined
function authConfig(): Promise<AuthConfig> {
  settings ??= fetch('/config.json').then((reply) => reply.json())
  // Retry on the next call after a failed read.
  settings.catch(() => (settings = undefined))
  return settings
}

/** Name of the installation's external identity provider; null if users have passwords here. */
export async function readIdentityProviderName(): Promise<string | null> {
  return (await authConfig()).outside
}

let manager: UserManager | undefined

/** The sign-in of this tab. Tokens are in session storage, never in a cookie or local storage (behaviour B-017). */
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

/** Whether this tab has signed in before. Its token may have run out since. */
export function hasStoredSession(): boolean {
  return Object.keys(window.sessionStorage ?? {}).some((key) => key.startsWith('oidc.user:'))
}

/**
 * Whether a user is signed in, after a silent renewal if necessary.
 * @throws if the server cannot be reached
 */
export async function hasSession(): Promise<boolean> {
  return Boolean((await getAccessToken()) ?? ((await (await getUserManager()).getUser()) && (await renewToken())))
}

/** A silent renewal in progress; simultaneous calls share it. */
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

/** Redirects to sign-in, and afterwards back to the given URL. */
export async function signIn(to: string = window.location.href.slice(window.location.origin.length)): Promise<void> {
  await (await getUserManager()).signinRedirect({ state: { to } })
}

/** Signs in again in a pop-up window, so that this page keeps its content. */
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
 * @returns the URL to continue at
 */
export async function finishSignIn(): Promise<string> {
  const user = await (await getUserManager()).signinCallback()
  const state = user?.state
  const to = toOwnAddress(typeof state === 'object' && state && 'to' in state ? String(state.to) : null, window.location.origin)
  return new URL(to).pathname.startsWith('/auth') ? '/' : to
}

export async function signOut(): Promise<void> {
  await (await getUserManager()).signoutRedirect()
}

/** Forgets the user without contacting the server, which has already ended all their sessions. */
export async function clearSession(): Promise<void> {
  await (await getUserManager()).removeUser()
  window.location.assign((await readIdentityProviderName()) ? '/loggedout?elsewhere=1' : '/loggedout')
}
