/** Addresses that belong to no screen of the menu. */
export const pages = new Set([
  '/',
  '/settings',
  '/welcome',
  '/version',
  '/profile',
  '/offline',
  '/loggedout',
  '/auth/callback',
  '/auth/expired-session',
  '/auth/silent-renew',
  '/auth/access-fail',
  '/assist/:slug',
  '/console',
  '/administrator',
  '*',
])
/** The children of screens that are made by hand. */
export const byHand = new Set([
  '/staffing/staff-contracts/add',
  '/staffing/staff-contracts/:id',
  '/staffing/staff-contracts/:id/cost',
  '/staffing/quick-calculator/add',
  '/staffing/quick-calculator/:id',
  '/console/budget-management/create',
  '/console/budget-management/budget/:id',
  '/console/budget-management/groups/add',
  '/console/budget-management/groups/:id',
])
