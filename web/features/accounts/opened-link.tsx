import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { verifyEmail } from '../../../contracts/accounts.ts'
import type { confirmEmailChange } from '../../../contracts/sign-in.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { Notice, SpentLink } from './notice.tsx'

type OpenedLinkProps = {
  endpoint: typeof verifyEmail | typeof confirmEmailChange
  token: string
  /** What is going on while the token is sent. */
  title: string
  /** That it could not be sent. */
  failure: string
  /** What to do with a link that does nothing any more. */
  spent: ReactNode
  /** A refusal that sending it again does not help; null where it does. */
  refused?: (error: ApiError) => ReactNode
  /** What has happened. */
  children: (isSignedIn: boolean) => ReactNode
}

/** Where a mailed link leads that has done its work once it is opened. */
export function OpenedLink({ endpoint, token, title, failure, spent, refused, children }: OpenedLinkProps) {
  // A query, although it writes: however often the page renders, a token is sent once.
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
        <SpentLink>{spent}</SpentLink>
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
