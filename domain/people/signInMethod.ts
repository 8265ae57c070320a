/** By what somebody signed in. A passkey counts as both steps: the device has made sure who holds it. */
export type SignInMethod = 'password' | 'passwordAndCode' | 'passkey' | 'outside' | 'outsideAndCode'

/** The ways in words, after "signed in". */
export const signInMethodNames = {
  password: 'with a password',
  passwordAndCode: 'with a password and a second step',
  passkey: 'with a passkey',
  outside: 'through the sign-in of the organisation',
  outsideAndCode: 'through the sign-in of the organisation and a second step',
} as const satisfies Record<SignInMethod, string>
