import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { verifyEmail } from '#contracts/accounts.ts'
import type { confirmEmailChange } from '#contracts/sign-in.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice, SpentLink } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'

type OpenedLinkProps = {
  endpoint: typeof verifyEmail | typeof confirmEmailChange
  token: string
  title: string
  failure: string
  /** What to do about an expired or used link. */
  spent: ReactNode
  /** Content for errors that a retry can't fix; null for the others. */
  refused?: (error: ApiError) => ReactNode
  children: (isSignedIn: boolean) => ReactNode
}

/** Target of a mailed link that takes effect when opened. */
export function OpenedLink({ endpoint, token, title, failure, spent, refused, children }: OpenedLinkProps) {
  // A query despite writing, so that rerenders send the token only once.
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
