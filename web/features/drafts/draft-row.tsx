import { Link } from '@tanstack/react-router'
import { CalendarClock, CalendarX2, Ellipsis, Images, Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Draft } from '../../../contracts/drafts.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { countOf, postTypeLabel } from '../posts/post-words.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { clockOf, dayLabel } from './schedule-time.ts'
import { useDraftActions } from './use-draft-actions.ts'

/** One post that is not out yet, and what can be done with it. */
export function DraftRow({ draft, withDay = false }: { draft: Draft; withDay?: boolean | undefined }) {
  const actions = useDraftActions(draft)
  const [asks, setAsks] = useState<'time' | 'deletion' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { id, status, publishAt, error, isExclusive, media } = draft
  const title = draft.title || 'Untitled'

  async function doing(act: () => Promise<boolean>) {
    setBusy(true)
    await act()
    setBusy(false)
    setAsks(null)
  }

  return (
    <div className="flex items-start gap-4 py-3.5" aria-busy={isBusy}>
      {status === 'scheduled' && publishAt && (
        <time dateTime={publishAt} className="w-18 shrink-0 pt-0.5 font-medium text-sm tabular-nums">
          {withDay && <span className="block text-muted text-xs">{dayLabel(new Date(publishAt), new Date())}</span>}
          {clockOf(new Date(publishAt))}
        </time>
      )}
      <div className="grid min-w-0 flex-1 gap-1">
        <Link to="/drafts/$id" params={{ id }} className="font-medium wrap-anywhere hover:underline">
          {title}
        </Link>
        {draft.content !== '' && <p className="line-clamp-1 text-muted text-sm wrap-anywhere">{draft.content}</p>}
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-xs">
          {status === 'failed' && <Badge variant="clay">Not published</Badge>}
          <span>{postTypeLabel(draft.postType)}</span>
          {isExclusive && <Badge variant="outline">Exclusive</Badge>}
          {media.length > 0 && (
            <span className="inline-flex items-center gap-1">
              <Images aria-hidden="true" className="size-3.5" />
              {countOf(media.length, 'picture or video', 'pictures and videos')}
            </span>
          )}
          {draft.businessId !== null && <span>by {draft.author.name}</span>}
          <span>
            changed <Ago at={draft.updatedAt} />
          </span>
        </div>
        {error && <p className="text-clay text-sm">{error}</p>}
      </div>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about ${title}`} size="sm">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem asChild>
            <Link to="/drafts/$id" params={{ id }}>
              <Pencil aria-hidden="true" />
              Edit
            </Link>
          </MenuItem>
          <MenuItem onSelect={() => setAsks('time')}>
            <CalendarClock aria-hidden="true" />
            {status === 'scheduled' ? 'Change time' : 'Schedule'}
          </MenuItem>
          {status === 'scheduled' && (
            <MenuItem onSelect={() => void doing(actions.unschedule)}>
              <CalendarX2 aria-hidden="true" />
              Move to drafts
            </MenuItem>
          )}
          <MenuItem onSelect={() => void doing(actions.publish)}>
            <Send aria-hidden="true" />
            Publish now
          </MenuItem>
          <MenuItem danger onSelect={() => setAsks('deletion')}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        </MenuContent>
      </Menu>
      <ScheduleDialog
        open={asks === 'time'}
        onOpenChange={(isOpen) => setAsks(isOpen ? 'time' : null)}
        publishAt={publishAt}
        businessId={draft.businessId}
        onSchedule={actions.schedule}
      />
      <ConfirmDialog
        open={asks === 'deletion'}
        onOpenChange={(isOpen) => setAsks(isOpen ? 'deletion' : null)}
        title={`Delete “${title}”?`}
        confirmText="Delete draft"
        pending={isBusy}
        onConfirm={() => void doing(actions.remove)}
      >
        <p>The draft and its pictures are deleted for everybody who works on it.</p>
      </ConfirmDialog>
    </div>
  )
}
