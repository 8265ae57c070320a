import type { OrganisationId } from '../../domain/values/ids.ts'
import type { RecordAdder } from './trustRecords.ts'

const until = '2029-12-31T00:00:00.000Z'
const from = '2026-09-01T07:00:00.000Z'

export async function addWelcomeMessage(add: RecordAdder): Promise<void> {
  await add(
    'newsArticle',
    {
      title: 'Welcome to Bursar',
      message: '<p>Everything here is demo data. Change whatever you like: <strong>every save can be undone</strong>.</p>',
      active: from,
    },
    null,
  )
}

export async function addYearlyReminders(add: RecordAdder): Promise<void> {
  const yearly = { type: 3, category: 5, isRecurring: true }
  await add(
    'reminder',
    { description: 'Budget forecast return due', when: '2026-08-27', notes: 'Academy trusts, for the three years ahead', ...yearly },
    null,
  )
  await add(
    'reminder',
    { description: 'School census', when: '2026-10-01', notes: 'Pupil numbers for next year’s funding', ...yearly },
    null,
  )
  await add('reminder', { description: 'Academies accounts return opens', when: '2026-11-20', ...yearly }, null)
}

export async function addTrustMessages(add: RecordAdder, organisationId: OrganisationId): Promise<void> {
  await add(
    'flashMessage',
    {
      title: 'Budgets to governors',
      message:
        '<p>Working budgets for 2027/28 go to governors in <strong>March</strong>. Check staff contracts before the end of January.</p>',
      active: from,
      expires: until,
      type: 1,
      organisationId,
    },
    organisationId,
  )
  await add(
    'reminder',
    {
      description: 'Budget to the trust board for approval',
      when: '2026-07-09',
      notes: 'Papers due a week before',
      type: 2,
      category: 1,
      isRecurring: true,
      organisationId,
    },
    null,
  )
  await add('reminder', { description: 'Trust finance committee', when: '2026-11-26', type: 2, category: 1, organisationId }, null)
}
