import { Link } from '@tanstack/react-router'
import { EyeOff, Flag, Hourglass, MessageSquareLock } from 'lucide-react'
import { useState } from 'react'
import type { Media } from '#contracts/media.ts'
import { reasonOf } from '#contracts/moderation.rules.ts'
import type { ModerationCaseDetail } from '#contracts/moderation.ts'
import { subjectTitle } from '#web/entities/account-status/account-status-words.ts'
import { Gallery } from '#web/entities/media/gallery.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'

export function CaseSubject({ item }: { item: ModerationCaseDetail }) {
  const { subject, title, text, context, media, isThere } = item
  const isCovered = item.reason === 'intimate_image' || item.reports.some(({ reason }) => reason === 'intimate_image')
  const pictures = media.length > 0 && <CasePictures media={media} isCovered={isCovered} of={title ?? subjectTitle(subject)} />
  const others = context.filter(({ isSubject }) => !isSubject)
  return (
    <Card asChild>
      <section aria-label="Content">
        <CardBody className="grid gap-4">
          {subject === 'message' && (
            <p className="flex items-start gap-2 text-muted text-sm">
              <MessageSquareLock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              Private message. Opening this case was recorded in the audit log.
            </p>
          )}
          {!isThere && <p className="text-muted">No longer available. The content or its author’s account was deleted.</p>}
          {title && <p className="font-semibold wrap-anywhere">{title}</p>}
          {others.length === 0 ? (
            <>
              {text !== '' && <p className="max-w-text whitespace-pre-line wrap-anywhere">{text}</p>}
              {pictures}
            </>
          ) : (
            <ol className="grid gap-2.5" aria-label="Context">
              {context.map((each, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no IDs and never move
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
        <span className={cx('font-semibold', isSubject && 'text-ink')}>{author ?? 'A deleted account'}</span>
        <Ago at={createdAt} className="text-muted text-xs" />
        {isSubject && <span className="font-medium text-clay text-xs">Subject of this case</span>}
      </p>
      <p className="mt-1 max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{text}</p>
      {children && <div className="mt-3">{children}</div>}
    </div>
  )
}

type CasePicturesProps = { media: readonly Media[]; isCovered: boolean; of: string }

/** Fetches pictures reported as intimate only when the moderator asks. */
function CasePictures({ media, isCovered, of }: CasePicturesProps) {
  const [isShown, setShown] = useState(!isCovered)
  if (isShown) {
    return (
      <div className="grid max-w-md gap-2">
        <Gallery media={media} of={of} />
        {isCovered && (
          <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setShown(false)}>
            <EyeOff aria-hidden="true" />
            Hide again
          </Button>
        )}
      </div>
    )
  }
  const [first] = media
  const count = media.length === 1 ? 'A picture is hidden' : `${media.length} pictures are hidden`
  return (
    <div className="relative isolate grid aspect-[16/10] max-w-md place-items-center overflow-clip rounded-input bg-sunk p-4">
      {first?.placeholder && (
        <img src={first.placeholder} alt="" className="absolute inset-0 -z-1 size-full scale-125 object-cover opacity-50 blur-2xl" />
      )}
      <div className="grid justify-items-center gap-2 rounded-card bg-surface px-5 py-4 text-center">
        <EyeOff aria-hidden="true" className="size-5 text-muted" />
        <p className="font-medium">{count}</p>
        <p className="max-w-[26ch] text-muted text-sm">Reported as an intimate picture shared without consent.</p>
        <Button variant="secondary" size="sm" onClick={() => setShown(true)}>
          Show
        </Button>
      </div>
    </div>
  )
}

type CaseReportsProps = Pick<ModerationCaseDetail, 'reports' | 'findings'>

export function CaseReports({ reports, findings }: CaseReportsProps) {
  return (
    <Card asChild>
      <section aria-label="Why it’s here">
        <CardBody className="grid gap-5">
          {findings.length > 0 && (
            <div>
              <h4 className="mb-2.5 flex items-center gap-2 font-semibold">
                <Hourglass aria-hidden="true" className="size-4 text-muted" />
                {findings.every(({ path }) => path) ? 'Flagged by' : 'Held by'}{' '}
                {findings.length === 1 ? 'a rule' : `${findings.length} rules`}
              </h4>
              <ul className="grid gap-2">
                {findings.map(({ rule, says, path }) => (
                  <li key={`${rule} ${path}`} className="border-line border-l-2 pl-3.5">
                    {says && <p>{says}</p>}
                    {path && (
                      <p>
                        <a href={path} target="_blank" rel="noreferrer" className={textLink}>
                          Open the listing<span className="sr-only"> in a new tab</span>
                        </a>
                      </p>
                    )}
                    <p className="text-muted text-xs">Rule {rule}</p>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {reports.length > 0 && (
            <div>
              <h4 className="mb-2.5 flex items-center gap-2 font-semibold">
                <Flag aria-hidden="true" className="size-4 text-muted" />
                {reports.length === 1 ? '1 report' : `${reports.length} reports`}
              </h4>
              <ul className="grid gap-3">
                {reports.map(({ id, reason, details, createdAt, reporter }) => (
                  <li key={id} className="border-line border-l-2 pl-3.5">
                    <p className="text-sm">
                      <span className="font-medium">{reasonOf(reason).title}</span>
                      <span className="text-muted">
                        {' · '}
                        {reporter && (
                          <>
                            <Link to="/people/$id" params={{ id: reporter.id }} target="_blank" className={textLink}>
                              {reporter.name}
                            </Link>
                            {' · '}
                          </>
                        )}
                        <Ago at={createdAt} />
                      </span>
                    </p>
                    {details !== '' && <p className="mt-1 max-w-text whitespace-pre-line wrap-anywhere">{details}</p>}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </CardBody>
      </section>
    </Card>
  )
}
