import { z } from 'zod'
import { resolveGroupRules } from '../../../auth/outside/people.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply, reply } from '../../../core/calls/reply.ts'
import { defaultGroupsClaim } from '../../../core/outsideSettings.ts'
import { createGroupRule, deleteGroupRule, groupRuleInput, type RuleChangeReference, undoGroupRule } from './commands.ts'
import { listGroupRules, type RuleHistoryLine, readRuleHistory } from './queries.ts'

const rules = reply(
  z.strictObject({
    issuer: z.string().nullable().describe('The name of the external sign-in; empty if people have a password here.'),
    claim: z.string(),
    rules: z.array(
      z.strictObject({
        value: z.string(),
        userGroup: z.string(),
        userGroupId: z.int().nullable().describe('Null for a rule in the settings of the installation, which is changed there.'),
      }),
    ),
  }),
)

const change = z
  .object({ id: z.int().positive() })
  .describe('A change to the rules, as sent to undo it.') satisfies z.ZodType<RuleChangeReference>
const changed = reply(change)

const line: z.ZodType<RuleHistoryLine> = z.strictObject({
  version: z.int(),
  at: z.string(),
  actor: z.string(),
  sentence: z.string(),
  undoable: z.boolean(),
})

/** The rules that map groups at an external issuer to user groups of an organisation. Administrators manage rules and groups. */
export const groupRuleRouter = router({
  list: inOrganisation('administrator', 'short')
    .output(rules)
    .query(({ ctx }) =>
      ctx.services.store.asPlatform(async (tx) => {
        const { oidc } = ctx.services.config
        const { known: fixed } = await resolveGroupRules(tx, oidc?.groups.rules ?? [])
        return {
          issuer: oidc?.name ?? null,
          claim: oidc?.groups.claim ?? defaultGroupsClaim,
          rules: [
            ...fixed
              .filter((rule) => rule.organisationId === ctx.organisationId)
              .map(({ value, userGroup }) => ({ value, userGroup, userGroupId: null })),
            ...(await listGroupRules(tx, ctx.organisationId)).map(({ value, userGroup, userGroupId }) => ({
              value,
              userGroup,
              userGroupId,
            })),
          ],
        }
      }),
    ),
  add: inOrganisation('administrator', 'rights')
    .input(groupRuleInput)
    .output(changed)
    .mutation(({ ctx, input }) => ctx.services.store.asPlatform((tx) => createGroupRule({ ...ctx, tx }, input))),
  remove: inOrganisation('administrator', 'rights')
    .input(groupRuleInput)
    .output(changed)
    .mutation(({ ctx, input }) => ctx.services.store.asPlatform((tx) => deleteGroupRule({ ...ctx, tx }, input))),
  /** Who created and deleted which rule. */
  history: inOrganisation('administrator', 'short')
    .output(reply(z.array(line)))
    .query(({ ctx }) => ctx.services.store.asPlatform((tx) => readRuleHistory(tx, ctx.organisationId))),
  /** Undoes the creation or deletion of a rule. */
  undo: inOrganisation('administrator', 'rights')
    .input(change)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.services.store.asPlatform((tx) => undoGroupRule({ ...ctx, tx }, input))),
})
