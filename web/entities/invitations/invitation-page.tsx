import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import { isAbsent, messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'

type InvitationPageProps<Invitation> = {
  query: UseQueryResult<Invitation>
  unknown: ReactNode
  hasCover?: boolean
  children: (invitation: Invitation) => ReactNode
}

export function InvitationPage<Invitation>({ query, unknown, hasCover = false, children }: InvitationPageProps<Invitation>) {
  const { data, error, refetch, isFetching } = query
  const isUnknown = isAbsent(error)
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-8 sm:px-6 sm:py-14">
      {data ? (
        children(data)
      ) : isUnknown ? (
        unknown
      ) : error ? (
        <LoadError level={1} title="The invitation couldn’t be loaded" query={{ error, refetch, isFetching }} />
      ) : (
        <SkeletonGroup label="Loading your invitation..." className="overflow-hidden rounded-card border border-line bg-surface">
          {hasCover && <Skeleton shape="picture" className="h-28" />}
          <div className="grid gap-4 p-5 sm:p-8">
            {!hasCover && <Skeleton shape="circle" className="size-14" />}
            <Skeleton className="h-7 w-4/5 rounded-full" />
            <SkeletonText lines={3} />
            <Skeleton className="h-12 w-40" />
          </div>
        </SkeletonGroup>
      )}
    </div>
  )
}

export const InvitationOver = ({ title, link, children }: { title: string; link: ReactNode; children: ReactNode }) => (
  <Notice icon={<MailX />} tone="clay" title={title}>
    {children}
    <Button asChild variant="secondary" className="mt-2">
      {link}
    </Button>
  </Notice>
)

type InvitationAnswerProps = {
  accept: UseMutationResult<unknown, Error, void>
  acceptText: ReactNode
  error: Error | null
  children: ReactNode
}

export const InvitationAnswer = ({ accept, acceptText, error, children }: InvitationAnswerProps) => (
  <div className="grid gap-3">
    {error && <FormError>{messageOf(error)}</FormError>}
    <div className="flex flex-wrap gap-3">
      <Button size="lg" onClick={() => accept.mutate()} pending={accept.isPending} pendingText="Joining...">
        {acceptText}
      </Button>
      {children}
    </div>
  </div>
)
