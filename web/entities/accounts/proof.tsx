import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { beginProof, prove } from '#contracts/calls/sign-in.ts'
import type { SignInState } from '#contracts/sign-in.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { askForPasskey, passkeyProblem } from '#web/lib/passkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { RetryLine } from '#web/ui/error-state.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { canUsePasskeys, PasskeyButton } from './passkey-button.tsx'
import { afterSignInChange, signInOptions } from './sign-in.api.ts'

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
        and sign in again, then come back within ten minutes to confirm it’s you.
      </p>
    )
  }
  return (
    <div className="grid gap-2.5">
      {kind === 'password' && <Password {...password} />}
      {hasPasskey && <ShowPasskey text={kind === 'password' ? 'Use a passkey instead' : 'Confirm with your passkey first'} />}
    </div>
  )
}

function Password({ value, onChange, error }: PasswordProps) {
  const field = useRef<HTMLInputElement>(null)
  // Focus the field even if it appeared together with its error.
  useEffect(() => {
    if (error === undefined) return
    field.current?.focus()
    field.current?.select()
  }, [error])
  return (
    <Field label="Your password" hint="Enter your password again to confirm it’s you." error={error}>
      <PasswordInput ref={field} autoComplete="current-password" value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

/** The proof is valid for ten minutes. */
export function ShowPasskey({ text }: { text: string }) {
  const client = useQueryClient()
  async function show() {
    const answer = await askForPasskey(await call(beginProof, {}))
    await call(prove, { body: { answer } })
    await Promise.all([refreshCurrentUser(), afterSignInChange(client)])
  }
  return (
    <PasskeyButton size="sm" onPress={show} className="justify-items-start">
      {text}
    </PasskeyButton>
  )
}

type ProvenDialogProps = {
  title: string
  description?: string
  children?: ReactNode
  confirmText: string
  pendingText: string
  variant?: 'primary' | 'danger'
  check?: () => boolean | Promise<boolean>
  /** `password` is empty if none is needed. The dialog shows any error this throws. */
  onConfirm: (password: string) => Promise<void>
  /** Shows an error that concerns the caller's own fields. Returns false if it concerns none of them. */
  onRefused?: (error: unknown) => boolean
  onClose: () => void
}

export function ProvenDialog({
  title,
  description,
  children,
  confirmText,
  pendingText,
  variant,
  check,
  onConfirm,
  onRefused,
  onClose,
}: ProvenDialogProps) {
  const client = useQueryClient()
  const signIn = useQuery(signInOptions)
  const formId = useId()
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<{ password?: string; other?: string }>({})
  const [isPending, setPending] = useState(false)
  // `isPending` is set only after the check, which may take a moment, so this prevents a second submission.
  const isSubmitting = useRef(false)
  const kind = signIn.data && proofFor(signIn.data)
  const isReady = kind === 'none' || kind === 'password'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSubmitting.current || !isReady) return
    isSubmitting.current = true
    try {
      await confirm()
    } finally {
      isSubmitting.current = false
    }
  }

  async function confirm() {
    if (check && !(await check())) return
    if (kind === 'password' && password === '') return setWrong({ password: passwordMissing })
    setPending(true)
    setWrong({})
    try {
      await onConfirm(password)
      await afterSignInChange(client)
      onClose()
    } catch (error) {
      show(error)
    }
    setPending(false)
  }

  function show(error: unknown) {
    if (onRefused?.(error)) return
    const ofPassword = fieldErrors(error).password
    // The proof may have expired while the dialog was open. Refetching adds the password field.
    const isOld = error instanceof ApiError && (error.status !== 400 || (ofPassword !== undefined && kind === 'none'))
    if (isOld) void afterSignInChange(client)
    setWrong(ofPassword === undefined ? { other: passkeyProblem(error) } : { password: isOld ? passwordMissing : ofPassword })
  }

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}>
      <DialogContent
        title={title}
        description={description}
        actions={
          <>
            <DialogCancel />
            {isReady && (
              <Button type="submit" form={formId} variant={variant} pending={isPending} pendingText={pendingText}>
                {confirmText}
              </Button>
            )}
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
          {children}
          {signIn.data ? (
            <Proof
              state={signIn.data}
              value={password}
              error={wrong.password}
              onChange={(value) => {
                setPassword(value)
                setWrong({})
              }}
            />
          ) : signIn.error ? (
            <RetryLine onRetry={() => void signIn.refetch()} pending={signIn.isFetching}>
              Your sign-in methods couldn’t be loaded. {messageOf(signIn.error)}
            </RetryLine>
          ) : (
            <SkeletonGroup label="Loading your sign-in methods...">
              <Skeleton className="h-16" />
            </SkeletonGroup>
          )}
          <FormError>{wrong.other}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}

const passwordMissing = 'Password is required'

/** Creating a key, for a business or for hunts, takes a proof. */
export const keyExpiries = [
  { days: null, words: 'Never' },
  { days: 30, words: '30 days' },
  { days: 90, words: '90 days' },
  { days: 365, words: '1 year' },
]
