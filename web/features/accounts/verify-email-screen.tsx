import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CloudOff, MailCheck, Unlink } from 'lucide-react'
import { verifyEmail } from '../../../contracts/accounts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { Notice } from './notice.tsx'

/** The page /auth/verify, where the mailed link leads: opening it is the confirmation. */
export default function VerifyEmailScreen({ token }: { token: string }) {
  // A query, although it writes: however often the page renders, a token is sent once.
  const confirmation = useQuery({
    queryKey: [verifyEmail.path, token],
    queryFn: async () => {
      await call(verifyEmail, { body: { token } })
      return (await refreshCurrentUser()) !== null
    },
    enabled: token !== '',
  })
  const { error } = confirmation
  const isSpent = token === '' || (error instanceof ApiError && error.status === 400)

  return (
    <AuthFrame>
      {isSpent ? (
        <Notice icon={<Unlink />} tone="clay" title="This link is not valid any more">
          <p>A link works for 24 hours. Sign in, and we offer you a new one.</p>
          <Button asChild className="mt-2">
            <Link to="/auth">Sign In</Link>
          </Button>
        </Notice>
      ) : error ? (
        <Notice icon={<CloudOff />} tone="clay" title="Your email could not be confirmed">
          <p>{messageOf(error)}</p>
          <Button className="mt-2" pending={confirmation.isFetching} onClick={() => void confirmation.refetch()}>
            Retry
          </Button>
        </Notice>
      ) : confirmation.isSuccess ? (
        <Notice icon={<MailCheck />} title="Your email is confirmed">
          <p>{confirmation.data ? 'Thank you. Everything is set.' : 'Thank you. Sign in to go on.'}</p>
          <Button asChild className="mt-2">
            {confirmation.data ? <Link to="/">Continue</Link> : <Link to="/auth">Sign In</Link>}
          </Button>
        </Notice>
      ) : (
        <AuthSheet title="Confirming your email">
          <SkeletonGroup className="grid gap-4">
            <SkeletonText lines={2} />
            <Skeleton className="h-10 w-28" />
          </SkeletonGroup>
        </AuthSheet>
      )}
    </AuthFrame>
  )
}
