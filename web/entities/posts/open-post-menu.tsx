import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bookmark, BookmarkMinus, EyeOff, Flag, Link2, Pencil, Trash2, VolumeX } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { deletePost } from '#contracts/calls/posts.ts'
import type { Post } from '#contracts/posts.ts'
import { refreshPostCounts } from '#web/entities/communities/communities.api.ts'
import { useMute } from '#web/entities/people/block-and-mute.tsx'
import type { ReportedWriter } from '#web/entities/reports/report-words.ts'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { removals } from '#web/ui/pending-removals.ts'
import { copyLink } from '#web/ui/share-link.ts'
import { toast } from '#web/ui/toast-store.ts'
import { reportedWriter } from './byline.tsx'
import { dropPost, hideFromFeeds, setSaved } from './posts.api.ts'

export type PostMenuProps = {
  post: Post
  onRemoved?: (() => void) | undefined
  extra?: ReactNode
  isInFeed?: boolean | undefined
}

/** {@link file://./post-menu.tsx} loads this on demand. */
export default function OpenPostMenu({ post, onRemoved, extra, isInFeed = false, trigger }: PostMenuProps & { trigger: ReactElement }) {
  const client = useQueryClient()
  const writer = reportedWriter(post)
  const report = useReport('post', post.id, writer)
  const { id, abilities, isSaved } = post
  const isOwn = abilities.edit || abilities.delete
  return (
    <>
      <Menu defaultOpen>
        <MenuTrigger asChild>{trigger}</MenuTrigger>
        <MenuContent>
          {extra}
          {abilities.edit && (
            <MenuItem asChild>
              <Link to="/post/$id/edit" params={{ id: post.id }}>
                <Pencil aria-hidden="true" />
                Edit
              </Link>
            </MenuItem>
          )}
          <MenuItem onSelect={() => void setSaved(client, id, !isSaved)}>
            {isSaved ? <BookmarkMinus aria-hidden="true" /> : <Bookmark aria-hidden="true" />}
            {isSaved ? 'Remove from saved' : 'Save'}
          </MenuItem>
          <MenuItem onSelect={() => void copyLink(`${location.origin}/post/${id}`)}>
            <Link2 aria-hidden="true" />
            Copy link
          </MenuItem>
          {isInFeed && !isOwn && (
            <MenuItem onSelect={() => void hideFromFeeds(client, id)}>
              <EyeOff aria-hidden="true" />
              Hide
            </MenuItem>
          )}
          {writer && !isOwn && <MuteItem writer={writer} />}
          {abilities.report && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          {abilities.delete && (
            <MenuItem
              danger
              onSelect={() => {
                removePost(client, post)
                onRemoved?.()
              }}
            >
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {report.dialog}
    </>
  )
}

function MuteItem({ writer }: { writer: ReportedWriter }) {
  const { setMuted } = useMute(writer)
  return (
    <MenuItem onSelect={() => setMuted(true)}>
      <VolumeX aria-hidden="true" />
      <span className="min-w-0 truncate">Mute {writer.name}</span>
    </MenuItem>
  )
}

function removePost(client: QueryClient, { id, community }: Pick<Post, 'id' | 'community'>): void {
  const input = { params: { id } }
  removals.remove({
    id,
    title: 'Post deleted',
    commit: async () => {
      await call(deletePost, input, { keepalive: true })
      dropPost(client, id)
      if (community) void refreshPostCounts(client)
      // The profile's post count changed.
      void refreshCurrentUser()
    },
    onFailed: (error) => toast({ title: 'Error', description: `The post wasn’t deleted. ${messageOf(error)}`, variant: 'destructive' }),
  })
}
