import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { SignInState } from '../../../contracts/sign-in.ts'
import { ApiError } from '../../lib/api-error.ts'
import { passkeyProblem } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Proof, proofFor } from './proof.tsx'
import { afterSignInChange } from './sign-in.api.ts'

type ProvenDialogProps = {
  state: SignInState
  title: string
  /** What follows from it, and fields of its own. */
  children?: ReactNode
  confirmText: string
  pendingText: string
  variant?: 'primary' | 'danger'
  /** What the fields above say is in order; otherwise they say what is wrong. */
  check?: () => boolean
  /** Does it, with the password or an empty text; what it throws is shown. */
  onConfirm: (password: string) => Promise<void>
  onClose: () => void
}

/** Asks who one is, and does it. Whoever mounts it opens it. */
export function ProvenDialog({ state, title, children, confirmText, pendingText, variant, check, onConfirm, onClose }: ProvenDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<{ password?: string | undefined; other?: string }>({})
  const [isPending, setPending] = useState(false)
  const kind = proofFor(state)
  const isReady = kind === 'none' || kind === 'password'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending || !isReady || check?.() === false) return
    if (kind === 'password' && password === '') {
      setWrong({ password: 'Password is required' })
      field.current?.focus()
      return
    }
    setPending(true)
    setWrong({})
    try {
      await onConfirm(password)
      await afterSignInChange(client)
      onClose()
    } catch (error) {
      const ofPassword = error instanceof ApiError ? error.fields.password : undefined
      setWrong(ofPassword ? { password: ofPassword } : { other: passkeyProblem(error) })
      if (ofPassword) field.current?.select()
      // What stands here may be an hour old.
      if (error instanceof ApiError && error.status !== 400) void afterSignInChange(client)
    }
    setPending(false)
  }

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}>
      <DialogContent
        title={title}
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
          <Proof
            ref={field}
            state={state}
            value={password}
            error={wrong.password}
            onChange={(value) => {
              setPassword(value)
              setWrong({})
            }}
          />
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
