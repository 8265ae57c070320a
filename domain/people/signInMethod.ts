/** How a user signed in. A passkey counts as two factors, because the device verifies its owner. */
export type SignInMethod = 'password' | 'passwordAndCode' | 'passkey' | 'outside' | 'outsideAndCode'

/** The names of the methods, as they follow “signed in”. */
export const signInMethodNames = {
  password: 'with a password',
  passwordAndCode: 'with a password and two-step verification',
  passkey: 'with a passkey',
  outside: 'through the organisation’s sign-in',
  outsideAndCode: 'through the organisation’s sign-in and two-step verification',
} as const satisfies Record<SignInMethod, string>
