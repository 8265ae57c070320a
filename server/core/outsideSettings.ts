import { z } from 'zod'

/** Which value of a claim puts a person into which user group of which organisation, both by their names. */
export interface GroupRule {
  value: string
  organisation: string
  userGroup: string
}

/** The sign-in that an installation brings itself: an OpenID Connect issuer at which people say who they are. */
export interface OutsideSettings {
  issuer: string
  clientId: string
  /** Null: a public client, which proves itself by PKCE alone. */
  clientSecret: string | null
  /** What people call it: "Sign in with …". */
  name: string
  /** Whether its addresses are good without `email_verified`: only where whoever runs the product also runs every address of the issuer. */
  trustEmail: boolean
  /** Where the second step of a sign-in is asked for. */
  secondStep: 'here' | 'issuer'
  /** By which claim groups are given, and the rules of the settings; administrators make rules of their organisations beside them. */
  groups: { claim: string; rules: GroupRule[] }
}

const groupRules = z
  .array(z.strictObject({ value: z.string().min(1), organisation: z.string().min(1), userGroup: z.string().min(1) }))
  .min(1)
  .max(1000)

/** The claim that groups are given by where no setting names another. */
export const usualClaim = 'groups'

/** @throws Error with one sentence for what is no list of rules */
function groupsOf({ OIDC_GROUPS: text, OIDC_GROUPS_CLAIM: claim }: NodeJS.ProcessEnv): OutsideSettings['groups'] {
  if (!text) return { claim: claim || usualClaim, rules: [] }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error('OIDC_GROUPS cannot be read: it must be JSON, as [{"value":"…","organisation":"…","userGroup":"…"}].')
  }
  const read = groupRules.safeParse(given)
  if (!read.success)
    throw new Error('OIDC_GROUPS must be a list of 1 to 1,000 rules, each as {"value":"…","organisation":"…","userGroup":"…"}.')
  return { claim: claim || usualClaim, rules: read.data }
}

const ownMachine = ['localhost', '127.0.0.1']

/** Where anybody of any organisation signs in at Microsoft, with addresses that nobody has verified; the number is that of personal accounts. */
const anybodys = /^\/+(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i

/** @throws Error with one sentence for an address that cannot be an issuer of one's own */
function checkIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && ownMachine.includes(url.hostname))))
    throw new Error('OIDC_ISSUER must be an address that begins with https://.')
  if (url.hostname === 'login.microsoftonline.com' && anybodys.test(url.pathname))
    throw new Error(
      'OIDC_ISSUER lets anybody with an account at Microsoft sign in: name your own tenant, as https://login.microsoftonline.com/TENANT-ID/v2.0.',
    )
}

/** @throws Error with one sentence for a setting that is neither of the two */
function oneOf<Choice extends string>(name: string, text: string | undefined, choices: readonly [Choice, Choice]): Choice {
  if (!text) return choices[0]
  const chosen = choices.find((choice) => choice === text)
  if (!chosen) throw new Error(`${name} is ${text}: it must be ${choices.join(' or ')}.`)
  return chosen
}

/** The outside issuer of an installation; null where people sign in with a password of the product. @throws Error with one sentence */
export function outsideSettingsOf(env: NodeJS.ProcessEnv): OutsideSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env
  if (!issuer) return null
  checkIssuer(issuer)
  if (!clientId) throw new Error('OIDC_ISSUER is set: set OIDC_CLIENT_ID as well.')
  return {
    issuer,
    clientId,
    clientSecret: clientSecret || null,
    name: name || new URL(issuer).hostname,
    trustEmail: oneOf('OIDC_TRUST_EMAIL', env.OIDC_TRUST_EMAIL, ['0', '1']) === '1',
    secondStep: oneOf('OIDC_SECOND_STEP', env.OIDC_SECOND_STEP, ['here', 'issuer']),
    groups: groupsOf(env),
  }
}
