import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { beginProof, prove, type SignInState } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { canUsePasskeys } from '../../lib/can-use-passkeys.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { askForPasskey } from '../../lib/passkeys.ts'
import { Field } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { PasswordInput } from '../../ui/password-input.tsx'
import { PasskeyButton } from '../accounts/passkey-button.tsx'
import { afterSignInChange } from './sign-in.api.ts'

/** What a change asks for first. */
export type ProofKind = 'none' | 'password' | 'passkey' | 'sign-in-again'

export function proofFor({ isProven, hasPassword, passkeys }: Pick<SignInState, 'isProven' | 'hasPassword' | 'passkeys'>): ProofKind {
  if (isProven) return 'none'
  if (hasPassword) return 'password'
  return passkeys.length > 0 ? 'passkey' : 'sign-in-again'
}

type PasswordProps = {
  value: string
  onChange: (password: string) => void
  error: string | undefined
}

/** Who one is, once more: the password or a passkey, because whoever sits here could be somebody else. */
export function Proof({ state, ...password }: PasswordProps & { state: SignInState }) {
  const kind = proofFor(state)
  const hasPasskey = state.passkeys.length > 0 && canUsePasskeys()
  if (kind === 'none') return null
  if (kind === 'sign-in-again') {
    return (
      <p className="rounded-input bg-sunk p-4 text-muted text-sm">
        Your account has no password and no passkey.{' '}
        <a href="/api/logout" className={textLink}>
          Sign out
        </a>{' '}
        and in again, and come back within ten minutes: that shows that it is you.
      </p>
    )
  }
  return (
    <div className="grid gap-2.5">
      {kind === 'password' && <Password {...password} />}
      {hasPasskey && <ShowPasskey text={kind === 'password' ? 'Use a passkey instead' : 'Show your passkey first'} />}
    </div>
  )
}

function Password({ value, onChange, error }: PasswordProps) {
  const field = useRef<HTMLInputElement>(null)
  // Also where the field has come only with what is wrong.
  useEffect(() => {
    if (error === undefined) return
    field.current?.focus()
    field.current?.select()
  }, [error])
  return (
    <Field label="Your password" hint="Once more, because whoever sits here could be somebody else." error={error}>
      <PasswordInput ref={field} autoComplete="current-password" value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

/** Shows a passkey in the place of the password: for ten minutes nothing is asked for. */
export function ShowPasskey({ text }: { text: string }) {
  const client = useQueryClient()
  async function show() {
    const answer = await askForPasskey(await call(beginProof, {}))
    await call(prove, { body: { answer } })
    // A role that was shown long ago counts again.
    await Promise.all([refreshCurrentUser(), afterSignInChange(client)])
  }
  return (
    <PasskeyButton size="sm" onPress={show} className="justify-items-start">
      {text}
    </PasskeyButton>
  )
}
