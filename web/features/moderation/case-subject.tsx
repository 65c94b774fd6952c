import { MessageSquareLock } from 'lucide-react'
import type { ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { Ago } from '../../ui/ago.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { subjectTitle } from '../standing/standing-words.ts'
import { CasePictures } from './case-pictures.tsx'

/** What the case is about, in its place among what stands around it. */
export function CaseSubject({ item }: { item: ModerationCaseDetail }) {
  const { subject, title, text, context, media, isThere } = item
  const isCovered = item.reason === 'intimate_image' || item.reports.some(({ reason }) => reason === 'intimate_image')
  const pictures = media.length > 0 && <CasePictures media={media} isCovered={isCovered} of={title ?? subjectTitle(subject)} />
  const others = context.filter(({ isSubject }) => !isSubject)
  return (
    <Card asChild>
      <section aria-label="What it is about">
        <CardBody className="grid gap-4">
          {subject === 'message' && (
            <p className="flex items-start gap-2 text-muted text-sm">
              <MessageSquareLock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              Private words. That you opened this case is noted in the audit log.
            </p>
          )}
          {!isThere && <p className="text-muted">It is not there any more: it was deleted, or is gone with its account.</p>}
          {title && <p className="font-semibold wrap-anywhere">{title}</p>}
          {others.length === 0 ? (
            <>
              {text !== '' && <p className="max-w-text whitespace-pre-line wrap-anywhere">{text}</p>}
              {pictures}
            </>
          ) : (
            <ol className="grid gap-2.5" aria-label="In its place">
              {context.map((each, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: what stands around it has no ids here, and never moves
                <li key={place}>
                  <ContextItem {...each}>{each.isSubject && pictures}</ContextItem>
                </li>
              ))}
            </ol>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

type ContextItemProps = ModerationCaseDetail['context'][number] & { children: React.ReactNode }

function ContextItem({ author, text, createdAt, isSubject, children }: ContextItemProps) {
  return (
    <div
      className={cx('rounded-input border-l-3 py-2 pl-3.5', isSubject ? 'border-clay bg-clay-soft/60 pr-3.5' : 'border-line text-muted')}
    >
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className={cx('font-semibold', isSubject && 'text-ink')}>{author ?? 'Somebody who is gone'}</span>
        <Ago at={createdAt} className="text-muted text-xs" />
        {isSubject && <span className="font-medium text-clay text-xs">This is what it is about</span>}
      </p>
      <p className="mt-1 max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{text}</p>
      {children && <div className="mt-3">{children}</div>}
    </div>
  )
}
