/** Paths that belong to no screen of the menu. */
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
