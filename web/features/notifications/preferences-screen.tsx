import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { messageOf } from '../../lib/api-error.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { quietLink } from '../../ui/link-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { preferencesOptions } from './notifications.api.ts'
import { PreferencesForm } from './preferences-form.tsx'
import { PushCard } from './push-card.tsx'
import { chosenTimeZone } from './time-zones.ts'

export function PreferencesScreen() {
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/notifications" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Notifications
      </Link>
      <PageHeader title="Notification preferences" description="What you are told, how, and when." />
      <div className="mt-6 grid gap-5">
        <Card asChild>
          <section aria-label="This browser">
            <CardBody>
              <PushCard />
            </CardBody>
          </section>
        </Card>
        <Preferences />
      </div>
    </div>
  )
}

function Preferences() {
  const { data, error, refetch, isPending, isFetching } = useQuery(preferencesOptions)
  if (isPending) {
    return (
      <Card>
        <SkeletonGroup label="Loading your preferences..." className="grid gap-6 p-5">
          {[1, 2, 3, 4, 5, 6].map((row) => (
            <div key={row} className="flex items-center justify-between gap-8">
              <SkeletonText className="flex-1" />
              <Skeleton className="h-5 w-32" />
            </div>
          ))}
        </SkeletonGroup>
      </Card>
    )
  }
  if (!data) {
    return (
      <Card>
        <ErrorState
          title="Your preferences could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </Card>
    )
  }
  return <PreferencesForm saved={{ ...data, timeZone: chosenTimeZone(data.timeZone) }} />
}
