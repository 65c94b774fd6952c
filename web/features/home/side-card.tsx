import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { SkeletonGroup } from '../../ui/skeleton.tsx'

type SideCardProps<Data> = {
  title: string
  description?: string
  /** A link to more of it. */
  more?: ReactNode
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching'> & { refetch: () => unknown }
  skeleton: ReactNode
  /** What happened when nothing came: "Trending could not be loaded." */
  failure: string
  children: (data: Data) => ReactNode
}

/** A card beside the feed. One that fails says so and leaves the rest of the page alone. */
export function SideCard<Data>({ title, description, more, query, skeleton, failure, children }: SideCardProps<Data>) {
  const { data } = query
  return (
    <Card asChild>
      <section aria-label={title}>
        <CardBody>
          <div className="mb-3">
            <div className="flex items-baseline justify-between gap-4">
              <h2 className="text-lg">{title}</h2>
              {more}
            </div>
            {description && <p className="mt-0.5 text-muted text-sm">{description}</p>}
          </div>
          {query.isPending && <SkeletonGroup label={`Loading ${title}...`}>{skeleton}</SkeletonGroup>}
          {!query.isPending && data === undefined && (
            <div role="alert" className="grid justify-items-start gap-3 text-muted text-sm">
              {failure} {messageOf(query.error)}
              <Button variant="secondary" size="sm" onClick={() => void query.refetch()} pending={query.isFetching}>
                Retry
              </Button>
            </div>
          )}
          {data !== undefined && children(data)}
        </CardBody>
      </section>
    </Card>
  )
}
