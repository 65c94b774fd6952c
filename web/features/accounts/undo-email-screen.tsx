import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { undoEmailChange } from '../../../contracts/sign-in.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { Notice, SpentLink } from './notice.tsx'

/** Where the link in the old mailbox leads. It takes a press: mail programs open links by themselves, and this one signs every device out. */
export default function UndoEmailScreen({ token }: { token: string }) {
  const undo = useMutation({
    mutationFn: async () => {
      await call(undoEmailChange, { body: { token } })
      await refreshCurrentUser()
    },
  })
  const { error } = undo
  const isSpent = token === '' || (error instanceof ApiError && error.status === 400)

  return (
    <AuthFrame>
      {isSpent ? (
        <SpentLink>
          <p>It works once, and for 7 days after the change. If you cannot get into your account, set a new password or write to us.</p>
          <Button asChild className="mt-2">
            <Link to="/auth/forgot">Set a new password</Link>
          </Button>
        </SpentLink>
      ) : undo.isSuccess ? (
        <Notice icon={<ShieldCheck />} title="Your account has this address again">
          <p>Every device was signed out. A link to set a new password is on its way to this mailbox: set one now.</p>
          <Button asChild className="mt-2">
            <Link to="/auth">Sign In</Link>
          </Button>
        </Notice>
      ) : (
        <Notice icon={<ShieldAlert />} tone="clay" title="Was it not you?">
          <p>
            Somebody asked to use another email address for your account. If it was not you, keep this address: every device is signed out,
            and passkeys, passwords and connected accounts from since then stop working. We mail you a link to set a new password.
          </p>
          <p>If it was you, close this page. Nothing happens.</p>
          <Button variant="danger" className="mt-2" pending={undo.isPending} pendingText="One moment..." onClick={() => undo.mutate()}>
            Keep this address
          </Button>
          {error && (
            <div role="alert">
              <FieldError>{messageOf(error)}</FieldError>
            </div>
          )}
        </Notice>
      )}
    </AuthFrame>
  )
}
