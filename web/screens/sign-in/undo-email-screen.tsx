import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { undoEmailChange } from '#contracts/sign-in.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Notice, SpentLink } from '#web/ui/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Target of the link mailed to the old address. Requires a press: mail programs prefetch links, and this signs out all devices. */
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
          <p>It works once, for 7 days after the change. If you can’t get into your account, set a new password or write to us.</p>
          <Button asChild className="mt-2">
            <Link to="/auth/forgot">Set a new password</Link>
          </Button>
        </SpentLink>
      ) : undo.isSuccess ? (
        <Notice icon={<ShieldCheck />} title="Your account has this address again">
          <p>We signed out every device and sent a link to this address. Use it to set a new password now.</p>
          <Button asChild className="mt-2">
            <Link to="/auth">Sign In</Link>
          </Button>
        </Notice>
      ) : (
        <Notice icon={<ShieldAlert />} tone="clay" title="Wasn’t this you?">
          <p>
            Someone asked to use another email address for your account. If it wasn’t you, keep this address. We’ll sign out every device,
            and passkeys, passwords and connected accounts added since then will stop working. We’ll email you a link to set a new password.
          </p>
          <p>If it was you, close this page. Nothing will change.</p>
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
