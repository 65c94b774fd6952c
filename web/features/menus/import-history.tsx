import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { MenuImport } from '../../../contracts/menu-imports.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { MorePages } from '../../ui/more-pages.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { UndoButton } from './import-result.tsx'
import { importWords } from './import-words.ts'
import { menuImportsOptions } from './menus.api.ts'

const badges: Record<MenuImport['status'], { words: string; variant: 'leaf' | 'clay' | 'neutral' | 'outline' }> = {
  receiving: { words: 'Not sent', variant: 'outline' },
  ready: { words: 'Waiting', variant: 'outline' },
  running: { words: 'Running', variant: 'neutral' },
  done: { words: 'Done', variant: 'leaf' },
  failed: { words: 'Failed', variant: 'clay' },
  undone: { words: 'Undone', variant: 'neutral' },
}

/** The imports of before; nothing at all while there was none. */
export function ImportHistory({ business }: { business: MyBusiness }) {
  const list = useInfiniteQuery({ ...menuImportsOptions(business.id), refetchOnMount: 'always' })
  const entries = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.data && entries.length === 0) return null
  return (
    <section aria-labelledby="imports-title">
      <h3 id="imports-title" className="text-lg">
        Earlier imports
      </h3>
      {list.isPending && (
        <SkeletonGroup label="Loading the imports..." className="mt-3 grid gap-3">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </SkeletonGroup>
      )}
      {list.isError && !list.data && (
        <ErrorState
          level={3}
          title="The earlier imports could not be loaded"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {entries.length > 0 && (
        <ul className="mt-3 overflow-clip rounded-card border border-line bg-surface">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 py-3 not-first:border-t">
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Link
                    to="/business-dashboard/menu/import"
                    search={{ business: business.slug, import: entry.id }}
                    className={`${textLink} wrap-anywhere`}
                  >
                    {entry.fileName}
                  </Link>
                  <Badge variant={badges[entry.status].variant}>{badges[entry.status].words}</Badge>
                </p>
                <p className="text-muted text-sm tabular-nums">
                  <Ago at={entry.createdAt} /> · {importWords(entry)}
                </p>
              </div>
              {entry.canUndo && <UndoButton business={business} entry={entry} size="sm" />}
            </li>
          ))}
        </ul>
      )}
      <MorePages list={list} />
    </section>
  )
}
