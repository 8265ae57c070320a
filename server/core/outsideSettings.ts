import { z } from 'zod'
import type { Env } from './settings.ts'

/** A rule that puts people with a value of a claim into a user group of an organisation. It names both the group and the organisation. */
export interface GroupRule {
  value: string
  organisation: string
  userGroup: string
}

/** The OpenID Connect issuer at which the people of an installation sign in. */
export interface IssuerSettings {
  issuer: string
  clientId: string
  /** Null: a public client, protected by PKCE alone. */
  clientSecret: string | null
  /** Its name on the sign-in button: "Sign in with …". */
  name: string
  /**
   * Whether to trust its email addresses without `email_verified`: safe only if the operator controls every address of
   * the issuer.
   */
  trustEmail: boolean
  /** Which side requires the second step of a sign-in. */
  secondStep: 'here' | 'issuer'
  /** The claim that holds groups, and the rules from the settings. Administrators add rules for their organisations. */
  groups: { claim: string; rules: GroupRule[] }
}

const groupRules = z
  .array(z.strictObject({ value: z.string().min(1), organisation: z.string().min(1), userGroup: z.string().min(1) }))
  .min(1)
  .max(1000)

/** The default claim that holds groups. */
export const defaultGroupsClaim = 'groups'

/** @throws Error with one sentence if the setting is not a list of rules */
function parseGroupRules({ OIDC_GROUPS: text, OIDC_GROUPS_CLAIM: claim }: Env): IssuerSettings['groups'] {
  if (!text) return { claim: claim || defaultGroupsClaim, rules: [] }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error('OIDC_GROUPS must be JSON, as [{"value":"…","organisation":"…","userGroup":"…"}].')
  }
  const read = groupRules.safeParse(given)
  if (!read.success)
    throw new Error('OIDC_GROUPS must be a list of 1 to 1,000 rules, each as {"value":"…","organisation":"…","userGroup":"…"}.')
  return { claim: claim || defaultGroupsClaim, rules: read.data }
}

const ownMachine = ['localhost', '127.0.0.1']

/**
 * Microsoft’s shared endpoints, at which anyone can sign in with an unverified address. The UUID is the tenant of
 * personal accounts.
 */
const sharedTenants = /^\/+(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i

/** @throws Error with one sentence for a shared endpoint or another URL that cannot be an issuer */
function checkIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && ownMachine.includes(url.hostname))))
    throw new Error('OIDC_ISSUER must begin with https://.')
  if (url.hostname === 'login.microsoftonline.com' && sharedTenants.test(url.pathname))
    throw new Error(
      'OIDC_ISSUER lets anyone with a Microsoft account sign in. Use your own tenant: https://login.microsoftonline.com/TENANT-ID/v2.0.',
    )
}

/** @throws Error with one sentence for another value */
function parseChoice<Choice extends string>(name: string, text: string | undefined, choices: readonly [Choice, Choice]): Choice {
  if (!text) return choices[0]
  const chosen = choices.find((choice) => choice === text)
  if (!chosen) throw new Error(`${name} is ${text}. It must be ${choices.join(' or ')}.`)
  return chosen
}

/**
 * The external issuer of an installation; null if people sign in with a password here.
 * @throws Error with one sentence
 */
export function readIssuerSettings(env: Env): IssuerSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env
  if (!issuer) return null
  checkIssuer(issuer)
  if (!clientId) throw new Error('OIDC_ISSUER is set without OIDC_CLIENT_ID. Set both.')
  return {
    issuer,
    clientId,
    clientSecret: clientSecret || null,
    name: name || new URL(issuer).hostname,
    trustEmail: parseChoice('OIDC_TRUST_EMAIL', env.OIDC_TRUST_EMAIL, ['0', '1']) === '1',
    secondStep: parseChoice('OIDC_SECOND_STEP', env.OIDC_SECOND_STEP, ['here', 'issuer']),
    groups: parseGroupRules(env),
  }
}
