import { Link } from '@tanstack/react-router'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { Person } from '#contracts/people.ts'
import type { BusinessByline, Post } from '#contracts/posts.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import type { ReportedWriter } from '#web/entities/reports/report-words.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/cx.ts'

type Writer = { business: BusinessByline | null; author: Person | null }

/** Square for businesses, round for people. Decorative: the name is always next to it. */
export function WriterPicture({ business, author, size = 'md' }: Writer & { size?: 'sm' | 'md' }) {
  if (business) return <BusinessThumb business={business} className={size === 'md' ? 'size-11' : 'size-8'} />
  return <Avatar id={author?.id ?? 'nobody'} name={author?.name ?? '?'} imageUrl={author?.imageUrl} size={size === 'md' ? 'md' : 'sm'} />
}

export function WriterName({ business, author, className }: Writer & { className?: string }) {
  const look = cx('touch-target rounded-tag font-semibold wrap-anywhere hover:underline hover:underline-offset-3', className)
  if (business) {
    return (
      <Link to="/business/$id" params={{ id: business.slug }} className={look}>
        {business.name}
      </Link>
    )
  }
  if (!author) return <span className={className}>Member</span>
  return (
    <Link to="/people/$id" params={{ id: author.id }} className={look}>
      {author.name}
    </Link>
  )
}

export const writerName = ({ business, author }: Writer): string => business?.name ?? author?.name ?? 'Member'

/** The dialog offers to block this person or business after a report. */
export const reportedWriter = ({ business, author }: Writer): ReportedWriter | null =>
  business ? { kind: 'business', id: business.id, name: business.name } : author && { kind: 'person', id: author.id, name: author.name }

export function Byline({ post }: { post: Post }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <WriterPicture business={post.business} author={post.author} />
      <div className="min-w-0">
        <WriterName business={post.business} author={post.author} className="block" />
        <p className="text-muted text-sm">
          {post.business && `${businessTypeLabels[post.business.type]} · `}
          <Ago at={post.createdAt} />
          {post.editedAt && ' · Edited'}
        </p>
      </div>
    </div>
  )
}
