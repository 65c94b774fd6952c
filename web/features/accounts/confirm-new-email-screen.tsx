import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CloudOff, MailCheck, MailX, Unlink } from 'lucide-react'
import { confirmEmailChange } from '../../../contracts/sign-in.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { Notice } from './notice.tsx'

/** Where the link in the new mailbox leads: opening it is the change. */
export default function ConfirmNewEmailScreen({ token }: { token: string }) {
  // A query, although it writes: however often the page renders, a token is sent once.
  const confirmation = useQuery({
    queryKey: [confirmEmailChange.path, token],
    queryFn: async () => {
      await call(confirmEmailChange, { body: { token } })
      return (await refreshCurrentUser()) !== null
    },
    enabled: token !== '',
  })
  const { error } = confirmation
  const isTaken = error instanceof ApiError && error.code === 'email_taken'
  const isSpent = token === '' || (error instanceof ApiError && error.status === 400)

  return (
    <AuthFrame>
      {isTaken ? (
        <Notice icon={<MailX />} tone="clay" title="This address is taken">
          <p>{messageOf(error)}</p>
          <Way isSignedIn />
        </Notice>
      ) : isSpent ? (
        <Notice icon={<Unlink />} tone="clay" title="This link is not valid any more">
          <p>A link works for 24 hours, and another request ends it. Your account keeps the address it has. Ask for the change again.</p>
          <Way isSignedIn />
        </Notice>
      ) : error ? (
        <Notice icon={<CloudOff />} tone="clay" title="Your new email could not be confirmed">
          <p>{messageOf(error)}</p>
          <Button className="mt-2" pending={confirmation.isFetching} onClick={() => void confirmation.refetch()}>
            Retry
          </Button>
        </Notice>
      ) : confirmation.isSuccess ? (
        <Notice icon={<MailCheck />} title="Your email was changed">
          <p>From now on you sign in with this address. We told the old one; for 7 days it can take the account back.</p>
          <Way isSignedIn={confirmation.data} />
        </Notice>
      ) : (
        <AuthSheet title="Confirming your new email">
          <SkeletonGroup className="grid gap-4">
            <SkeletonText lines={2} />
            <Skeleton className="h-10 w-28" />
          </SkeletonGroup>
        </AuthSheet>
      )}
    </AuthFrame>
  )
}

const Way = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <Button asChild className="mt-2">
    {isSignedIn ? (
      <Link to="/settings" hash="sign-in">
        Settings
      </Link>
    ) : (
      <Link to="/auth">Sign In</Link>
    )}
  </Button>
)
