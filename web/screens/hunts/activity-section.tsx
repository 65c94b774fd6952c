import type { Hunt } from '#contracts/hunts.ts'
import { HuntComments } from './hunt-comments.tsx'
import { HuntActivity } from './recent-activity.tsx'

export function ActivitySection({ hunt }: { hunt: Hunt }) {
  const hasComments = hunt.visibility === 'public' || hunt.commentsCount > 0
  return (
    <div className="grid items-start gap-8 lg:grid-cols-2">
      {hasComments && (
        <section aria-labelledby="comments-title" className="grid gap-3">
          <h2 id="comments-title" className="text-xl">
            Comments
          </h2>
          {hunt.visibility === 'private' && (
            <p className="text-muted text-sm">Written while the hunt was public. Now only you and the people you share it with see them.</p>
          )}
          <HuntComments hunt={hunt} />
        </section>
      )}
      <HuntActivity huntId={hunt.id} />
    </div>
  )
}
