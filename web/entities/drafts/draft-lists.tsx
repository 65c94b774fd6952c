import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, CalendarX2, Ellipsis, Images, Pencil, Send, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Draft } from '#contracts/drafts.ts'
import { postTypeLabel } from '#web/entities/posts/post-words.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { counted } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { zoneName } from '#web/lib/time-zones.ts'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { ConfirmDialog, Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { useListFocus, useRestoredFocus } from '#web/ui/focus.ts'
import { Input } from '#web/ui/input.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { EmptyNote } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { bestTimesOptions, draftsOptions, useDraftActions } from './drafts.api.ts'
import { byDay, clockOf, dayLabel, fieldsOf, firstProposal, momentOf, nextTime, whenWords } from './schedule-time.ts'

export function DraftLists({ businessId }: { businessId: string }) {
  const { data, error, refetch, isFetching } = useQuery(draftsOptions(businessId))
  const now = useNow()
  // A row that moves or is removed loses focus, so this restores it.
  const lists = useRestoredFocus<HTMLDivElement>(data?.map(({ id, status }) => `${id} ${status}`).join() ?? '')
  const overdue = data?.some(({ status, publishAt }) => status === 'scheduled' && Date.parse(publishAt ?? '') < now)
  // `now` ticks every minute. By then, overdue posts have usually been published or refused.
  useEffect(() => {
    if (overdue && now) void refetch()
  }, [overdue, now, refetch])

  if (!data) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading drafts..." className="grid gap-2">
          <Skeleton className="mb-2 h-6 w-32" />
          <Skeleton className="h-18 rounded-card" />
          <Skeleton className="h-18 rounded-card" />
        </SkeletonGroup>
      )
    }
    return <LoadError level={3} title="Your drafts couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  const days = byDay(
    data.filter(({ status }) => status === 'scheduled'),
    new Date(now),
  )
  const drafts = waiting(data)
  return (
    <div {...lists} className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section title="Scheduled">
        {days.length === 0 && <EmptyNote>Nothing is scheduled. Write a post and choose Schedule to publish it later.</EmptyNote>}
        {days.map(({ day, label, items }) => (
          <div key={day} className="grid gap-1">
            <h3 className="font-text font-medium text-muted text-sm">{label}</h3>
            <Rows drafts={items} />
          </div>
        ))}
      </Section>
      <Section title="Drafts">
        {drafts.length === 0 ? (
          <EmptyNote>No drafts. Saved drafts appear here for everyone on the team.</EmptyNote>
        ) : (
          <Rows drafts={drafts} />
        )}
      </Section>
    </div>
  )
}

export function OwnDrafts() {
  const { data = [] } = useQuery(draftsOptions())
  const listFocus = useListFocus<HTMLUListElement>()
  if (data.length === 0) return null
  const scheduled = data.filter(({ status }) => status === 'scheduled').sort((a, b) => (a.publishAt ?? '').localeCompare(b.publishAt ?? ''))
  return (
    <section className="mt-8 grid gap-3">
      <h2 className="text-xl">Your drafts</h2>
      <Rows {...listFocus} drafts={[...scheduled, ...waiting(data)]} withDay />
    </section>
  )
}

const waiting = (drafts: readonly Draft[]) => [
  ...drafts.filter(({ status }) => status === 'failed'),
  ...drafts.filter(({ status }) => status === 'draft').sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)),
]

type RowsProps = ComponentProps<'ul'> & { drafts: readonly Draft[]; withDay?: boolean }

function Rows({ drafts, withDay = false, ...props }: RowsProps) {
  return (
    <Card asChild className="overflow-visible!">
      <ul {...props} className="divide-y divide-line px-4 sm:px-5">
        {drafts.map((draft) => (
          <li key={draft.id}>
            <DraftRow draft={draft} withDay={withDay} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

function DraftRow({ draft, withDay = false }: { draft: Draft; withDay?: boolean | undefined }) {
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
              {counted(media.length, 'picture or video', 'pictures and videos')}
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
          <IconButton label={`More actions for ${title}`} size="sm">
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
        <p>This deletes the draft and its pictures for everyone who works on it.</p>
      </ConfirmDialog>
    </div>
  )
}

type ScheduleDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  publishAt?: string | null | undefined
  businessId: string | null
  onSchedule: (publishAt: string) => Promise<void>
}

/** Closes once the post is scheduled. */
export function ScheduleDialog({ open, onOpenChange, ...props }: ScheduleDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <ScheduleForm {...props} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

type ScheduleFormProps = Omit<ScheduleDialogProps, 'open' | 'onOpenChange'> & { onDone: () => void }

function ScheduleForm({ publishAt, businessId, onSchedule, onDone }: ScheduleFormProps) {
  const [now] = useState(() => new Date())
  const [values, setValues] = useState(() => fieldsOf(publishAt ? new Date(publishAt) : firstProposal(now)))
  const [error, setError] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const moment = momentOf(values)
  const form = useRef<HTMLFormElement>(null)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

  async function submit() {
    if (!moment || moment.getTime() <= Date.now()) {
      form.current?.querySelector('input')?.focus()
      return setError(moment ? 'Choose a time in the future' : 'Choose a date and time')
    }
    setPending(true)
    setError(null)
    try {
      await onSchedule(moment.toISOString())
      onDone()
    } catch (failure) {
      console.error(failure)
      const fields = Object.values(fieldErrors(failure))
      setError(fields.length > 0 ? fields.join(' · ') : messageOf(failure))
    } finally {
      setPending(false)
    }
  }

  return (
    <DialogContent
      title="Schedule post"
      description={`Times are in your time zone, ${zoneName(timeZone)}.`}
      actions={
        <>
          <DialogCancel />
          <Button onClick={() => void submit()} pending={isPending} pendingText="Saving...">
            Schedule
          </Button>
        </>
      }
    >
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="grid gap-3 min-[360px]:grid-cols-2">
          <Field label="Day">
            <Input
              type="date"
              min={localDay(now)}
              value={values.day}
              onChange={(event) => setValues({ ...values, day: event.target.value })}
            />
          </Field>
          <Field label="Time">
            <Input type="time" value={values.time} onChange={(event) => setValues({ ...values, time: event.target.value })} />
          </Field>
        </div>
        {businessId !== null && <Proposals businessId={businessId} now={now} onChoose={(date) => setValues(fieldsOf(date))} />}
        <p className="text-muted text-sm" aria-live="polite">
          {moment && moment > now && `It will be published ${whenWords(moment, now)}, give or take a minute.`}
        </p>
        <FormError>{error}</FormError>
        {/* Lets Enter submit the form, because the visible button is outside it. */}
        <button type="submit" hidden />
      </form>
    </DialogContent>
  )
}

const maxProposals = 3

/** The times with the most likes and comments. Renders nothing without enough data. */
function Proposals({ businessId, now, onChoose }: { businessId: string; now: Date; onChoose: (date: Date) => void }) {
  const { data } = useQuery(bestTimesOptions(businessId))
  if (!data || data.hours.length === 0) return null
  const dates = data.hours.slice(0, maxProposals).map((hour) => nextTime(hour, now))
  return (
    <div className="grid gap-2">
      <p className="font-medium text-sm">Your best times</p>
      <div className="flex flex-wrap gap-2">
        {dates.map((date) => (
          <button key={date.getTime()} type="button" className={chipClass(false)} onClick={() => onChoose(date)}>
            {dayLabel(date, now)}, {clockOf(date)}
          </button>
        ))}
      </div>
    </div>
  )
}
