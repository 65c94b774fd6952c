import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { passkeyProblem } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Proof, proofFor } from './proof.tsx'
import { afterSignInChange, signInOptions } from './sign-in.api.ts'

type ProvenDialogProps = {
  title: string
  description?: string
  /** What follows from it, and fields of its own. */
  children?: ReactNode
  confirmText: string
  pendingText: string
  variant?: 'primary' | 'danger'
  /** Whether what the fields above say is in order; otherwise they say what is wrong. */
  check?: () => boolean | Promise<boolean>
  /** Does it, with the password or an empty text; what it throws is shown. */
  onConfirm: (password: string) => Promise<void>
  /** Shows what it threw by a field above; false where it is about none of them. */
  onRefused?: (error: unknown) => boolean
  onClose: () => void
}

/** Asks who one is, and does it. Whoever mounts it opens it. */
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
  const kind = signIn.data && proofFor(signIn.data)
  const isReady = kind === 'none' || kind === 'password'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending || !isReady || (check && !(await check()))) return
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
    const ofPassword = error instanceof ApiError ? error.fields.password : undefined
    // What stands here may be an hour old, and what was shown then does not count any more: now there is a field for the password.
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
              How you sign in could not be loaded. {messageOf(signIn.error)}
            </RetryLine>
          ) : (
            <SkeletonGroup label="Loading how you sign in...">
              <Skeleton className="h-16" />
            </SkeletonGroup>
          )}
          {wrong.other && (
            <div role="alert">
              <FieldError>{wrong.other}</FieldError>
            </div>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}

const passwordMissing = 'Password is required'
