import { listViewPermissions } from '../../../people/permissions.ts'
import type { FieldProblem } from '../../../words/errors.ts'
import { integer, money, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

const unknownRate = 'Leave it empty if no rate is known: contracts at schools in this pay area are then not calculated.'

/**
 * Checks the move of a point against the other moves of the same scale and table. Each move must start at a different increment, and at an
 * increment that the table no longer has (rules.md §3).
 */
function checkPointMove(record: Record<string, unknown>, others: readonly Record<string, unknown>[]): FieldProblem[] {
  const { scale, increment, replacesIncrement: from } = record
  const ofScale = others.filter((other) => other.scale === scale)
  const twin = from !== null && ofScale.find((other) => other.replacesIncrement === from)
  const source = from !== null && ofScale.find((other) => other.increment === from)
  const successor = ofScale.find((other) => other.replacesIncrement === increment)
  const message = twin
    ? `Point ${twin.point} already replaces increment ${from}. Leave this empty, or enter another increment.`
    : source
      ? `Increment ${from} is still point ${source.point} of this table. Leave this empty, or delete that point first.`
      : null
  return [
    ...(message ? [{ field: 'replacesIncrement', message }] : []),
    ...(successor
      ? [
          {
            field: 'increment',
            message: `Point ${successor.point} replaces increment ${increment}. Enter another increment, or change that point first.`,
          },
        ]
      : []),
  ]
}

export const payScalePoint = resource({
  key: 'PayScalePoint',
  table: 'pay_scale_points',
  path: 'PayScalePoint',
  scope: 'globalOrOrganisation',
  access: {
    read: [
      'ConsoleTeacherPayScalesAdminTableRead',
      'ConsoleSupportPayScalesAdminTableRead',
      ...listViewPermissions('ConsoleCustomPayScales'),
    ],
    alsoReadBy: [...listViewPermissions('BudgetingStaffing'), 'ConsoleBudgetSummaryRead'],
    write: ['ConsoleCustomPayScalesReadUpdate'],
  },
  fields: {
    scale: text('Scale', { required: true, max: 50, column: 'Scale' }),
    point: text('Point', { required: true, max: 20, column: 'Point' }),
    increment: integer('Increment', { required: true, min: 0, max: 200, column: 'Increment' }),
    mainRate: money('Main rate', { required: true, min: 0, column: 'MainRate' }),
    innerRate: money('Inner rate', { required: true, mayBeUnknown: true, min: 0, column: 'InnerRate', help: unknownRate }),
    outerRate: money('Outer rate', { required: true, mayBeUnknown: true, min: 0, column: 'OuterRate', help: unknownRate }),
    fringeRate: money('Fringe rate', { required: true, mayBeUnknown: true, min: 0, column: 'FringeRate', help: unknownRate }),
    adminTableId: reference('Admin table', { required: true, to: 'adminTable', column: 'AdminTable' }),
    replacesIncrement: integer('Replaces increment', {
      min: 0,
      max: 200,
      column: 'ReplacesIncrement',
      help: 'An increment that is no longer on the scale: contracts on it are paid at this point.',
    }),
    order: integer('Order', { min: 0, default: 0, column: 'Order' }),
  },
  unique: [
    ['scale', 'point', 'adminTableId'],
    ['scale', 'increment', 'adminTableId'],
  ],
  siblingCheck: { within: 'adminTableId', problems: checkPointMove },
  defaultSort: 'order',
  grid: ['scale', 'point', 'increment', 'mainRate', 'innerRate', 'outerRate', 'fringeRate', 'adminTableId', 'replacesIncrement', 'order'],
  naming: ['point', 'scale'],
  importRequired: ['Point', 'Increment', 'MainRate', 'InnerRate', 'OuterRate', 'FringeRate', 'AdminTable'],
  affectsCosts: true,
  check: (record) =>
    record.replacesIncrement !== null && record.replacesIncrement === record.increment
      ? [{ field: 'replacesIncrement', message: 'A point cannot replace itself. Leave it empty, or enter another increment.' }]
      : [],
  purpose: 'The points of a pay table with their annual rates in the four pay areas.',
})
