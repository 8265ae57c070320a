/** How a user signed in. A passkey counts as two factors, because the device verifies its owner. */
export type SignInMethod = 'password' | 'passwordAndCode' | 'passkey' | 'outside' | 'outsideAndCode'

/** The methods as they appear after "signed in". */
export const signInMethodNames = {
  password: 'with a password',
  passwordAndCode: 'with a password and a second step',
  passkey: 'with a passkey',
  outside: 'through the sign-in of the organisation',
  outsideAndCode: 'through the sign-in of the organisation and a second step',
} as const satisfies Record<SignInMethod, string>
