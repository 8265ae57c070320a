import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, date, flag, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

/** The declaration of a staff member: fields, rules, grid and files. No table is generated, because personal data is stored encrypted. */
export const staffMember = resource({
  key: 'StaffMember',
  table: 'staff_members',
  path: 'Staff',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleStaffMembers', 'BudgetingStaffing'),
    write: ['ConsoleStaffMembersReadUpdate', 'BudgetingStaffingReadUpdate'],
  },
  fields: {
    employeeNumber: text('Employee number', { isCode: true, required: true, unique: true, max: 30, column: 'EmployeeNumber' }),
    niNumber: text('NI number', { max: 9, format: 'niNumber', column: 'NiNumber' }),
    title: choice('Title', { lookup: 'titles', column: 'Title' }),
    forename: text('Forename', { required: true, max: 100, column: 'Forename' }),
    surname: text('Surname', { required: true, max: 100, column: 'Surname' }),
    gender: choice('Gender', { lookup: 'genders', column: 'Gender' }),
    dateOfBirth: date('Date of birth', { isBirthday: true, column: 'DateOfBirth' }),
    continuousServiceDate: date('Continuous service date', { column: 'ContinuousServiceDate' }),
    email: text('Email', { max: 254, format: 'email', column: 'Email' }),
    archive: flag('Archive', { help: 'Archived staff do not appear in drop-down lists.' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
  },
  defaultSort: 'surname',
  grid: ['employeeNumber', 'title', 'forename', 'surname', 'dateOfBirth', 'continuousServiceDate', 'email', 'archive', 'locations'],
  naming: ['employeeNumber', 'surname'],
  importRequired: ['EmployeeNumber', 'Forename', 'Surname'],
  archivedBy: 'archive',
  usesStay: true,
  purpose: 'The people you employ. Their contracts make up the staff costs in your budgets.',
})
