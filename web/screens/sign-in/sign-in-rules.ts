import { Credentials } from '#contracts/accounts.ts'

export type SignInValues = { email: string; password: string }
export type SignInErrors = { [Field in keyof SignInValues]?: string | undefined }

/** Loads when someone first uses the form. */
export function signInErrors(values: SignInValues): SignInErrors {
  const { error } = Credentials.safeParse(values)
  const errors: SignInErrors = {}
  for (const { path, message } of error?.issues ?? []) errors[path[0] as keyof SignInValues] ??= message
  return errors
}
