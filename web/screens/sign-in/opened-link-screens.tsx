import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CloudOff, MailCheck, MailX, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { verifyEmail } from '#contracts/calls/accounts.ts'
import { confirmEmailChange, undoEmailChange } from '#contracts/calls/sign-in.ts'
import { saveReturnTo } from '#web/entities/accounts/asked-for.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { FormError } from '#web/ui/field.tsx'
import { ExpiredLinkNotice, Notice } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'

type OpenedLinkProps = {
  endpoint: typeof verifyEmail | typeof confirmEmailChange
  token: string
  title: string
  failure: string
  spent: ReactNode
  /** Content for errors that a retry can't fix. Null for others. */
  refused?: (error: ApiError) => ReactNode
  children: (isSignedIn: boolean) => ReactNode
}

/** For emailed links that take effect when opened. */
function OpenedLink({ endpoint, token, title, failure, spent, refused, children }: OpenedLinkProps) {
  // A query, although it writes, so rerenders send the token only once.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [endpoint.path, token],
    queryFn: async () => {
      await call(endpoint, { body: { token } })
      return { isSignedIn: (await refreshCurrentUser()) !== null }
    },
    enabled: token !== '',
  })
  const refusal = error instanceof ApiError ? refused?.(error) : null
  const isSpent = token === '' || (error instanceof ApiError && error.status === 400)
  return (
    <AuthFrame>
      {refusal ? (
        refusal
      ) : isSpent ? (
        <ExpiredLinkNotice>{spent}</ExpiredLinkNotice>
      ) : error ? (
        <Notice icon={<CloudOff />} tone="clay" title={failure}>
          <p>{messageOf(error)}</p>
          <Button className="mt-2" pending={isFetching} onClick={() => void refetch()}>
            Retry
          </Button>
        </Notice>
      ) : data ? (
        children(data.isSignedIn)
      ) : (
        <AuthSheet title={title}>
          <SkeletonGroup className="grid gap-4">
            <SkeletonText lines={2} />
            <Skeleton className="h-10 w-28" />
          </SkeletonGroup>
        </AuthSheet>
      )}
    </AuthFrame>
  )
}

/** The link is emailed to the new address. Opening it completes the change. */
export function ConfirmNewEmailScreen({ token }: { token: string }) {
  return (
    <OpenedLink
      endpoint={confirmEmailChange}
      token={token}
      title="Confirming your new email"
      failure="Your new email couldn’t be confirmed"
      refused={(error) =>
        error.code === 'email_taken' && (
          <Notice icon={<MailX />} tone="clay" title="This address is already in use">
            <p>{messageOf(error)}</p>
            <ToSettings />
          </Notice>
        )
      }
      spent={
        <>
          <p>A link works for 24 hours, and a newer request replaces it. Your address hasn’t changed. Request the change again.</p>
          <ToSettings />
        </>
      }
    >
      {(isSignedIn) => (
        <Notice icon={<MailCheck />} title="Your email has changed">
          <p>You now sign in with this address. We emailed a link to the old one that can undo the change for 7 days.</p>
          {isSignedIn ? (
            <ToSettings />
          ) : (
            <Button asChild className="mt-2">
              <Link to="/auth">Sign In</Link>
            </Button>
          )}
        </Notice>
      )}
    </OpenedLink>
  )
}

const ToSettings = () => (
  <Button asChild className="mt-2">
    <Link to="/settings" hash="sign-in">
      Settings
    </Link>
  </Button>
)

/** The link is emailed to the old address. Requires a press, because email apps prefetch links, and this signs out all devices. */
export function UndoEmailScreen({ token }: { token: string }) {
  const undo = useMutation({
    mutationFn: async () => {
      await call(undoEmailChange, { body: { token } })
      // The link is spent, so a retry would fail.
      await refreshCurrentUser().catch(() => undefined)
    },
  })
  const { error } = undo
  const isSpent = token === '' || (error instanceof ApiError && error.status === 400)

  return (
    <AuthFrame>
      {isSpent ? (
        <ExpiredLinkNotice>
          <p>
            This link works once and expires 7 days after the change. If you can’t get into your account, set a new password or write to us.
          </p>
          <Button asChild className="mt-2">
            <Link to="/auth/forgot">Set a new password</Link>
          </Button>
        </ExpiredLinkNotice>
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
            Someone asked to change your account’s email address. If it wasn’t you, keep this address. We’ll sign out every device. Your
            password, and passkeys, API keys and connected accounts added since then, will stop working. We’ll email you a link to set a new
            password.
          </p>
          <p>If it was you, close this page. Nothing will change.</p>
          <Button variant="danger" className="mt-2" pending={undo.isPending} pendingText="One moment..." onClick={() => undo.mutate()}>
            Keep this address
          </Button>
          {error && <FormError>{messageOf(error)}</FormError>}
        </Notice>
      )}
    </AuthFrame>
  )
}

/** At /auth/verify. Opening the emailed link confirms the address. */
export function VerifyEmailScreen({ token, returnTo }: { token: string; returnTo: string }) {
  const signIn = <ToSignIn returnTo={returnTo} />
  return (
    <OpenedLink
      endpoint={verifyEmail}
      token={token}
      title="Confirming your email"
      failure="Your email couldn’t be confirmed"
      spent={
        <>
          <p>
            A link works for 24 hours, or until someone signs up with your address again. Open the newest email, or sign in to get a new
            link.
          </p>
          {signIn}
        </>
      }
    >
      {(isSignedIn) => (
        <Notice icon={<MailCheck />} title="Your email is confirmed">
          <p>{isSignedIn ? 'Thank you. You’re all set.' : 'Thank you. Sign in to continue.'}</p>
          {isSignedIn ? (
            <Button asChild className="mt-2">
              {/* People may have to complete their profile first. */}
              <a href={returnTo} onClick={() => saveReturnTo(returnTo)}>
                Continue
              </a>
            </Button>
          ) : (
            signIn
          )}
        </Notice>
      )}
    </OpenedLink>
  )
}

const ToSignIn = ({ returnTo }: { returnTo: string }) => (
  <Button asChild className="mt-2">
    <Link to="/auth" search={returnTo === '/' ? {} : { returnTo, tab: 'sign-in' }}>
      Sign In
    </Link>
  </Button>
)
